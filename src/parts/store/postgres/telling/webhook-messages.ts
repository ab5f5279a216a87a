import type {
  DeliveryOutcome,
  MadeAttempt,
  SentMessage,
  TestMessage,
} from '../../../../rules/facts/told-message.ts'
import type { Instant } from '../../../../std/instant.ts'
import type { Page } from '../../scope.ts'
import type {
  DeliveryKey,
  EndpointKey,
  Recovered,
  WebhookMessages,
} from '../../webhook-messages.ts'
import type { Db } from '../connection/client.ts'
import { timestamptz } from '../connection/client.ts'
import type { Statement } from '../connection/sql.ts'
import { sql } from '../connection/sql.ts'

interface MessageRow {
  readonly message_id: string
  readonly webhook_id: string
  readonly type: string
  readonly body: string
  readonly test: boolean
  readonly outcome: DeliveryOutcome
  readonly attempts: number
  readonly next_at: Instant | null
  readonly sequence: number | null
  readonly created_at: Instant
}

interface AttemptRow {
  readonly number: number
  readonly at: Instant
  readonly duration_ms: number
  readonly status: number | null
  readonly error: string | null
  readonly answer: string | null
}

export function webhookMessages(db: Db): WebhookMessages {
  return { find, page, attempts, resend, recover, insertTest }

  async function find(key: DeliveryKey): Promise<SentMessage | null> {
    const [row] = await db.query<MessageRow>(sql`
      select ${columns} from deliveries as delivery join messages as message using (message_id)
      where delivery.message_id = ${key.messageId} and ${ofEndpoint(key)}`)
    return row === undefined ? null : messageOf(row)
  }

  async function page(key: EndpointKey, { limit, offset }: Page): Promise<readonly SentMessage[]> {
    // The places first: what they say is read for one page only, however deep it lies.
    const rows = await db.query<MessageRow>(sql`
      with place as (
        select message_id, webhook_id from deliveries as delivery
        where ${ofEndpoint(key)}
        order by sequence desc nulls last, message_id desc
        limit ${limit} offset ${offset}
      )
      select ${columns} from place
      join deliveries as delivery using (message_id, webhook_id)
      join messages as message using (message_id)
      order by delivery.sequence desc nulls last, message_id desc`)
    return rows.map(messageOf)
  }

  async function attempts(
    key: DeliveryKey,
    { limit, offset }: Page,
  ): Promise<readonly MadeAttempt[]> {
    const rows = await db.query<AttemptRow>(sql`
      select number, at, duration_ms, status, error, answer
      from attempts join deliveries as delivery using (message_id, webhook_id)
      where message_id = ${key.messageId} and ${ofEndpoint(key)}
      order by number desc
      limit ${limit} offset ${offset}`)
    return rows.map(({ duration_ms: durationMs, ...attempt }) => ({ ...attempt, durationMs }))
  }

  async function resend(key: DeliveryKey, at: Instant): Promise<boolean> {
    const rows = await db.query(sql`
      update deliveries as delivery
      set ${dueAgain}, next_at = ${timestamptz(at)},
        since = ${timestamptz(at)}
      from messages as message, ${enabled(key)} as endpoint
      where message.message_id = delivery.message_id
      and delivery.message_id = ${key.messageId} and ${ofEndpoint(key)}
      returning delivery.message_id`)
    return rows.length > 0
  }

  async function recover(
    key: EndpointKey,
    { since, at, most, backlogMax }: Parameters<WebhookMessages['recover']>[1],
  ): Promise<Recovered> {
    const moment = sql`${timestamptz(at)}::timestamptz`
    // Due a microsecond apart, so that they set out in the order in which they were told first.
    const [row] = await db.query<Recovered>(sql`
      with failed as (
        select delivery.message_id, delivery.webhook_id,
          row_number() over oldest_first as place,
          case when next_at is null
            then count(*) filter (where next_at is null) over oldest_first else 0 end as added
        from deliveries as delivery join messages as message using (message_id)
        where ${ofEndpoint(key)} and not message.test
        and message.created_at >= ${timestamptz(since)}::timestamptz
        and (outcome in ('given_up', 'stopped', 'held_back')
          or (next_at > ${moment} and attempts > 0
            and (claimed_until is null or claimed_until < now())))
        window oldest_first as (order by sequence nulls first, message_id)
      ), waiting as (
        select count(*) as deliveries from deliveries as delivery
        where ${ofEndpoint(key)} and next_at is not null
      ), chosen as (
        select failed.* from failed, waiting, ${enabled(key)} as endpoint
        where place <= ${most}::bigint
        and (added = 0 or added + waiting.deliveries <= ${backlogMax}::bigint)
      ), moved as (
        update deliveries as delivery
        set ${dueAgain}, since = ${moment},
          next_at = ${moment} - ((select count(*) from chosen) - place) * interval '1 microsecond'
        from chosen
        where delivery.message_id = chosen.message_id
        and delivery.webhook_id = chosen.webhook_id
        and delivery.outcome is distinct from 'delivered'
        returning 1
      )
      select (select count(*) from moved) as recovered,
        (select count(*) from failed) - (select count(*) from chosen) as remaining`)
    return row ?? { recovered: 0, remaining: 0 }
  }

  async function insertTest(
    key: EndpointKey,
    { messageId, type, body }: TestMessage,
    at: Instant,
  ): Promise<boolean> {
    // The next one that must come still names the one before this as its previous: tests get lost.
    const rows = await db.query(sql`
      with endpoint as (
        update webhook_endpoints set last_sequence = last_sequence + 1
        where ${named(key)} and not disabled
        returning business_id, mode, webhook_id, last_sequence, last_due
      ), message as (
        insert into messages (message_id, business_id, mode, type, body, test)
        select ${messageId}, business_id, mode, ${type}, ${body}, true from endpoint
      )
      insert into deliveries (
        message_id, webhook_id, business_id, mode, next_at, since, sequence, previous,
        schedule_start
      )
      select ${messageId}, webhook_id, business_id, mode, ${timestamptz(at)}::timestamptz,
        ${timestamptz(at)}::timestamptz, last_sequence, last_due, null
      from endpoint
      returning message_id`)
    return rows.length > 0
  }
}

const columns = sql`message_id, delivery.webhook_id, message.type, message.body, message.test,
  delivery.outcome, delivery.attempts, delivery.next_at, delivery.sequence, message.created_at`

const ofEndpoint = (key: EndpointKey): Statement => sql`delivery.webhook_id = ${key.webhookId}
  and delivery.business_id = ${key.businessId} and delivery.mode = ${key.mode}`

const named = (key: EndpointKey): Statement => sql`business_id = ${key.businessId}
  and mode = ${key.mode} and webhook_id = ${key.webhookId} and deleted_at is null`

/** A row, where it takes messages. */
const enabled = (key: EndpointKey): Statement => sql`(
  select from webhook_endpoints where ${named(key)} and not disabled)`

/**
 * An attempt that is under way belongs to the schedule before; so it does of a test, which has none
 * until it is asked for again.
 */
const dueAgain = sql`outcome = null,
  schedule_start = attempts + case when claimed_until > now() then 1 else 0 end`

const messageOf = (row: MessageRow): SentMessage => ({
  messageId: row.message_id,
  webhookId: row.webhook_id,
  type: row.type,
  body: row.body,
  test: row.test,
  outcome: row.outcome,
  attempts: row.attempts,
  nextAt: row.next_at,
  sequence: row.sequence,
  createdAt: row.created_at,
})
