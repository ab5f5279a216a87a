import type {
  BalanceEntry,
  BookedType,
  ChainedEntry,
} from '../../../../rules/commerce/balances/balance-entry.ts'
import type { Currency } from '../../../../rules/commerce/currency.ts'
import type { Instant } from '../../../../std/instant.ts'
import type { Scope } from '../../scope.ts'
import { timestamptz } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'

/** An entry of a business's money as the database has it. */
export interface BalanceEntryRow {
  readonly entry_id: string
  readonly currency: Currency
  readonly number: number
  readonly event_type: BookedType
  readonly is_credit: boolean
  readonly amount: number
  readonly balance_before: number
  readonly balance_after: number
  readonly reference_id: string
  readonly description: string | null
  readonly created_at: Instant
}

export const balanceEntryColumns = sql`
  entry_id, currency, number, event_type, is_credit, amount, balance_before, balance_after,
  reference_id, description, created_at`

export const balanceEntryOf = (row: BalanceEntryRow): ChainedEntry => ({
  entryId: row.entry_id,
  currency: row.currency,
  number: row.number,
  eventType: row.event_type,
  isCredit: row.is_credit,
  amount: row.amount,
  balanceBefore: row.balance_before,
  balanceAfter: row.balance_after,
  referenceId: row.reference_id,
  description: row.description,
  createdAt: row.created_at,
})

/** As write_balance_entries() takes it, which gives it its place. */
export const balanceEntryRow = ({ businessId, mode }: Scope, entry: BalanceEntry): object => ({
  business_id: businessId,
  mode,
  entry_id: entry.entryId,
  currency: entry.currency,
  event_type: entry.eventType,
  is_credit: entry.isCredit,
  amount: entry.amount,
  reference_id: entry.referenceId,
  description: entry.description,
  created_at: timestamptz(entry.createdAt),
})
