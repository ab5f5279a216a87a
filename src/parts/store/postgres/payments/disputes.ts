import type { Dispute } from '../../../../rules/commerce/disputes/dispute.ts'
import type { Mode } from '../../../../rules/meter/meter.ts'
import type { DisputeFilter, Disputes } from '../../disputes.ts'
import type { Page, Scope } from '../../scope.ts'
import type { Db } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'
import type { DisputeRow } from './dispute-rows.ts'
import { disputeColumns, disputeOf } from './dispute-rows.ts'
import { newestFirst } from './newest-first.ts'

export function disputes(db: Db): Disputes {
  return { get, find, ofPayment, list }

  async function get({ businessId, mode }: Scope, disputeId: string): Promise<Dispute | null> {
    const [row] = await db.query<DisputeRow>(sql`
      select ${disputeColumns} from disputes
      where business_id = ${businessId} and mode = ${mode} and dispute_id = ${disputeId}`)
    return row === undefined ? null : disputeOf(row)
  }

  async function find(disputeId: string) {
    const [row] = await db.query<DisputeRow & { business_id: string; mode: Mode }>(sql`
      select business_id, mode, ${disputeColumns} from disputes where dispute_id = ${disputeId}`)
    if (row === undefined) return null
    return { businessId: row.business_id, mode: row.mode, dispute: disputeOf(row) }
  }

  async function ofPayment({ businessId, mode }: Scope, paymentId: string) {
    const rows = await db.query<DisputeRow>(sql`
      select ${disputeColumns} from disputes
      where business_id = ${businessId} and mode = ${mode} and payment_id = ${paymentId}
      order by created_at desc, dispute_id desc`)
    return rows.map(disputeOf)
  }

  async function list(
    scope: Scope,
    filter: DisputeFilter,
    page: Page,
  ): Promise<readonly Dispute[]> {
    const equal = [
      [sql`customer_id`, filter.customerId],
      [sql`status`, filter.status],
      [sql`stage`, filter.stage],
    ] as const
    const columns = disputeColumns
    const [table, order] = [sql`disputes`, sql`dispute_id desc`]
    const rows = await db.query<DisputeRow>(
      newestFirst({ columns, table, order, scope, equal, filter, page }),
    )
    return rows.map(disputeOf)
  }
}
