import type { Mode } from '../../../../rules/meter/meter.ts'
import type { Instant } from '../../../../std/instant.ts'
import { after as later, minute } from '../../../../std/instant.ts'
import type { Scope } from '../../scope.ts'
import type { StreamedMessage, StreamHead, WebhookStreams } from '../../webhook-streams.ts'
import type { Db } from '../connection/client.ts'
import { timestamptz } from '../connection/client.ts'
import type { Statement } from '../connection/sql.ts'
import { sql } from '../connection/sql.ts'

interface HeadRow {
  readonly business_id: string
  readonly mode: Mode
  readonly stream_id: string
  readonly last_number: number
}

interface PlacedRow {
  readonly stream_number: number
  readonly message_id: string
  readonly type: string
  readonly body: string | null
}

/** A reader is written down as seldom as that: relaying waits for the row. */
const readEvery = 30 * minute

export function webhookStreams(db: Db): WebhookStreams {
  return { keep, heads, numberOf, after, lapse }

  async function keep(scope: Scope, streamId: string, at: Instant): Promise<StreamHead> {
    const [fresh] = await db.query<HeadRow>(sql`
      select ${headColumns} from webhook_streams
      where ${ofScope(scope)} and kept
      and read_at > ${timestamptz(later(at, -readEvery))}::timestamptz`)
    if (fresh !== undefined) return headOf(fresh)
    const [row] = await db.query<HeadRow>(sql`
      insert into webhook_streams as stream (business_id, mode, stream_id, read_at)
      values (${scope.businessId}, ${scope.mode}, ${streamId}, ${timestamptz(at)})
      on conflict (business_id, mode) do update
      set kept = true, read_at = greatest(stream.read_at, excluded.read_at),
        last_number = stream.last_number + case when stream.kept then 0 else 1 end
      returning ${headColumns}`)
    if (row === undefined) throw new Error('A stream was neither there nor made.')
    return headOf(row)
  }

  async function heads(scopes: readonly Scope[]): Promise<readonly StreamHead[]> {
    const rows = await db.query<HeadRow>(sql`
      select ${headColumns} from webhook_streams
      join unnest(
        ${scopes.map(({ businessId }) => businessId)}::text[],
        ${scopes.map(({ mode }) => mode)}::text[]
      ) as sought (business_id, mode) using (business_id, mode)`)
    return rows.map(headOf)
  }

  async function numberOf(scope: Scope, messageId: string): Promise<number | null> {
    const [row] = await db.query<{ stream_number: number | null }>(sql`
      select stream_number from messages where message_id = ${messageId} and ${ofScope(scope)}`)
    return row?.stream_number ?? null
  }

  async function after(
    scope: Scope,
    number: number,
    { types, limit }: Parameters<WebhookStreams['after']>[2],
  ): Promise<readonly StreamedMessage[]> {
    const isWanted = types === null ? sql`true` : sql`type = any(${types}::text[])`
    const rows = await db.query<PlacedRow>(sql`
      select stream_number, message_id, type, case when ${isWanted} then body end as body
      from messages
      where ${ofScope(scope)} and stream_number > ${number}
      order by stream_number
      limit ${limit}`)
    return rows.map(placedOf)
  }

  async function lapse(before: Instant): Promise<number> {
    const rows = await db.query(sql`
      update webhook_streams set kept = false
      where kept and read_at < ${timestamptz(before)}::timestamptz
      returning business_id`)
    return rows.length
  }
}

const headColumns = sql`business_id, mode, stream_id, last_number`

const ofScope = ({ businessId, mode }: Scope): Statement =>
  sql`business_id = ${businessId} and mode = ${mode}`

const headOf = (row: HeadRow): StreamHead => ({
  businessId: row.business_id,
  mode: row.mode,
  streamId: row.stream_id,
  last: row.last_number,
})

const placedOf = (row: PlacedRow): StreamedMessage => ({
  number: row.stream_number,
  messageId: row.message_id,
  type: row.type,
  body: row.body,
})
