import type { RefundedPurchase } from '../../../../rules/accounts/take-back.ts'
import type { Payment } from '../../../../rules/commerce/payments/payment.ts'
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
  return { get, find, ofPayment, toWallet, list, creditedBy }

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

  async function toWallet(
    { businessId, mode }: Scope,
    { customerId, paymentId }: Pick<Payment, 'customerId' | 'paymentId'>,
  ): Promise<number> {
    const [row] = await db.query<{ amount: number }>(sql`
      select coalesce(sum(amount), 0)::bigint as amount from wallet_entries
      where business_id = ${businessId} and mode = ${mode} and customer_id = ${customerId}
        and event_type = 'refund' and reference_id in (
          select refund_id from refunds
          where business_id = ${businessId} and mode = ${mode} and payment_id = ${paymentId})`)
    return row?.amount ?? 0
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
  ): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const rows = await db.query<{ entitlement_id: string; grant_ids: string[] }>(sql`
      with recursive brought as (
        select g.account_id, a.entitlement_id, g.grant_id, g.ended_at
        from accounts a join grants g using (account_id)
        where a.business_id = ${businessId} and a.mode = ${mode} and a.customer_id = ${customerId}
          and case g.source_type
            when 'one_time' then g.source_id = ${paymentId}
            when 'subscription' then g.source_id = ${subscriptionId}
              and g.created_at = ${timestamptz(paidAt)}
          end
        union all
        select g.account_id, b.entitlement_id, g.grant_id, g.ended_at
        from brought b
        join grants g on g.account_id = b.account_id and g.parent_grant_id = b.grant_id)
      select entitlement_id, array_agg(grant_id) as grant_ids
      from brought group by entitlement_id having bool_or(ended_at is null)
      order by entitlement_id`)
    return new Map(rows.map((row) => [row.entitlement_id, new Set(row.grant_ids)]))
  }
}
