import type { Mode } from '../../../../rules/meter/meter.ts'
import type { Instant } from '../../../../std/instant.ts'
import type { AllBut, Boundaries, Boundary, DueBoundary, Whose } from '../../boundaries.ts'
import type { Scope } from '../../scope.ts'
import type { Db } from '../connection/client.ts'
import { timestamptz } from '../connection/client.ts'
import type { Statement } from '../connection/sql.ts'
import { joined, sql } from '../connection/sql.ts'
import { isFoldedSoon } from '../usage/voids.ts'

export function boundaries(db: Db): Boundaries {
  return { due }

  async function due(
    upTo: Instant,
    whose: Whose | AllBut | null,
    limit: number,
  ): Promise<readonly DueBoundary[]> {
    const asked = { upTo: sql`${timestamptz(upTo)}::timestamptz`, limit }
    const branches =
      whose === null || 'except' in whose ? ofAll(asked, whose?.except ?? []) : ofOne(asked, whose)
    const rows = await db.query<Row>(sql`
      select b.*, ${waits} as waits
      from (with ${branches} order by at, rank, id limit ${limit}) b order by at, rank, id`)
    return rows.map((row) => ({ ...boundaryOf(row), waits: row.waits }))
  }
}

const waits = sql`exists (
  select from void_folds f join voids v using (business_id, mode, event_id, event_at)
  where (f.customer_id, f.business_id, f.mode) = (b.customer_id, b.business_id, b.mode)
    and ${isFoldedSoon(sql`f`)} and v.voided_at <= b.at)`

interface Asked {
  readonly upTo: Statement
  readonly limit: number
}

/** What can be due, by the table that says so. */
interface Kind {
  /** Of several boundaries at one moment those of rank 0 come first. */
  readonly rank: number
  readonly name: Statement
  readonly at: Statement
  readonly id: Statement
  /** Null: the boundary is of no account. */
  readonly entitlementId: Statement | null
  /** A function where what is due of each row of one table is looked for in another. */
  readonly from: Statement | ((due: Statement, limit: number) => Statement)
  /** Whose business, mode and customer count. */
  readonly of: Statement
  readonly holds: Statement
  /** That `at` lies before a moment, in the words of an index; absent: an index has `at` itself. */
  readonly isBefore?: (moment: Statement) => Statement
}

const keyless = { rank: 0, entitlementId: null }
const ending = {
  ...keyless,
  name: sql`case when s.expires_at < s.next_billing_date then 'subscription_end'
    else 'cycle_end' end`,
  at: sql`least(s.next_billing_date, s.expires_at)`,
  id: sql`s.subscription_id`,
  from: sql`subscriptions s`,
  of: sql`s`,
}

const kinds: readonly Kind[] = [
  // One by one, as each status has an index of its own.
  { ...ending, holds: sql`s.status = 'active'` },
  { ...ending, holds: sql`s.status = 'on_hold'` },
  {
    ...ending,
    name: sql`'renewal_retry'`,
    at: sql`s.retry_at`,
    holds: sql`s.status = 'on_hold' and s.retry_at is not null`,
  },
  {
    rank: 0,
    name: sql`'own_cycle_end'`,
    at: sql`a.own_cycle_at + interval '1 month'`,
    id: sql`a.account_id`,
    entitlementId: sql`a.entitlement_id`,
    // At the end of a month all accounts of an entitlement are due at once: the first are read.
    from: (due, limit) => sql`credit_entitlements e cross join lateral (
      select a.* from accounts a
      where (a.business_id, a.mode, a.entitlement_id)
          = (e.business_id, e.mode, e.credit_entitlement_id)
        and ${due}
      order by a.own_cycle_at limit ${limit}) a`,
    of: sql`a`,
    holds: sql`e.stretches <> '[]'`,
    // It is the first moment of a month.
    isBefore: (moment) => sql`a.own_cycle_at <= ${moment} - interval '1 month'`,
  },
  {
    ...keyless,
    name: sql`'dispute_window'`,
    at: sql`d.answer_by`,
    id: sql`d.dispute_id`,
    from: sql`disputes d`,
    of: sql`d`,
    holds: sql`d.status = 'dispute_opened'`,
  },
  {
    ...keyless,
    name: sql`'processor_news'`,
    at: sql`w.due_at`,
    id: sql`w.news_id`,
    from: sql`processor_news w`,
    of: sql`w`,
    holds: sql`true`,
  },
  {
    rank: 1,
    name: sql`'expiry'`,
    at: sql`g.expires_at`,
    id: sql`g.grant_id`,
    entitlementId: sql`a.entitlement_id`,
    from: sql`grants g join accounts a using (account_id)`,
    of: sql`a`,
    holds: sql`g.ended_at is null`,
  },
]

