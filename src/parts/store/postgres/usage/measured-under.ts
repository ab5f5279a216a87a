import type { MeasuredUnder } from '../../../../rules/meter/void.ts'
import type { MeasuredVersions, UsageSource } from '../../voids.ts'
import type { CatalogRows } from '../catalog/catalog-rows.ts'
import { catalogFrom } from '../catalog/catalog-rows.ts'
import type { RouteJson } from '../catalog/routes.ts'
import { routeFrom } from '../catalog/routes.ts'
import type { Db } from '../connection/client.ts'
import type { Statement } from '../connection/sql.ts'
import { sql } from '../connection/sql.ts'

/**
 * What measuring worked from at a version: each thing as the last change up to that version left
 * it.
 */
export async function measuredUnder(
  db: Db,
  source: UsageSource,
  versions: MeasuredVersions,
): Promise<MeasuredUnder> {
  const [row] = await db.query<Row>(sql`
    select
      ${metersAt(source, versions.catalog)} as meters,
      ${linksAt(source, versions.catalog)} as links,
      ${routesAt(source, versions.routeMark)} as routes`)
  if (row === undefined) throw new Error('A select without a row.')
  return { ...catalogFrom(row), routes: row.routes.map(routeFrom) }
}

/** A meter that was created later has no version up to this one, and so is left out. */
const metersAt = ({ businessId, mode, eventName }: UsageSource, version: number): Statement => sql`
  to_jsonb(array(
    select jsonb_build_object(
      'meter_id', m.meter_id, 'event_name', m.event_name, 'aggregation', m.aggregation,
      'aggregation_key', m.aggregation_key, 'filter', m.filter, 'archived', v.archived)
    from meters m
    join lateral (
      select archived from meter_versions v
      where (v.business_id, v.mode, v.meter_id) = (m.business_id, m.mode, m.meter_id)
        and v.version <= ${version}
      order by v.version desc limit 1) v on true
    where (m.business_id, m.mode, m.event_name) = (${businessId}, ${mode}, ${eventName})
    order by m.meter_id
  ))`

const linksAt = ({ businessId, mode }: UsageSource, version: number): Statement => sql`
  to_jsonb(array(
    select jsonb_build_object(
      'credit_entitlement_id', credit_entitlement_id, 'stretches', stretches)
    from (
      select distinct on (credit_entitlement_id) credit_entitlement_id, stretches
      from link_versions
      where (business_id, mode) = (${businessId}, ${mode}) and version <= ${version}
      order by credit_entitlement_id, version desc
    ) linked
    where stretches <> '[]'
    order by credit_entitlement_id
  ))`

/**
 * The mark holds only a part of the version; the newest version supplies the rest
 * (rules/meter/route-mark.ts).
 */
const routesAt = ({ businessId, mode, customerId }: UsageSource, mark: number): Statement => sql`
  to_jsonb(array(
    select route || jsonb_build_object('route_id', subscription_id)
    from (
      select distinct on (v.subscription_id) v.subscription_id, v.route
      from customers c
      join route_versions v using (business_id, mode, customer_id)
      where (c.business_id, c.mode, c.customer_id) = (${businessId}, ${mode}, ${customerId})
        and ${mark}::integer > 0
        and v.version <= c.routes_version - (c.routes_version - ${mark}::integer) % 65535
      order by v.subscription_id, v.version desc
    ) routed
    where route ->> 'activated_at' is not null
    order by subscription_id
  ))`

interface Row extends CatalogRows {
  readonly routes: readonly RouteJson[]
}
