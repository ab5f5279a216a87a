import { limits } from '../../../../limits.ts'
import type { Aggregation, Filter, LogTimeRange, Meter } from '../../../../rules/meter/meter.ts'
import type { Instant } from '../../../../std/instant.ts'
import { formatInstant } from '../../../../std/instant.ts'
import type { MeterChange, MeterChanged, Meters } from '../../meters.ts'
import type { Page, Scope } from '../../scope.ts'
import type { Db } from '../connection/client.ts'
import { timestamptz } from '../connection/client.ts'
import type { Statement } from '../connection/sql.ts'
import { sql } from '../connection/sql.ts'
import type { StoredRange } from '../usage/log-time.ts'
import { rangesOf, storedRange } from '../usage/log-time.ts'
import { catalogOf } from './catalog.ts'

export function meters(db: Db): Meters {
  return {
    insert,
    get,
    list,
    many,
    archive,
    unarchive,
    catalogOf: (scopes) => catalogOf(db, scopes),
  }

  /** Inserts made at the same time may exceed the bounds by a few, which are no promise. */
  async function insert(scope: Scope, meter: Meter): Promise<'inserted' | 'full'> {
    const rows = await db.query(sql`
      with there as (
        select count(*) as meters, count(*) filter (where event_name = ${meter.eventName}) as named
        from meters where business_id = ${scope.businessId} and mode = ${scope.mode}
      ), moved as (
        update business_modes set catalog_version = catalog_version + 1
        where business_id = ${scope.businessId} and mode = ${scope.mode}
        and exists (
          select from there
          where meters < ${limits.metersMax} and named < ${limits.metersPerNameMax})
        returning business_id
      )
      insert into meters (
        business_id, mode, meter_id, name, event_name, aggregation, aggregation_key, filter,
        measurement_unit, description, archived, archived_at, created_at, updated_at
      ) select
        ${scope.businessId}, ${scope.mode}, ${meter.meterId}, ${meter.name}, ${meter.eventName},
        ${meter.aggregation.type}, ${meter.aggregation.key},
        ${meter.filter === null ? null : JSON.stringify(meter.filter)}::jsonb,
        ${meter.measurementUnit}, ${meter.description},
        ${JSON.stringify(meter.archived.map(storedRange))}::jsonb,
        ${timestamptz(meter.archivedAt)}, ${timestamptz(meter.createdAt)},
        ${timestamptz(meter.updatedAt)}
      from moved
      returning meter_id`)
    return rows.length === 1 ? 'inserted' : 'full'
  }

  async function get(scope: Scope, meterId: string): Promise<Meter | null> {
    return (await many(scope, [meterId])).get(meterId) ?? null
  }

  async function many(
    { businessId, mode }: Scope,
    meterIds: readonly string[],
  ): Promise<ReadonlyMap<string, Meter>> {
    if (meterIds.length === 0) return new Map()
    const rows = await db.query<Row>(sql`
      select ${columns} from meters
      where business_id = ${businessId} and mode = ${mode} and meter_id = any(${meterIds}::text[])`)
    return new Map(rows.map((row) => [row.meter_id, meterOf(row)]))
  }

  async function list(
    { businessId, mode }: Scope,
    archived: boolean,
    page: Page,
  ): Promise<readonly Meter[]> {
    const rows = await db.query<Row>(sql`
      select ${columns} from meters
      where business_id = ${businessId} and mode = ${mode}
      and (archived_at is not null) = ${archived}
      order by created_at desc, meter_id desc
      limit ${page.limit} offset ${page.offset}`)
    return rows.map(meterOf)
  }

  function archive(scope: Scope, meterId: string, change: MeterChange): Promise<MeterChanged> {
    const open = storedRange({ from: change.logAt, to: null })
    return changed(
      scope,
      meterId,
      sql`
        archived = archived || ${JSON.stringify([open])}::jsonb,
        archived_at = ${timestamptz(change.at)},
        updated_at = greatest(${timestamptz(change.at)}::timestamptz, updated_at)
      where archived_at is null`,
    )
  }

  /** A range never ends before it began, even when the clock was set back in between. */
  function unarchive(scope: Scope, meterId: string, change: MeterChange): Promise<MeterChanged> {
    const to = formatInstant(change.logAt)
    return changed(
      scope,
      meterId,
      sql`
        archived = jsonb_set(archived, '{-1,to}',
          to_jsonb(greatest(${to}::text collate "C", archived -> -1 ->> 'from'))),
        archived_at = null,
        updated_at = greatest(${timestamptz(change.at)}::timestamptz, updated_at)
      where archived_at is not null
      and jsonb_array_length(archived) < ${limits.archivedRangesMax}`,
    )
  }

  async function changed(
    { businessId, mode }: Scope,
    meterId: string,
    change: Statement,
  ): Promise<MeterChanged> {
    const [row] = await db.query<{ changed: boolean; full: boolean }>(sql`
      with changed as (
        update meters set ${change}
        and business_id = ${businessId} and mode = ${mode} and meter_id = ${meterId}
        returning meter_id
      ), moved as (
        update business_modes set catalog_version = catalog_version + 1
        where business_id = ${businessId} and mode = ${mode} and exists (select from changed)
      )
      select exists (select from changed) as changed,
        archived_at is not null and jsonb_array_length(archived) >= ${limits.archivedRangesMax}
          as full
      from meters
      where business_id = ${businessId} and mode = ${mode} and meter_id = ${meterId}`)
    if (row === undefined) return 'unknown'
    if (row.changed) return 'changed'
    return row.full ? 'full' : 'unchanged'
  }
}

interface Row {
  readonly meter_id: string
  readonly name: string
  readonly event_name: string
  readonly aggregation: Aggregation['type']
  readonly aggregation_key: string | null
  readonly filter: Filter | null
  readonly measurement_unit: string
  readonly description: string | null
  readonly archived: readonly StoredRange[]
  readonly archived_at: Instant | null
  readonly created_at: Instant
  readonly updated_at: Instant
}

const columns = sql`
  meter_id, name, event_name, aggregation, aggregation_key, filter, measurement_unit, description,
  archived, archived_at, created_at, updated_at`

function meterOf(row: Row): Meter {
  const archived: readonly LogTimeRange[] = rangesOf(row.archived)
  return {
    meterId: row.meter_id,
    name: row.name,
    eventName: row.event_name,
    aggregation: { type: row.aggregation, key: row.aggregation_key },
    filter: row.filter,
    measurementUnit: row.measurement_unit,
    description: row.description,
    archived,
    archivedAt: row.archived_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
