import type { Stretch } from '../../../../rules/meter/route.ts'
import type { Scope } from '../../scope.ts'
import type { Db } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'
import type { StretchJson } from './stretches.ts'
import { allStretches } from './stretches.ts'

/**
 * Every stretch that subscriptions, or entitlements' default links, ever had, in order; of links
 * that are over, those under which usage was measured. A route that does not exist has none.
 */
export async function stretchesOf(
  db: Db,
  { businessId, mode }: Scope,
  routeIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Stretch[]>> {
  const rows = await db.query<RouteRow>(sql`
    select subscription_id as id, stretches, to_jsonb(array(
      select old.stretch from old_stretches as old
      where (old.business_id, old.mode, old.subscription_id)
        = (s.business_id, s.mode, s.subscription_id))) as old
    from subscriptions as s
    where business_id = ${businessId} and mode = ${mode}
    and subscription_id = any(${routeIds}::text[])
    union all
    select credit_entitlement_id, stretches, to_jsonb(array(
      select old.stretch from old_links as old
      where (old.business_id, old.mode, old.credit_entitlement_id)
        = (e.business_id, e.mode, e.credit_entitlement_id)))
    from credit_entitlements as e
    where business_id = ${businessId} and mode = ${mode}
    and credit_entitlement_id = any(${routeIds}::text[])`)
  return new Map(rows.map((row) => [row.id, allStretches(row.stretches, row.old)]))
}

interface RouteRow {
  readonly id: string
  readonly stretches: readonly StretchJson[]
  readonly old: readonly StretchJson[]
}
