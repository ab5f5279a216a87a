import type { CreditTransactionType } from '../../../../rules/facts/ledger-facts.ts'
import type { RecordedEntry } from '../../../../rules/facts/recorded-entry.ts'
import type { Instant } from '../../../../std/instant.ts'

/** An entry as the database has it, with the names of its account. */
export interface EntryRow {
  readonly entry_id: string
  readonly business_id: string
  readonly brand_id: string
  readonly customer_id: string
  readonly entitlement_id: string
  readonly transaction_type: CreditTransactionType
  readonly is_credit: boolean
  readonly amount: string
  readonly balance_before: string
  readonly balance_after: string
  readonly overage_before: string
  readonly overage_after: string
  readonly grant_id: string | null
  readonly reference_type: string | null
  readonly reference_id: string | null
  readonly description: string | null
  readonly metadata: Readonly<Record<string, unknown>>
  readonly created_at: Instant
}

export const entryOf = (row: EntryRow): RecordedEntry => ({
  entryId: row.entry_id,
  businessId: row.business_id,
  brandId: row.brand_id,
  customerId: row.customer_id,
  entitlementId: row.entitlement_id,
  transactionType: row.transaction_type,
  isCredit: row.is_credit,
  amount: row.amount,
  balanceBefore: row.balance_before,
  balanceAfter: row.balance_after,
  overageBefore: row.overage_before,
  overageAfter: row.overage_after,
  grantId: row.grant_id,
  referenceType: row.reference_type,
  referenceId: row.reference_id,
  description: row.description,
  metadata: row.metadata,
  createdAt: row.created_at,
})
