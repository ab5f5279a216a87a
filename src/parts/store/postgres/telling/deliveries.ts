import type { ToldEndpoint } from '../../../../rules/explain/account-records.ts'
import type { SealedHeaders } from '../../../../rules/facts/webhook-endpoint.ts'
import type { Mode } from '../../../../rules/meter/meter.ts'
import type { Instant } from '../../../../std/instant.ts'
import type {
  AttemptRecord,
  ClaimedDelivery,
  ClaimOptions,
  Deliveries,
  Forgotten,
  Pending,
} from '../../deliveries.ts'
import type { Db } from '../connection/client.ts'
import { timestamptz } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'
import { instantFrom } from '../connection/values.ts'
import { claimStatement } from './deliveries-claim.ts'
import type { FormerSecretJson } from './webhook-endpoint-rows.ts'
import { formerSecretFrom } from './webhook-endpoint-rows.ts'

interface ClaimedRow {
  readonly message_id: string
  readonly webhook_id: string
  readonly mode: Mode
  readonly attempt: number
  readonly schedule_start: number | null
  readonly test: boolean
  readonly sequence: number | null
  readonly previous: number | null
  readonly wait_ms: number
  readonly body: string
  readonly url: string
  readonly secret: Uint8Array
  readonly former_secrets: readonly FormerSecretJson[]
  readonly headers: SealedHeaders
}

interface HistoryRow {
  readonly message_id: string
  readonly type: string
  readonly webhook_id: string
  readonly outcome: string | null
  readonly next_at: Instant | null
  readonly attempts: readonly {
    readonly number: number
    readonly at: string
    readonly duration_ms: number
    readonly status: number | null
    readonly error: string | null
  }[]
}