/**
 * Of all businesses: what is due by real time, which indexes on the moments answer however many
 * there are; and what besides is due by the clocks that run ahead, one after the other.
 */
function ofAll({ upTo, limit }: Asked, except: readonly Scope[]): Statement {
  const isAsked = (of: Statement): Statement =>
    except.length === 0
      ? sql`true`
      : sql`(${of}.business_id, ${of}.mode) not in (select * from unnest(
          ${except.map(({ businessId }) => businessId)}::text[],
          ${except.map(({ mode }) => mode)}::text[]))`
  const byRealTime = kinds.map((kind) =>
    found(kind, sql`${before(kind, upTo)} and ${isAsked(kind.of)}`, limit),
  )
  const ahead = kinds.map((kind) =>
    ofClocks(kind, sql`${kind.at} > ${upTo} and ${before(kind, sql`clock.now`)}`, limit),
  )
  const ofAhead = sql`clock_ahead_us > 0 and ${isAsked(sql`business_modes`)}`
  const clocks = clocksWhere(upTo, ofAhead)
  return sql`${clocks} ${joined([...byRealTime, ...ahead], ' union all ')}`
}

/** Of one business, or of one of its customers, by its clock. */
function ofOne({ upTo, limit }: Asked, { businessId, mode, customerId }: Whose): Statement {
  const each = kinds.map((kind) => {
    const due = before(kind, sql`clock.now`)
    const own = sql`${due} and ${kind.of}.customer_id = ${customerId ?? null}`
    return ofClocks(kind, customerId === undefined ? due : own, limit)
  })
  const clocks = clocksWhere(upTo, sql`(business_id, mode) = (${businessId}, ${mode})`)
  return sql`${clocks} ${joined(each, ' union all ')}`
}

const clocksWhere = (upTo: Statement, which: Statement): Statement => sql`clock as materialized (
  select business_id, mode, ${upTo} + clock_ahead_us * interval '1 microsecond' as now
  from business_modes where ${which})`

const before = ({ at, isBefore }: Kind, moment: Statement): Statement =>
  isBefore === undefined ? sql`${at} <= ${moment}` : isBefore(moment)

const found = (kind: Kind, due: Statement, limit: number): Statement => sql`(
  select ${kind.rank}::integer as rank, ${kind.name} as kind, ${kind.at} as at,
    ${kind.of}.business_id, ${kind.of}.mode, ${kind.of}.customer_id, ${kind.id} as id,
    ${kind.entitlementId ?? sql`null::text`} as entitlement_id
  from ${typeof kind.from === 'function' ? kind.from(due, limit) : kind.from}
  where ${kind.holds} and ${typeof kind.from === 'function' ? sql`true` : due}
  order by ${kind.at} limit ${limit})`

/** For each clock by itself, so that nothing is read where there is none. */
const ofClocks = (kind: Kind, due: Statement, limit: number): Statement => {
  const own = sql`(${kind.of}.business_id, ${kind.of}.mode) = (clock.business_id, clock.mode)`
  const each = found(kind, sql`${own} and ${due}`, limit)
  return sql`(select found.* from clock cross join lateral ${each} found)`
}

interface Row {
  readonly kind: Boundary['kind']
  readonly at: Instant
  readonly business_id: string
  readonly mode: Mode
  readonly id: string
  readonly customer_id: string
  readonly entitlement_id: string | null
  readonly waits: boolean
}

function boundaryOf(row: Row): Boundary {
  const { kind, at, business_id: businessId, mode, id } = row
  if (kind === 'cycle_end' || kind === 'subscription_end' || kind === 'renewal_retry')
    return { kind, at, scope: { businessId, mode }, subscriptionId: id }
  if (kind === 'dispute_window') return { kind, at, scope: { businessId, mode }, disputeId: id }
  if (kind === 'processor_news') return { kind, at, scope: { businessId, mode }, newsId: id }
  const key = {
    businessId,
    mode,
    customerId: row.customer_id,
    entitlementId: row.entitlement_id ?? '',
  }
  return kind === 'expiry' ? { kind, at, key, grantId: id } : { kind, at, key }
}
