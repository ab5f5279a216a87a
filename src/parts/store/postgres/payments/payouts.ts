import type { Currency } from '../../../../rules/commerce/currency.ts'
import type { Payout } from '../../../../rules/commerce/payouts/payout.ts'
import type { Mode } from '../../../../rules/meter/meter.ts'
import type { PayoutFilter, Payouts } from '../../payouts.ts'
import type { Page, Scope } from '../../scope.ts'
import type { Db } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'
import { newestFirst } from './newest-first.ts'
import type { PayoutRow } from './payout-rows.ts'
import { payoutColumns, payoutOf } from './payout-rows.ts'

export function payouts(db: Db): Payouts {
  return { get, find, last, paying, list }

  async function get({ businessId, mode }: Scope, payoutId: string): Promise<Payout | null> {
    const [row] = await db.query<PayoutRow>(sql`
      select ${payoutColumns} from payouts
      where business_id = ${businessId} and mode = ${mode} and payout_id = ${payoutId}`)
    return row === undefined ? null : payoutOf(row)
  }

  async function find(payoutId: string) {
    const [row] = await db.query<PayoutRow & { business_id: string; mode: Mode }>(sql`
      select business_id, mode, ${payoutColumns} from payouts where payout_id = ${payoutId}`)
    if (row === undefined) return null
    return { businessId: row.business_id, mode: row.mode, payout: payoutOf(row) }
  }

  async function last({ businessId, mode }: Scope, currency: Currency): Promise<Payout | null> {
    const [row] = await db.query<PayoutRow>(sql`
      select ${payoutColumns} from payouts
      where business_id = ${businessId} and mode = ${mode} and currency = ${currency}
      order by to_entry desc limit 1`)
    return row === undefined ? null : payoutOf(row)
  }

  async function paying(
    { businessId, mode }: Scope,
    { currency, number }: { readonly currency: Currency; readonly number: number },
  ): Promise<Payout | null> {
    const [row] = await db.query<PayoutRow>(sql`
      select ${payoutColumns} from payouts
      where business_id = ${businessId} and mode = ${mode} and currency = ${currency}
        and to_entry >= ${number} - 1 and from_entry <= ${number}
      order by to_entry limit 1`)
    return row === undefined ? null : payoutOf(row)
  }

  async function list(scope: Scope, filter: PayoutFilter, page: Page): Promise<readonly Payout[]> {
    const columns = payoutColumns
    const [table, order] = [sql`payouts`, sql`payout_id desc`]
    const rows = await db.query<PayoutRow>(
      newestFirst({ columns, table, order, scope, equal: [], filter, page }),
    )
    return rows.map(payoutOf)
  }
}
