import type { Statement } from '../connection/sql.ts'
import { sql } from '../connection/sql.ts'

const rowsMax = 5_000

/**
 * Rows of usage that no fold of events makes, versions that differ from what they are of, and voids
 * that do not know how many rows still wait for them: such an event would count for ever, or be
 * called undone too soon. One statement, so that it sees one moment. [meters#aggregation,
 * events#voids]
 */
export const usageBent = (businessId: string | null): Statement => sql`
  select business_id, id, what
  from (${noFolds} union all ${otherFolds} union all ${otherVersions}
    union all ${miscountedVoids}) found
  where ${businessId}::text is null or business_id = ${businessId}
  order by business_id, id, what limit ${rowsMax}`

const noFolds = sql`
  select business_id, customer_id as id, format(
    'its usage of meter %s through %s from %s on (%s) is %s of %s events', meter_id, route_id,
    segment_at, aggregation, value, events) as what
  from usage
  where events < 0 or (events = 0 and value <> 0) or (aggregation = 'count' and value <> events)
    or (aggregation = 'last' and events > 0)
      <> (last_at is not null and last_received is not null and last_event_id is not null)`

/** A meter never changes how it adds up, and no segment begins before its cycle. */
const otherFolds = sql`
  select business_id, customer_id, format(
    'its usage of meter %s through %s from %s on is added up by %s in the cycle of %s, the meter by %s',
    meter_id, route_id, segment_at, u.aggregation, cycle_at, coalesce(m.aggregation, 'nothing'))
  from usage u left join meters m using (business_id, mode, meter_id)
  where u.aggregation <> m.aggregation or segment_at < cycle_at
    or u.aggregation not in ('count', 'sum', 'max', 'last')`

/**
 * The newest version of what takes usage is what takes it: a void and an explanation measure by the
 * version, and would take back other usage than was counted.
 * [machines#the-catalogue-while-it-changes]
 */
const otherVersions = sql`
  select business_id, s.customer_id, format(
    'its subscription %s takes usage by other terms than its newest version says', subscription_id)
  from route_versions v join subscriptions s using (business_id, mode, subscription_id)
  where v.replaced_at is null
    and (v.route -> 'stretches', v.route -> 'pauses') is distinct from (s.stretches, s.pauses)
  union all
  select business_id, credit_entitlement_id,
    'its default links take usage by other terms than their newest version says'
  from link_versions v join credit_entitlements e using (business_id, mode, credit_entitlement_id)
  where v.replaced_at is null
    and v.stretches <> case when e.deleted_at is null then e.stretches else '[]' end`

const miscountedVoids = sql`
  select business_id, customer_id, format(
    'its voided event %s waits for %s rows of usage, of which %s are to be folded again', event_id,
    coalesce(pending, 0), coalesce(folds, 0))
  from (select business_id, mode, customer_id, event_id, event_at, pending from voids) v
  full join (
    select business_id, mode, customer_id, event_id, event_at, count(*) as folds from void_folds
    group by 1, 2, 3, 4, 5) f using (business_id, mode, customer_id, event_id, event_at)
  where coalesce(pending, 0) <> coalesce(folds, 0)`
