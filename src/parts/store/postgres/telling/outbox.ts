import type { OwnFact, ToldFact } from '../../../../rules/facts/fact.ts'
import { keptFact } from '../../../../rules/facts/fact.ts'
import { isWebhookEventType } from '../../../../rules/facts/webhook-event-types.ts'
import type { Mode } from '../../../../rules/meter/meter.ts'
import type { Instant } from '../../../../std/instant.ts'
import type { FactBody, Outbox, WaitingFact } from '../../outbox.ts'
import type { EntryRow } from '../accounts/entry-rows.ts'
import { entryOf } from '../accounts/entry-rows.ts'
import type { Db } from '../connection/client.ts'
import { timestamptz } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'

/** Where a fact is about no entry, `entry_id` and all other columns of the entry are null. */
interface Row extends Omit<EntryRow, 'entry_id'> {
  readonly id: number
  readonly message_id: string
  readonly mode: Mode
  readonly type: string
  readonly at: Instant
  readonly wanted: boolean
  readonly data: OwnFact['data'] | null
  readonly entry_id: string | null
}

export function outbox(db: Db): Outbox {
  return { waiting, relay }

  async function waiting(limit: number): Promise<readonly WaitingFact[]> {
    const rows = await db.query<Row>(sql`
      select fact.id, fact.message_id, fact.business_id, fact.mode, fact.type, fact.at, fact.data,
        exists (
          select from webhook_endpoints as endpoint
          where endpoint.business_id = fact.business_id and endpoint.mode = fact.mode
          and endpoint.deleted_at is null and not endpoint.disabled
          and (endpoint.filter_types = '[]' or endpoint.filter_types ? fact.type)
        ) or exists (
          select from webhook_streams as stream
          where stream.business_id = fact.business_id and stream.mode = fact.mode and stream.kept
        ) as wanted,
        entry.entry_id, entry.brand_id, account.customer_id, account.entitlement_id,
        entry.transaction_type, entry.is_credit, entry.amount,
        entry.balance_before, entry.balance_after, entry.overage_before, entry.overage_after,
        entry.grant_id, entry.reference_type, entry.reference_id, entry.description,
        entry.metadata, entry.created_at
      from outbox as fact
      left join ledger_entries as entry
        on entry.account_id = fact.account_id and entry.number = fact.entry_number
      left join accounts as account on account.account_id = entry.account_id
      order by fact.id
      limit ${limit}`)
    return rows.map(factOf)
  }

  async function relay(
    bodies: readonly FactBody[],
    at: Instant,
  ): Promise<{ readonly facts: number; readonly deliveries: number }> {
    // All deliveries are due at once, but a microsecond apart, so that first attempts are made in
    // the order of the facts.
    const [counts] = await db.query<{ facts: number; deliveries: number }>(sql`
      with body as (
        select * from unnest(
          ${bodies.map((fact) => fact.id)}::bigint[],
          ${bodies.map((fact) => fact.messageId)}::text[],
          ${bodies.map((fact) => fact.body)}::text[],
          ${bodies.map((fact) => fact.customerId)}::text[]
        ) with ordinality as body (id, message_id, body, customer_id, place)
      ), claimed as (
        select id from outbox where (id, message_id) in (select id, message_id from body)
        order by id for update skip locked
      ), fact as (
        delete from outbox using claimed where outbox.id = claimed.id returning outbox.*
      ), wish as (
        select fact.message_id, endpoint.webhook_id, fact.business_id, fact.mode, body.place,
          endpoint.backlog_full,
          row_number() over (partition by endpoint.webhook_id order by body.place) as nth
        from fact
        join body on body.id = fact.id and body.body is not null
        join webhook_endpoints as endpoint
          on endpoint.business_id = fact.business_id and endpoint.mode = fact.mode
          and endpoint.deleted_at is null and not endpoint.disabled
          and (endpoint.filter_types = '[]' or endpoint.filter_types ? fact.type)
      ), ${streaming}, message as (
        insert into messages (
          message_id, business_id, mode, type, account_id, entry_number, body, stream_number
        )
        select fact.message_id, fact.business_id, fact.mode, fact.type, fact.account_id,
          fact.entry_number, body.body, streamed.number
        from fact
        join body on body.id = fact.id
        left join streamed on streamed.message_id = fact.message_id
        where streamed.number is not null or fact.message_id in (select message_id from wish)
      ), announcement as (
        insert into announcements (message_id, mode, customer_id, body)
        select fact.message_id, fact.mode, body.customer_id, body.body
        from fact join body on body.id = fact.id
        where body.body is not null and body.customer_id is not null
        order by body.place
      ), ${numbering}, delivery as (
        insert into deliveries (
          message_id, webhook_id, business_id, mode, next_at, since, outcome, sequence, previous
        )
        select message_id, webhook_id, wish.business_id, wish.mode,
          case when wish.backlog_full then null else ${timestamptz(at)}::timestamptz
            - (${bodies.length}::bigint - place) * interval '1 microsecond' end,
          ${timestamptz(at)}::timestamptz,
          case when wish.backlog_full then 'held_back' end,
          counter.last_sequence + nth,
          case when nth = 1 then counter.last_due else counter.last_sequence + nth - 1 end
        from wish join counter using (webhook_id)
        returning 1
      )
      select (select count(*) from fact) as facts, (select count(*) from delivery) as deliveries`)
    return counts ?? { facts: 0, deliveries: 0 }
  }
}

