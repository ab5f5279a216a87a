import type { AccountChange, NewEntry } from '../../../../rules/accounts/change.ts'
import type { Credits } from '../../../../rules/accounts/credits.ts'
import { formatCredits } from '../../../../rules/accounts/credits.ts'
import type { CreditTransactionType } from '../../../../rules/facts/ledger-facts.ts'
import type { RecordedEntry } from '../../../../rules/facts/recorded-entry.ts'
import type { Instant } from '../../../../std/instant.ts'
import { timestamptz } from '../connection/client.ts'
import { inputsJson } from './cause-json.ts'

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

/** As write_accounts() takes it. */
export function entryRow(entry: NewEntry, { account, accountId }: AccountChange): object {
  const text = (value: Credits): string => formatCredits(value, account.precision)
  return {
    account_id: accountId,
    number: entry.number,
    entry_id: entry.entryId,
    transaction_type: entry.type,
    is_credit: entry.isCredit,
    amount: text(entry.amount),
    balance_before: text(entry.balanceBefore),
    balance_after: text(entry.balanceAfter),
    overage_before: text(entry.overageBefore),
    overage_after: text(entry.overageAfter),
    grant_id: entry.grantId,
    reference_type: entry.cause.referenceType,
    reference_id: entry.cause.referenceId,
    description: entry.cause.description,
    metadata: entry.cause.metadata,
    brand_id: entry.brandId,
    inputs: inputsJson(entry.cause.inputs),
    created_at: timestamptz(entry.at),
  }
}
