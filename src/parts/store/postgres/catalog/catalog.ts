import type { Mode } from '../../../../rules/meter/meter.ts'
import type { CatalogSnapshot } from '../../meters.ts'
import type { Scope } from '../../scope.ts'
import type { Db } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'
import type { CatalogRows } from './catalog-rows.ts'
import { catalogFrom } from './catalog-rows.ts'

/**
 * What measuring works from. One statement, and so one snapshot: with the content of another
 * version, measuring would go wrong and still pass the comparison at the commit.
 */
export async function catalogOf(
  db: Db,
  scopes: readonly Scope[],
): Promise<readonly CatalogSnapshot[]> {
  if (scopes.length === 0) return []
  const rows = await db.query<Row>(sql`
    select
      business_id, mode, catalog_version as version,
      to_jsonb(array(
        select jsonb_build_object(
          'meter_id', meter_id, 'event_name', event_name, 'aggregation', aggregation,
          'aggregation_key', aggregation_key, 'filter', filter, 'archived', archived)
        from meters as meter
        where meter.business_id = business_modes.business_id and meter.mode = business_modes.mode
        order by meter_id
      )) as meters,
      to_jsonb(array(
        select jsonb_build_object(
          'credit_entitlement_id', credit_entitlement_id, 'stretches', stretches)
        from credit_entitlements as entitlement
        where entitlement.business_id = business_modes.business_id
        and entitlement.mode = business_modes.mode
        and deleted_at is null and stretches <> '[]'
        order by credit_entitlement_id
      )) as links
    from business_modes
    where (business_id, mode) in (
      select * from unnest(
        ${scopes.map((scope) => scope.businessId)}::text[],
        ${scopes.map((scope) => scope.mode)}::text[]
      )
    )`)
  return rows.map(snapshotOf)
}

interface Row extends CatalogRows {
  readonly business_id: string
  readonly mode: Mode
  readonly version: number
}

function snapshotOf(row: Row): CatalogSnapshot {
  const { business_id: businessId, mode, version } = row
  const { meters, links } = catalogFrom(row)
  return { catalog: { businessId, mode, version, meters }, links }
}
