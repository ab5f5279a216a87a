import type { ClaimOptions } from '../../deliveries.ts'
import { timestamptz } from '../connection/client.ts'
import type { Statement } from '../connection/sql.ts'
import { sql } from '../connection/sql.ts'

/** Rate-limited attempts are claimed so far ahead of their turn, and wait for it in the process. */
const paceAheadMs = 250

// A little slower than the limit, since a network may bring two attempts closer together than they
// left.
const secondMs = 1_020

/**
 * The least time between two turns that the store's times can tell apart. A limit above a million a
 * second would make it nothing, and nobody's claims could be divided by it.
 */
const stepMs = 0.001

/** A moment that lies so far ahead of the store's clock was written while that clock was wrong. */
const aheadMs = 60_000

/**
 * Claims due deliveries, endpoint by endpoint.
 *
 * Rows are updated by ctid and bodies are read one by one: by key, a planner without fresh
 * statistics reads both tables whole (100 ms instead of 5 at 200 000 pending). The ctids cannot
 * change because the rows are locked.
 */
export function claimStatement(options: ClaimOptions): Statement {
  const { at, limit, leaseMs } = options
  return sql`
    with recursive pending as (${pending}), ${free(options)}, ${paced}, ${ready}, due as (
      select found.spot
      from ready cross join lateral (
        select deliveries.ctid as spot from deliveries
        where deliveries.webhook_id = ready.webhook_id
        and deliveries.next_at <= ${timestamptz(at)}::timestamptz
        and ${unclaimed(leaseMs)}
        order by next_at
        limit ready.places
        for update skip locked
      ) as found
      limit ${limit}::integer
    ), taken as (
      update deliveries
      set claimed_until = now() + ${leaseMs}::float8 * interval '1 millisecond'
      where ctid = any (array(select spot from due))
      returning message_id, webhook_id, attempts, next_at, schedule_start, sequence, previous
    ), numbered as (
      select taken.*, row_number() over (partition by webhook_id order by next_at) as place
      from taken
    ), ${moved}
    select numbered.message_id, numbered.webhook_id, ready.mode, numbered.attempts + 1 as attempt,
      numbered.schedule_start, numbered.sequence, numbered.previous,
      coalesce(greatest(0, 1000 * extract(epoch from
        ready.turn + (numbered.place - 1) * ready.step - now())), 0)::integer as wait_ms,
      message.body, message.test,
      ready.url, ready.secret, ready.former_secrets, ready.headers
    from numbered join ready using (webhook_id) cross join lateral (
      select body, test from messages where message_id = numbered.message_id offset 0
    ) as message
    order by numbered.next_at`
}

/**
 * Each endpoint with pending deliveries, and when its first one is due. Steps through the index,
 * one step per endpoint (a "loose scan"), because a plain `order by next_at limit n` would read
 * past the whole backlog of a slow endpoint before it finds another's.
 */
const pending = sql`
  (
    select webhook_id, business_id, mode, next_at from deliveries
    where next_at is not null order by webhook_id, next_at limit 1
  )
  union all
  select following.webhook_id, following.business_id, following.mode, following.next_at
  from pending cross join lateral (
    select webhook_id, business_id, mode, next_at from deliveries
    where next_at is not null and deliveries.webhook_id > pending.webhook_id
    order by webhook_id, next_at limit 1
  ) as following`

/** Live endpoints with something due, and how many more attempts each may have under way. */
const free = ({ at, perEndpoint, underWay }: ClaimOptions): Statement => sql`
  under_way as (
    select * from unnest(
      ${[...underWay.keys()]}::text[], ${[...underWay.values()]}::integer[]
    ) as under_way (webhook_id, attempts)
  ), free as (
    select endpoint.*, ${perEndpoint}::integer - coalesce(under_way.attempts, 0) as room
    from pending
    join webhook_endpoints as endpoint using (business_id, mode, webhook_id)
    left join under_way using (webhook_id)
    where pending.next_at <= ${timestamptz(at)}::timestamptz
    and not endpoint.disabled and endpoint.deleted_at is null
    and coalesce(under_way.attempts, 0) < ${perEndpoint}::integer
  )`

const isAhead = sql`paced_until > now() + ${aheadMs}::float8 * interval '1 millisecond'`

/**
 * Rate-limited endpoints whose next turn is near. Only these are locked: their pace is kept in the
 * store, so that the limit holds for the endpoint and not for each process.
 */
const paced = sql`
  paced as (
    select endpoint.webhook_id,
      case when ${isAhead} then now() else greatest(endpoint.paced_until, now()) end as turn,
      make_interval(
        secs => greatest(${secondMs}::float8 / endpoint.rate_limit, ${stepMs}::float8) / 1000
      ) as step
    from webhook_endpoints as endpoint
    where (business_id, mode, webhook_id) in (select business_id, mode, webhook_id from free)
    and rate_limit > 0
    and (${isAhead}
      or paced_until < now() + ${paceAheadMs}::float8 * interval '1 millisecond')
    for no key update skip locked
  )`

/**
 * Unclaimed, or its holder is gone: the lease is over, or was written by a clock that ran ahead.
 */
const unclaimed = (leaseMs: number): Statement => sql`
  (claimed_until is null or claimed_until < now()
    or claimed_until > now() + ${leaseMs + aheadMs}::float8 * interval '1 millisecond')`

/** How many deliveries to take of each endpoint. */
const ready = sql`
  ready as (
    select free.*, paced.turn, paced.step,
      case when coalesce(rate_limit, 0) = 0 then room
        else least(room, ceil(
          extract(epoch from now() - paced.turn + ${paceAheadMs}::float8 * interval '1 millisecond')
            / extract(epoch from paced.step)
        )::integer) end as places
    from free left join paced using (webhook_id)
    where coalesce(rate_limit, 0) = 0 or paced.webhook_id is not null
  )`

/** Uses up the turns that were taken. */
const moved = sql`
  moved as (
    update webhook_endpoints as endpoint
    set paced_until = paced.turn + used.places * paced.step
    from paced join (
      select webhook_id, count(*) as places from numbered group by webhook_id
    ) as used using (webhook_id)
    where endpoint.webhook_id = paced.webhook_id
  )`
