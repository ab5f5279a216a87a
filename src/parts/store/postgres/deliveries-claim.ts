import type { ClaimOptions } from '../deliveries.ts'
import { timestamptz } from './client.ts'
import type { Statement } from './sql.ts'
import { sql } from './sql.ts'

/** Rate-limited attempts are claimed so far ahead of their turn, and wait for it in the process. */
const paceAheadMs = 250

// A little slower than the limit, since a network may bring two attempts closer together than they left.
const secondMs = 1_020

/**
 * Claims due deliveries, endpoint by endpoint.
 *
 * `pending` steps through the index once per endpoint with anything pending (a recursive "loose scan"),
 * because the plain `order by next_at limit n` reads past the whole backlog of a slow endpoint before
 * it finds another's. Only endpoints with a rate limit are locked: their pace is kept in the store, so
 * that the limit is the endpoint's, not each process's.
 */
export function claimStatement(options: ClaimOptions): Statement {
  const { at, limit, perEndpoint, underWay, leaseMs } = options
  return sql`
    with recursive pending as (
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
      ) as following
    ), under_way as (
      select * from unnest(
        ${[...underWay.keys()]}::text[], ${[...underWay.values()]}::integer[]
      ) as under_way (webhook_id, attempts)
    ), free as (
      select endpoint.*, pending.next_at,
        ${perEndpoint}::integer - coalesce(under_way.attempts, 0) as room
      from pending
      join webhook_endpoints as endpoint using (business_id, mode, webhook_id)
      left join under_way using (webhook_id)
      where pending.next_at <= ${timestamptz(at)}::timestamptz
      and not endpoint.disabled and endpoint.deleted_at is null
      and coalesce(under_way.attempts, 0) < ${perEndpoint}::integer
    ), paced as (
      select endpoint.webhook_id, greatest(endpoint.paced_until, now()) as turn,
        make_interval(secs => ${secondMs}::float8 / 1000 / endpoint.rate_limit) as step
      from webhook_endpoints as endpoint
      where (business_id, mode, webhook_id) in (select business_id, mode, webhook_id from free)
      and rate_limit > 0
      and paced_until < now() + ${paceAheadMs}::float8 * interval '1 millisecond'
      for no key update skip locked
    ), ready as (
      select free.*, paced.turn, paced.step,
        case when coalesce(rate_limit, 0) = 0 then room
          else least(room, ceil(
            extract(epoch from now() - paced.turn + ${paceAheadMs}::float8 * interval '1 millisecond')
              / extract(epoch from paced.step)
          )::integer) end as places
      from free left join paced using (webhook_id)
      where coalesce(rate_limit, 0) = 0 or paced.webhook_id is not null
    ), due as (
      select ready.webhook_id, found.message_id, found.next_at
      from ready cross join lateral (
        select message_id, next_at from deliveries
        where deliveries.webhook_id = ready.webhook_id
        and deliveries.next_at <= ${timestamptz(at)}::timestamptz
        and (claimed_until is null or claimed_until < now())
        order by next_at, message_id
        limit ready.places
        for update skip locked
      ) as found
      limit ${limit}::integer
    ), taken as (
      update deliveries
      set claimed_until = now() + ${leaseMs}::float8 * interval '1 millisecond'
      from due
      where deliveries.message_id = due.message_id and deliveries.webhook_id = due.webhook_id
      returning deliveries.message_id, deliveries.webhook_id, deliveries.attempts, due.next_at
    ), numbered as (
      select taken.*,
        row_number() over (partition by webhook_id order by next_at, message_id) as place
      from taken
    ), moved as (
      update webhook_endpoints as endpoint
      set paced_until = paced.turn + used.places * paced.step
      from paced join (
        select webhook_id, count(*) as places from numbered group by webhook_id
      ) as used using (webhook_id)
      where endpoint.webhook_id = paced.webhook_id
    )
    select numbered.message_id, numbered.webhook_id, ready.mode, numbered.attempts + 1 as attempt,
      coalesce(greatest(0, 1000 * extract(epoch from
        ready.turn + (numbered.place - 1) * ready.step - now())), 0)::integer as wait_ms,
      message.body, ready.url, ready.secret, ready.headers
    from numbered
    join ready using (webhook_id)
    join messages as message using (message_id)
    order by numbered.next_at, numbered.message_id`
}