export function deliveries(db: Db): Deliveries {
  return { claim, record, release, tidy, oldestOver, forget, ofEntry }

  async function claim(options: ClaimOptions): Promise<readonly ClaimedDelivery[]> {
    return (await db.query<ClaimedRow>(claimStatement(options))).map(claimedOf)
  }

  async function record(attempts: readonly AttemptRecord[]): Promise<void> {
    const column = <T>(pick: (attempt: AttemptRecord) => T): readonly T[] => attempts.map(pick)
    await db.query(sql`
      with result as (
        select * from unnest(
          ${column((one) => one.messageId)}::text[], ${column((one) => one.webhookId)}::text[],
          ${column((one) => one.attempt)}::integer[],
          ${column((one) => timestamptz(one.at))}::timestamptz[],
          ${column((one) => one.durationMs)}::integer[], ${column((one) => one.status)}::integer[],
          ${column((one) => one.error)}::text[], ${column((one) => one.answer)}::text[],
          ${column((one) => timestamptz(one.nextAt))}::timestamptz[],
          ${column((one) => one.outcome)}::text[], ${column((one) => one.scheduleStart)}::integer[]
        ) as result (
          message_id, webhook_id, number, at, duration_ms, status, error, answer, next_at, outcome,
          schedule_start
        )
      ), moved as (
        update deliveries
        set attempts = result.number, claimed_until = null,
          next_at = case when deliveries.next_at is null or ${askedAgain} then deliveries.next_at
            else result.next_at end,
          since = result.at,
          outcome = case when ${askedAgain} then deliveries.outcome
            when result.outcome = 'delivered' then result.outcome
            else coalesce(deliveries.outcome, result.outcome) end
        from result
        where deliveries.message_id = result.message_id
        and deliveries.webhook_id = result.webhook_id
        and deliveries.attempts = result.number - 1
        returning deliveries.message_id, deliveries.webhook_id
      )
      insert into attempts (message_id, webhook_id, number, at, duration_ms, status, error, answer)
      select message_id, webhook_id, number, at, duration_ms, status, error, answer
      from result join moved using (message_id, webhook_id)`)
  }

  async function release(
    claims: readonly Pick<ClaimedDelivery, 'messageId' | 'webhookId' | 'attempt'>[],
  ): Promise<void> {
    await db.query(sql`
      update deliveries set claimed_until = null
      from unnest(
        ${claims.map((one) => one.messageId)}::text[],
        ${claims.map((one) => one.webhookId)}::text[],
        ${claims.map((one) => one.attempt)}::integer[]
      ) as claim (message_id, webhook_id, number)
      where deliveries.message_id = claim.message_id and deliveries.webhook_id = claim.webhook_id
      and deliveries.attempts = claim.number - 1`)
  }

  async function tidy(at: Instant, backlogMax: number): Promise<Pending> {
    await takeBack(at)
    const [row] = await db.query<Pending>(sql`
      with doomed as (
        select delivery.message_id, delivery.webhook_id
        from webhook_endpoints as endpoint
        join deliveries as delivery on delivery.webhook_id = endpoint.webhook_id
        where (endpoint.disabled or endpoint.deleted_at is not null)
        and delivery.next_at is not null
        for update of delivery skip locked
      ), stopped as (
        update deliveries set next_at = null, outcome = 'stopped' from doomed
        where deliveries.message_id = doomed.message_id
        and deliveries.webhook_id = doomed.webhook_id
        returning deliveries.webhook_id
      ), pending as (
        select webhook_id, count(*) - (
            select count(*) from stopped where stopped.webhook_id = deliveries.webhook_id
          ) as deliveries
        from deliveries where next_at is not null group by webhook_id
      ), turned as (
        select business_id, mode, webhook_id from webhook_endpoints left join pending
          using (webhook_id)
        where backlog_full <> (coalesce(pending.deliveries, 0) >= ${backlogMax}::bigint)
        for no key update of webhook_endpoints skip locked
      ), marked as (
        update webhook_endpoints as endpoint set backlog_full = not backlog_full from turned
        where (endpoint.business_id, endpoint.mode, endpoint.webhook_id)
          = (turned.business_id, turned.mode, turned.webhook_id)
        returning endpoint.webhook_id, endpoint.backlog_full
      )
      select coalesce((select sum(deliveries) from pending), 0)::bigint as deliveries,
        coalesce((select max(deliveries) from pending), 0)::bigint as backlog,
        array(select webhook_id from marked where backlog_full) as filled`)
    return row ?? { deliveries: 0, backlog: 0, filled: [] }
  }

  /**
   * A delivery is left alone where either clock says that its time may be right: nothing shortens a
   * delay.
   */
  async function takeBack(at: Instant): Promise<void> {
    const ahead = sql`interval '1 minute'`
    const now = sql`${timestamptz(at)}::timestamptz`
    await db.query(sql`
      update deliveries set next_at = ${now} + (next_at - since), since = ${now}
      where next_at > ${now} + ${ahead} and since > ${now} + ${ahead} and since > now() + ${ahead}`)
  }

  async function oldestOver(): Promise<Instant | null> {
    const [row] = await db.query<{ created_at: Instant }>(sql`
      select created_at from messages as message where ${isOver}
      order by created_at limit 1`)
    return row?.created_at ?? null
  }

  async function forget(before: Instant, rowsMax: number): Promise<Forgotten> {
    // Each table is deleted by itself, children first: a cascade would not say how many rows went.
    const [row] = await db.query<Forgotten>(sql`
      with doomed as materialized (
        select message_id from messages as message
        where created_at < ${timestamptz(before)} and ${isOver}
        order by created_at limit ${rowsMax}
        for update skip locked
      ), tried as (
        delete from attempts using doomed where attempts.message_id = doomed.message_id returning 1
      ), told as (
        delete from deliveries using doomed
        where deliveries.message_id = doomed.message_id returning 1
      ), gone as (
        delete from messages using doomed where messages.message_id = doomed.message_id returning 1
      )
      select (select count(*) from gone) as messages, (select count(*) from told) as deliveries,
        (select count(*) from tried) as attempts`)
    return row ?? { messages: 0, deliveries: 0, attempts: 0 }
  }

  async function ofEntry(accountId: string, entryNumber: number): Promise<readonly ToldEndpoint[]> {
    const rows = await db.query<HistoryRow>(sql`
      select message.message_id, message.type, delivery.webhook_id, delivery.outcome,
        delivery.next_at, coalesce((
          select jsonb_agg(
            to_jsonb(attempt) - array['message_id', 'webhook_id', 'answer'] order by attempt.number)
          from attempts as attempt
          where attempt.message_id = delivery.message_id
          and attempt.webhook_id = delivery.webhook_id
        ), '[]') as attempts
      from messages as message join deliveries as delivery using (message_id)
      where message.account_id = ${accountId} and message.entry_number = ${entryNumber}
      order by message.created_at, message.message_id, delivery.webhook_id`)
    return rows.map(historyOf)
  }
}

/** Somebody wanted it sent again after `result` had set out. */
const askedAgain = sql`(deliveries.schedule_start is distinct from result.schedule_start)`

const isOver = sql`not exists (
  select from deliveries as due
  where due.message_id = message.message_id and due.next_at is not null)`

const claimedOf = (row: ClaimedRow): ClaimedDelivery => ({
  messageId: row.message_id,
  webhookId: row.webhook_id,
  mode: row.mode,
  attempt: row.attempt,
  scheduleStart: row.schedule_start,
  test: row.test,
  sequence: row.sequence,
  previous: row.previous,
  waitMs: row.wait_ms,
  body: row.body,
  url: row.url,
  secret: row.secret,
  formerSecrets: row.former_secrets.map(formerSecretFrom),
  headers: row.headers,
})

const historyOf = (row: HistoryRow): ToldEndpoint => ({
  messageId: row.message_id,
  type: row.type,
  webhookId: row.webhook_id,
  outcome: row.outcome,
  nextAt: row.next_at,
  attempts: row.attempts.map(({ at, duration_ms: durationMs, ...attempt }) => ({
    ...attempt,
    at: instantFrom(at),
    durationMs,
  })),
})
