import type { RefundedPurchase } from '../../../../rules/accounts/take-back.ts'
import type { Refund } from '../../../../rules/commerce/refunds/refund.ts'
import type { Mode } from '../../../../rules/meter/meter.ts'
import type { RefundFilter, Refunds } from '../../refunds.ts'
import type { CustomerKey, Page, Scope } from '../../scope.ts'
import type { Db } from '../connection/client.ts'
import { timestamptz } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'
import { newestFirst } from './newest-first.ts'
import type { RefundRow } from './refund-rows.ts'
import { refundColumns, refundOf } from './refund-rows.ts'

export function refunds(db: Db): Refunds {
  return { get, find, ofPayment, list, creditedBy }

  async function get({ businessId, mode }: Scope, refundId: string): Promise<Refund | null> {
    const [row] = await db.query<RefundRow>(sql`
      select ${refundColumns} from refunds
      where business_id = ${businessId} and mode = ${mode} and refund_id = ${refundId}`)
    return row === undefined ? null : refundOf(row)
  }

  async function find(refundId: string) {
    const [row] = await db.query<RefundRow & { business_id: string; mode: Mode }>(sql`
      select business_id, mode, ${refundColumns} from refunds where refund_id = ${refundId}`)
    if (row === undefined) return null
    return { businessId: row.business_id, mode: row.mode, refund: refundOf(row) }
  }

  async function ofPayment({ businessId, mode }: Scope, paymentId: string) {
    const rows = await db.query<RefundRow>(sql`
      select ${refundColumns} from refunds
      where business_id = ${businessId} and mode = ${mode} and payment_id = ${paymentId}
      order by created_at desc, refund_id desc`)
    return rows.map(refundOf)
  }

  async function list(scope: Scope, filter: RefundFilter, page: Page): Promise<readonly Refund[]> {
    const equal = [
      [sql`customer_id`, filter.customerId],
      [sql`subscription_id`, filter.subscriptionId],
      [sql`status`, filter.status],
    ] as const
    const columns = refundColumns
    const [table, order] = [sql`refunds`, sql`refund_id desc`]
    const rows = await db.query<RefundRow>(
      newestFirst({ columns, table, order, scope, equal, filter, page }),
    )
    return rows.map(refundOf)
  }

  async function creditedBy(
    { businessId, mode, customerId }: CustomerKey,
    { paymentId, subscriptionId, paidAt }: RefundedPurchase,
  ): Promise<readonly string[]> {
    const rows = await db.query<{ entitlement_id: string }>(sql`
      select distinct a.entitlement_id
      from accounts a join grants g using (account_id)
      where a.business_id = ${businessId} and a.mode = ${mode} and a.customer_id = ${customerId}
        and g.ended_at is null
        and case g.source_type
          when 'one_time' then g.source_id = ${paymentId}
          when 'subscription' then g.source_id = ${subscriptionId}
            and g.created_at = ${timestamptz(paidAt)}
        end
      order by a.entitlement_id`)
    return rows.map((row) => row.entitlement_id)
  }
}