/**
 * Gives the facts their places in the streams of their businesses and modes. Another relay for one
 * of them that runs at the same time waits, so that numbers are committed in their order and
 * without a gap.
 */
const streaming = sql`
  stream as (
    select business_id, mode, last_number from webhook_streams
    where kept and (business_id, mode) in (
      select fact.business_id, fact.mode
      from fact join body on body.id = fact.id and body.body is not null
    )
    order by business_id, mode
    for no key update
  ), streamed as (
    select fact.message_id, stream.business_id, stream.mode, stream.last_number
      + row_number() over (partition by stream.business_id, stream.mode order by body.place)
      as number
    from fact
    join body on body.id = fact.id and body.body is not null
    join stream on stream.business_id = fact.business_id and stream.mode = fact.mode
  ), stream_moved as (
    update webhook_streams as moved set last_number = newest.number
    from (
      select business_id, mode, max(number) as number from streamed group by business_id, mode
    ) as newest
    where moved.business_id = newest.business_id and moved.mode = newest.mode
  )`

/**
 * Moves the counters of the endpoints on. Another relay that runs at the same time waits for them;
 * all lock them in one order, and behind the streams, so that no number is given twice and no two
 * wait for each other.
 */
const numbering = sql`
  counter as (
    select business_id, mode, webhook_id, last_sequence, last_due from webhook_endpoints
    where (business_id, mode, webhook_id) in (select business_id, mode, webhook_id from wish)
    and (select count(*) from stream) >= 0
    order by webhook_id
    for no key update
  ), counted as (
    update webhook_endpoints as endpoint
    set last_sequence = counter.last_sequence + wishes.most,
      last_due = counter.last_sequence + wishes.most
    from counter join (
      select webhook_id, count(*) as most from wish group by webhook_id
    ) as wishes using (webhook_id)
    where endpoint.business_id = counter.business_id and endpoint.mode = counter.mode
    and endpoint.webhook_id = counter.webhook_id
  )`

const factOf = (row: Row): WaitingFact => ({
  id: row.id,
  messageId: row.message_id,
  businessId: row.business_id,
  mode: row.mode,
  type: row.type,
  at: row.at,
  wanted: row.wanted,
  told: toldOf(row),
})

function toldOf({ type, data, ...row }: Row): ToldFact | null {
  if (data !== null) return keptFact(type, data)
  if (row.entry_id === null || !isWebhookEventType(type)) return null
  return { type, entry: entryOf({ ...row, entry_id: row.entry_id }) }
}
