import type { Instant } from '../../std/instant.ts'
import type { CreditTransactionType } from './ledger-facts.ts'

/**
 * A ledger entry as it stands in the store. Amounts are plain decimals, maybe with trailing zeros.
 */
export interface RecordedEntry {
  readonly entryId: string
  readonly businessId: string
  readonly brandId: string
  readonly customerId: string
  readonly entitlementId: string
  readonly transactionType: CreditTransactionType
  readonly isCredit: boolean
  readonly amount: string
  readonly balanceBefore: string
  readonly balanceAfter: string
  readonly overageBefore: string
  readonly overageAfter: string
  readonly grantId: string | null
  readonly referenceType: string | null
  readonly referenceId: string | null
  readonly description: string | null
  readonly metadata: Readonly<Record<string, unknown>>
  readonly createdAt: Instant
}
