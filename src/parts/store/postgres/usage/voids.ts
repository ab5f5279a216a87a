import { limits } from '../../../../limits.ts'
import type { Owner } from '../../../../rules/archive/line.ts'
import type { Fold } from '../../../../rules/meter/fold.ts'
import type { AggregationType, Mode } from '../../../../rules/meter/meter.ts'
import type { UsageDelta, UsageKey } from '../../../../rules/meter/usage-delta.ts'
import { eventIdOf, eventKey } from '../../../../rules/meter/void.ts'
import { formatDecimal } from '../../../../std/decimal.ts'
import type { Instant } from '../../../../std/instant.ts'
import { after, hour, instantOf } from '../../../../std/instant.ts'
import type {
  DueFold,
  EventName,
  FoldState,
  NewVoid,
  Void,
  VoidOutcome,
  Voids,
} from '../../voids.ts'
import { eventNameText } from '../../voids.ts'
import { stretchesOf } from '../catalog/route-stretches.ts'
import type { Db } from '../connection/client.ts'
import { timestamptz } from '../connection/client.ts'
import type { Statement } from '../connection/sql.ts'
import { sql } from '../connection/sql.ts'
import { instantFrom } from '../connection/values.ts'
import { measuredUnder } from './measured-under.ts'

export function voids(db: Db): Voids {
  return {
    find,
    ofCustomer,
    under: (source, versions) => measuredUnder(db, source, versions),
    stretches: (owner, routeIds) => stretchesOf(db, owner, routeIds),
    record,
    due,
    areFolding,
    state,
    foldAgain,
  }

  async function find(
    { businessId, mode }: Owner,
    events: readonly EventName[],
  ): Promise<ReadonlyMap<string, Void>> {
    if (events.length === 0) return new Map()
    const rows = await db.query<VoidRow>(sql`
      select v.event_id, v.event_at, v.reason, v.voided_at, v.pending
      from jsonb_to_recordset(${JSON.stringify(events.map(nameJson))}::jsonb)
        k (event_id text, event_at timestamptz)
      join voids v using (event_id, event_at)
      where (v.business_id, v.mode) = (${businessId}, ${mode})`)
    return voidsOf(rows)
  }

  async function ofCustomer(
    { businessId, mode }: Owner,
    customerId: string,
  ): Promise<ReadonlyMap<string, Void>> {
    const rows = await db.query<VoidRow>(sql`
      select event_id, event_at, reason, voided_at, pending
      from voids
      where (business_id, mode, customer_id) = (${businessId}, ${mode}, ${customerId})`)
    return voidsOf(rows)
  }

  async function record(owner: Owner, voiding: NewVoid): Promise<VoidOutcome> {
    const [row] = await db.query<{ outcome: VoidOutcome }>(sql`
      select void_event(
        ${voidJson(owner, voiding)}::jsonb,
        ${JSON.stringify(voiding.usage.map(undoneJson))}::jsonb,
        ${JSON.stringify(accountsOf(voiding.usage))}::jsonb) as outcome`)
    if (row === undefined) throw new Error('void_event() answered nothing.')
    return row.outcome
  }

  /** A fold is claimed by moving `due_at`: a process that dies with a claim has only delayed it. */
  async function due(max: number): Promise<readonly DueFold[]> {
    const rows = await db.query<DueRow>(sql`
      with claimed as (
        update void_folds set
          tries = tries + 1,
          due_at = now() + least(2 ^ least(tries, 10), 60) * interval '1 second'
        where ctid in (
          select ctid from void_folds
          -- No pause is that long: it was written while the clock was ahead.
          where due_at <= now() or due_at > now() + interval '10 minutes'
          order by due_at limit ${max} for update skip locked)
        returning *
      )
      select business_id, mode, customer_id, route_id, entitlement_id, meter_id, segment_at,
        log_hour, max(tries) - 1 as tries
      from claimed
      group by business_id, mode, customer_id, route_id, entitlement_id, meter_id, segment_at,
        log_hour`)
    return rows.map(dueOf)
  }

  async function areFolding({ businessId, mode }: Owner): Promise<boolean> {
    const [row] = await db.query<{ folding: boolean }>(sql`
      select exists (
        select from void_folds
        where (business_id, mode) = (${businessId}, ${mode}) and ${isFoldedSoon(sql`void_folds`)}
      ) as folding`)
    return row?.folding === true
  }

  async function state(key: UsageKey): Promise<FoldState | null> {
    const from = instantOf(key.logHour * hour)
    const [row] = await db.query<StateRow>(sql`
      select u.aggregation, u.events, m.event_name,
        (
          select coalesce(jsonb_agg(jsonb_build_object(
            'event_id', w.event_id, 'event_at', w.event_at)), '[]')
          from void_folds w where ${isRow(sql`w`, key)}
        ) as pending,
        (
          select coalesce(jsonb_agg(jsonb_build_object(
            'event_id', v.event_id, 'event_at', v.event_at)), '[]')
          from voids v
          where (v.business_id, v.mode, v.customer_id) = (u.business_id, u.mode, u.customer_id)
            and v.received_at >= ${timestamptz(from)}
            and v.received_at < ${timestamptz(after(from, hour))}
        ) as voided
      from usage u join meters m using (business_id, mode, meter_id)
      where ${isRow(sql`u`, key)}`)
    if (row === undefined || row.pending.length === 0) return null
    return {
      aggregation: row.aggregation,
      eventName: row.event_name,
      events: row.events,
      pending: row.pending.map(nameFrom),
      voided: new Set(row.voided.map(nameFrom).map(eventNameText)),
    }
  }

  async function foldAgain(key: UsageKey, was: FoldState, fold: Fold): Promise<boolean> {
    const put = { ...keyJson(key), expected: was.events, ...foldJson(fold) }
    const [row] = await db.query<{ folded: boolean }>(sql`
      select fold_again(
        ${JSON.stringify(put)}::jsonb,
        ${JSON.stringify(was.pending.map(nameJson))}::jsonb) as folded`)
    return row?.folded === true
  }
}

