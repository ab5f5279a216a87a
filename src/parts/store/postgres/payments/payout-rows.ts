import type { Currency } from '../../../../rules/commerce/currency.ts'
import type { Payout, PayoutStatus } from '../../../../rules/commerce/payouts/payout.ts'
import type { Instant } from '../../../../std/instant.ts'
import type { Scope } from '../../scope.ts'
import { timestamptz } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'

/** A payout as the database has it. */
export interface PayoutRow {
  readonly payout_id: string
  readonly status: PayoutStatus
  readonly name: string
  readonly currency: Currency
  readonly amount: number
  readonly fee: number
  readonly refunds: number
  readonly chargebacks: number
  readonly from_entry: number
  readonly to_entry: number
  readonly remarks: string | null
  readonly version: number
  readonly created_at: Instant
  readonly updated_at: Instant
}

export const payoutColumns = sql`
  payout_id, status, name, currency, amount, fee, refunds, chargebacks, from_entry, to_entry,
  remarks, version, created_at, updated_at`

export const payoutOf = (row: PayoutRow): Payout => ({
  payoutId: row.payout_id,
  status: row.status,
  name: row.name,
  currency: row.currency,
  amount: row.amount,
  fee: row.fee,
  refunds: row.refunds,
  chargebacks: row.chargebacks,
  fromEntry: row.from_entry,
  toEntry: row.to_entry,
  remarks: row.remarks,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** As write_payouts() takes it. */
export const payoutRow = (scope: Scope, payout: Payout): object => ({
  business_id: scope.businessId,
  mode: scope.mode,
  payout_id: payout.payoutId,
  status: payout.status,
  name: payout.name,
  currency: payout.currency,
  amount: payout.amount,
  fee: payout.fee,
  refunds: payout.refunds,
  chargebacks: payout.chargebacks,
  from_entry: payout.fromEntry,
  to_entry: payout.toEntry,
  remarks: payout.remarks,
  version: payout.version,
  created_at: timestamptz(payout.createdAt),
  updated_at: timestamptz(payout.updatedAt),
})
