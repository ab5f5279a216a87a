import type { GrantSource } from '../../../rules/credits/account.ts'
import type { EntryOfAccount, GrantOfAccount } from '../../../rules/explain/books.ts'
import type { CreditTransactionType } from '../../../rules/facts/ledger-facts.ts'
import type { Mode } from '../../../rules/meter/meter.ts'
import type { Instant } from '../../../std/instant.ts'

interface OwnerDocument {
  readonly account_id: string
  readonly number: number
  readonly business_id: string
  readonly mode: Mode
  readonly customer_id: string
  readonly entitlement_id: string
}

/** A row of ledger_entries with the key of its account. */
export interface EntryDocument extends OwnerDocument {
  readonly entry_id: string
  readonly brand_id: string
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
  readonly inputs: Readonly<Record<string, unknown>>
  readonly created_at: Instant
}

/** A row of grants with the key of its account. */
export interface GrantDocument extends OwnerDocument {
  readonly grant_id: string
  readonly source_type: GrantSource
  readonly source_id: string | null
  readonly parent_grant_id: string | null
  readonly rollover_count: number
  readonly rolled_over: boolean
  readonly rolled_into: string | null
  readonly initial: string
  readonly remaining: string
  readonly expires_at: Instant | null
  readonly ended_at: Instant | null
  readonly metadata: Readonly<Record<string, unknown>> | null
  readonly created_at: Instant
  readonly updated_at: Instant
}

const ownerOf = (row: OwnerDocument) => ({
  accountId: row.account_id,
  number: row.number,
  businessId: row.business_id,
  mode: row.mode,
  customerId: row.customer_id,
  entitlementId: row.entitlement_id,
})

export const entryOf = (row: EntryDocument): EntryOfAccount => ({
  ...ownerOf(row),
  entryId: row.entry_id,
  brandId: row.brand_id,
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
  inputs: row.inputs,
  createdAt: row.created_at,
})

export const grantOf = (row: GrantDocument): GrantOfAccount => ({
  ...ownerOf(row),
  grantId: row.grant_id,
  sourceType: row.source_type,
  sourceId: row.source_id,
  parentGrantId: row.parent_grant_id,
  rolloverCount: row.rollover_count,
  rolledOver: row.rolled_over,
  rolledInto: row.rolled_into,
  initial: row.initial,
  remaining: row.remaining,
  expiresAt: row.expires_at,
  endedAt: row.ended_at,
  metadata: row.metadata,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
