import { limits } from '../../../../limits.ts'
import type { Subscription } from '../../../../rules/commerce/subscriptions/subscription.ts'
import type { MeasuredUsage } from '../../../../rules/commerce/subscriptions/usage-history.ts'
import type { Duration } from '../../../../std/instant.ts'
import type { Page, Scope } from '../../scope.ts'
import type { SubscriptionFilter, Subscriptions } from '../../subscriptions.ts'
import type { Db } from '../connection/client.ts'
import { timestamptz } from '../connection/client.ts'
import { joined, sql } from '../connection/sql.ts'
import { closedTo } from './closed-to.ts'
import { stretchesOf } from './route-stretches.ts'
import type { SegmentUsageRow, SubscriptionRow } from './subscription-rows.ts'
import { measuredFrom, subscriptionOf } from './subscription-rows.ts'

/** `openFor`: how long after its time an event may still be measured. */
export function subscriptions(db: Db, openFor: Duration = limits.sealAfter): Subscriptions {
  return {
    usageOf,
    closedTo: (scope) => closedTo(db, scope, openFor),
    stretches: async (scope, id) => (await stretchesOf(db, scope, [id])).get(id) ?? [],
    find,
    list,
  }

  async function usageOf(
    scope: Scope,
    { customerId, subscriptionId }: { customerId: string; subscriptionId: string },
  ): Promise<readonly MeasuredUsage[]> {
    const rows = await db.query<SegmentUsageRow>(sql`
      select meter_id, entitlement_id, cycle_at, segment_at, aggregation, events, value,
        last_at, last_received, last_event_id
      from usage
      where (customer_id, route_id, business_id, mode)
        = (${customerId}, ${subscriptionId}, ${scope.businessId}, ${scope.mode})`)
    return rows.map(measuredFrom)
  }

  async function find(scope: Scope, id: string): Promise<Subscription | null> {
    const [row] = await db.query<SubscriptionRow>(sql`
      select * from subscriptions
      where (business_id, mode, subscription_id) = (${scope.businessId}, ${scope.mode}, ${id})`)
    return row === undefined ? null : subscriptionOf(row)
  }

  async function list(
    scope: Scope,
    filter: SubscriptionFilter,
    page: Page,
  ): Promise<readonly Subscription[]> {
    const { brandId, customerId, productId, status, cancelling, createdFrom, createdTo } = filter
    const conditions = [
      sql`(business_id, mode) = (${scope.businessId}, ${scope.mode})`,
      ...(brandId === null ? [] : [sql`brand_id = ${brandId}`]),
      ...(customerId === null ? [] : [sql`customer_id = ${customerId}`]),
      ...(productId === null ? [] : [sql`product_id = ${productId}`]),
      ...(status === null ? [] : [sql`status = ${status}`]),
      ...(cancelling === null
        ? []
        : [sql`(details -> 'cancellation' ->> 'scheduled')::boolean = ${cancelling}`]),
      ...(createdFrom === null ? [] : [sql`created_at >= ${timestamptz(createdFrom)}`]),
      ...(createdTo === null ? [] : [sql`created_at <= ${timestamptz(createdTo)}`]),
    ]
    const rows = await db.query<SubscriptionRow>(sql`
      select * from subscriptions where ${joined(conditions, ' and ')}
      order by created_at desc, subscription_id desc
      limit ${page.limit} offset ${page.offset}`)
    return rows.map(subscriptionOf)
  }
}
