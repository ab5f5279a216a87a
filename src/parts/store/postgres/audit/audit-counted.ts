import type { AggregationType, Mode } from '../../../../rules/meter/meter.ts'
import type { Instant } from '../../../../std/instant.ts'
import type { Audit, CountedRow } from '../../audit.ts'
import type { UsageSource } from '../../voids.ts'
import type { Db } from '../connection/client.ts'
import { timestamptz } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'

type Counted = Pick<Audit, 'archivedSince' | 'countedRows' | 'countedSources'>

/** Usage beside the events that it is made of. */
export function auditCounted(db: Db): Counted {
  return { countedSources, archivedSince, countedRows }

  function countedSources(businessId: string | null, most: number) {
    return db.query<UsageSource>(sql`
      select m.business_id as "businessId", m.mode, picked.customer_id as "customerId",
        m.event_name as "eventName"
      from (
        select business_id, mode, customer_id, meter_id from usage
        where not sealed and (${businessId}::text is null or business_id = ${businessId})
        order by random() limit ${most}) picked
      join meters m using (business_id, mode, meter_id)
      group by 1, 2, 3, 4
      order by random()`)
  }

  /** A partition without blocks has had some, if anything of it was archived. */
  async function archivedSince(): Promise<Instant | null> {
    const [row] = await db.query<{ since: Instant | null }>(sql`
      select max(coalesce(first.log_from, archived.log_at)) as since
      from archive_checkpoints archived
      left join (
        select distinct on (partition) partition, start_offset, log_from from archive_blocks
        order by partition, start_offset) first using (partition)
      where archived.next_offset > 0 and first.start_offset is distinct from 0`)
    return row?.since ?? null
  }

  /**
   * An event comes in no more than five minutes before its own time, which a test clock may have
   * carried ahead of ours; a day more is for clocks that were wrong.
   */
  async function countedRows(sources: readonly UsageSource[], since: Instant | null) {
    const rows = await db.query<Row>(sql`
      select u.business_id, u.mode, u.customer_id, m.event_name, u.route_id, u.entitlement_id,
        u.meter_id, u.segment_at, u.log_hour, u.aggregation, u.events, u.value::text as value,
        not u.sealed and not exists (
          select from void_folds w
          where (w.customer_id, w.route_id, w.meter_id, w.entitlement_id, w.segment_at, w.log_hour,
              w.business_id, w.mode)
            = (u.customer_id, u.route_id, u.meter_id, u.entitlement_id, u.segment_at, u.log_hour,
              u.business_id, u.mode))
          and coalesce(${timestamptz(since)}::timestamptz + interval '1 day'
            <= u.segment_at - b.clock_ahead_us * interval '1 microsecond', true) as is_whole,
        exists (
          select from subscriptions s
          where (s.business_id, s.mode, s.customer_id) = (u.business_id, u.mode, u.customer_id)
            and s.activated_at is not null) as is_routed
      from jsonb_to_recordset(${JSON.stringify(sources)}::jsonb)
        k ("businessId" text, mode text, "customerId" text, "eventName" text)
      join usage u
        on (u.customer_id, u.business_id, u.mode) = (k."customerId", k."businessId", k.mode)
      join meters m
        on (m.business_id, m.mode, m.meter_id) = (u.business_id, u.mode, u.meter_id)
          and m.event_name = k."eventName"
      join business_modes b on (b.business_id, b.mode) = (u.business_id, u.mode)
      order by u.customer_id, u.route_id, u.meter_id, u.entitlement_id, u.segment_at, u.log_hour`)
    return rows.map(rowOf)
  }
}

interface Row {
  readonly business_id: string
  readonly mode: Mode
  readonly customer_id: string
  readonly event_name: string
  readonly route_id: string
  readonly entitlement_id: string
  readonly meter_id: string
  readonly segment_at: Instant
  readonly log_hour: number
  readonly aggregation: AggregationType
  readonly events: number
  readonly value: string
  readonly is_whole: boolean
  readonly is_routed: boolean
}

const rowOf = (row: Row): CountedRow => ({
  businessId: row.business_id,
  mode: row.mode,
  customerId: row.customer_id,
  eventName: row.event_name,
  routeId: row.route_id,
  entitlementId: row.entitlement_id === '' ? null : row.entitlement_id,
  meterId: row.meter_id,
  segmentAt: row.segment_at,
  logHour: row.log_hour,
  aggregation: row.aggregation,
  events: row.events,
  value: row.value,
  isWhole: row.is_whole,
  isRouted: row.is_routed,
})
