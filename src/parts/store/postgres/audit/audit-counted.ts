import type { AggregationType, Mode } from '../../../../rules/meter/meter.ts'
import type { Instant } from '../../../../std/instant.ts'
import type { CountedRow } from '../../audit.ts'
import type { UsageSource } from '../../voids.ts'
import type { Db } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'

export async function countedSourcesOf(
  db: Db,
  businessId: string | null,
  most: number,
): Promise<readonly UsageSource[]> {
  return await db.query<UsageSource>(sql`
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

/**
 * An event comes in no more than five minutes before its own time, which a test clock may have
 * carried ahead of ours; a day more is for clocks that were wrong.
 */
export async function countedRowsOf(
  db: Db,
  { businessId, customerId, eventName, mode }: UsageSource,
): Promise<readonly CountedRow[]> {
  const rows = await db.query<Row>(sql`
    select u.route_id, u.entitlement_id, u.meter_id, u.segment_at, u.log_hour, u.aggregation,
      u.events, u.value::text as value,
      not u.sealed and not exists (
        select from void_folds w
        where (w.customer_id, w.route_id, w.meter_id, w.entitlement_id, w.segment_at, w.log_hour,
            w.business_id, w.mode)
          = (u.customer_id, u.route_id, u.meter_id, u.entitlement_id, u.segment_at, u.log_hour,
            u.business_id, u.mode))
        and coalesce(kept.since + interval '1 day' <= u.segment_at
          - (b.clock_ahead_us * interval '1 microsecond'), true) as is_whole,
      exists (
        select from subscriptions s
        where (s.business_id, s.mode, s.customer_id) = (u.business_id, u.mode, u.customer_id)
          and s.activated_at is not null) as is_routed
    from usage u
    join meters m using (business_id, mode, meter_id)
    join business_modes b using (business_id, mode)
    cross join (
      select max(log_from) filter (where start_offset > 0) as since
      from (
        select distinct on (partition) start_offset, log_from from archive_blocks
        order by partition, start_offset) first) kept
    where (u.business_id, u.mode, u.customer_id, m.event_name)
      = (${businessId}, ${mode}, ${customerId}, ${eventName})
    order by u.route_id, u.meter_id, u.entitlement_id, u.segment_at, u.log_hour`)
  return rows.map((row) => ({
    businessId,
    mode: mode as Mode,
    customerId,
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
  }))
}

interface Row {
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