/** Pauses double between tries: so many are over after two minutes. */
const soonTries = 7

/** Whether a row of `void_folds` is to be folded in a moment. */
export const isFoldedSoon = (of: Statement): Statement => sql`${of}.tries <= ${soonTries}`

const isRow = (of: Statement, key: UsageKey): Statement => sql`
  (${of}.customer_id, ${of}.route_id, ${of}.meter_id, ${of}.entitlement_id, ${of}.segment_at,
    ${of}.log_hour, ${of}.business_id, ${of}.mode)
  = (${key.customerId}, ${key.routeId}, ${key.meterId}, ${key.entitlementId ?? ''},
    ${timestamptz(key.segmentAt)}::timestamptz, ${key.logHour}::integer,
    ${key.businessId}, ${key.mode})`

interface VoidRow {
  readonly event_id: string
  readonly event_at: Instant
  readonly reason: string
  readonly voided_at: Instant
  readonly pending: number
}

const voidsOf = (rows: readonly VoidRow[]): ReadonlyMap<string, Void> =>
  new Map(
    rows.map((row) => [
      eventNameText(nameOf(row)),
      { reason: row.reason, at: row.voided_at, pending: row.pending > 0 },
    ]),
  )

const nameOf = (row: Pick<VoidRow, 'event_id' | 'event_at'>): EventName => ({
  eventId: eventIdOf(row.event_id),
  timestamp: row.event_at,
})

interface DueRow {
  readonly business_id: string
  readonly mode: Mode
  readonly customer_id: string
  readonly route_id: string
  readonly entitlement_id: string
  readonly meter_id: string
  readonly segment_at: Instant
  readonly log_hour: number
  readonly tries: number
}

const dueOf = (row: DueRow): DueFold => ({
  businessId: row.business_id,
  mode: row.mode,
  customerId: row.customer_id,
  routeId: row.route_id,
  entitlementId: row.entitlement_id === '' ? null : row.entitlement_id,
  meterId: row.meter_id,
  segmentAt: row.segment_at,
  logHour: row.log_hour,
  tries: row.tries,
})

interface StateRow {
  readonly aggregation: AggregationType
  readonly events: number
  readonly event_name: string
  readonly pending: readonly NameJson[]
  readonly voided: readonly NameJson[]
}

interface NameJson {
  readonly event_id: string
  readonly event_at: string
}

const nameJson = ({ eventId, timestamp }: EventName) => ({
  event_id: eventKey(eventId),
  event_at: timestamptz(timestamp),
})

const nameFrom = (name: NameJson): EventName => ({
  eventId: eventIdOf(name.event_id),
  timestamp: instantFrom(name.event_at),
})

const voidJson = ({ businessId, mode }: Owner, voiding: NewVoid): string =>
  JSON.stringify({
    business_id: businessId,
    mode,
    clock_ahead: voiding.clockAhead,
    ...nameJson(voiding),
    customer_id: voiding.customerId,
    reason: voiding.reason,
    received_at: timestamptz(voiding.receivedAt),
    voided_at: timestamptz(voiding.at),
  })

const keyJson = (key: UsageKey) => ({
  business_id: key.businessId,
  mode: key.mode,
  customer_id: key.customerId,
  route_id: key.routeId,
  entitlement_id: key.entitlementId ?? '',
  meter_id: key.meterId,
  segment_at: timestamptz(key.segmentAt),
  log_hour: key.logHour,
})

const foldJson = ({ events, value, last }: Fold) => ({
  events,
  value: formatDecimal(value, limits.usageScale),
  last_at: timestamptz(last?.at ?? null),
  last_received: timestamptz(last?.received ?? null),
  last_event_id: last?.eventId ?? null,
})

const undoneJson = (delta: UsageDelta) => ({
  ...keyJson(delta),
  cycle_at: timestamptz(delta.cycleAt),
  aggregation: delta.aggregation,
  value: formatDecimal(delta.fold.value, limits.usageScale),
})

/**
 * Accounts whose usage changes at once. Those with max and last change when these are folded again.
 */
function accountsOf(usage: readonly UsageDelta[]) {
  const accounts = usage
    .filter(({ aggregation }) => aggregation === 'count' || aggregation === 'sum')
    .flatMap(({ businessId, mode, customerId, entitlementId }) =>
      entitlementId === null ? [] : [{ businessId, mode, customerId, entitlementId }],
    )
  const distinct = new Map(accounts.map((account) => [account.entitlementId, account]))
  return [...distinct.values()].map((account) => ({
    business_id: account.businessId,
    mode: account.mode,
    customer_id: account.customerId,
    entitlement_id: account.entitlementId,
  }))
}
