import type {
  EndpointChange,
  SealedHeaders,
  WebhookEndpoint,
} from '../../../../rules/facts/webhook-endpoint.ts'
import type { WebhookEventType } from '../../../../rules/facts/webhook-event-types.ts'
import type { Mode } from '../../../../rules/meter/meter.ts'
import type { Instant } from '../../../../std/instant.ts'
import type { EndpointPlace, EndpointScope, WebhookEndpoints } from '../../webhook-endpoints.ts'
import type { Db } from '../connection/client.ts'
import { timestamptz } from '../connection/client.ts'
import type { Statement } from '../connection/sql.ts'
import { sql } from '../connection/sql.ts'

interface Row {
  readonly business_id: string
  readonly mode: Mode
  readonly webhook_id: string
  readonly url: string
  readonly description: string
  readonly disabled: boolean
  readonly filter_types: readonly WebhookEventType[]
  readonly rate_limit: number | null
  readonly metadata: Readonly<Record<string, string>>
  readonly headers: SealedHeaders
  readonly secret: Uint8Array
  readonly created_at: Instant
  readonly updated_at: Instant
}

export function webhookEndpoints(db: Db): WebhookEndpoints {
  return { insert, find, page, change, mergeHeaders, rotate, remove }

  async function insert(
    endpoint: WebhookEndpoint,
    idempotencyKey: string | null,
    most: number,
  ): Promise<WebhookEndpoint | null> {
    const row = {
      business_id: endpoint.businessId,
      mode: endpoint.mode,
      webhook_id: endpoint.webhookId,
      url: endpoint.url,
      disabled: endpoint.disabled,
      description: endpoint.description,
      filter_types: endpoint.filterTypes,
      rate_limit: endpoint.rateLimit,
      metadata: endpoint.metadata,
      ...{
        headers: endpoint.headers,
        secret: `\\x${Buffer.from(endpoint.secret).toString('hex')}`,
      },

      idempotency_key: idempotencyKey,
      created_at: timestamptz(endpoint.createdAt),
      updated_at: timestamptz(endpoint.updatedAt),
    }
    const [made] = await db.query<Row>(sql`
      select * from add_webhook_endpoint(${JSON.stringify(row)}::jsonb, ${most}::integer)`)
    return made === undefined ? null : endpointOf(made)
  }

  async function find(scope: EndpointScope, webhookId: string): Promise<WebhookEndpoint | null> {
    const [row] = await db.query<Row>(sql`
      select * from webhook_endpoints where ${named(scope, webhookId)}`)
    return row === undefined ? null : endpointOf(row)
  }

  async function page(
    scope: EndpointScope,
    from: { readonly after: EndpointPlace | null } | { readonly before: EndpointPlace },
    limit: number,
  ): Promise<readonly WebhookEndpoint[]> {
    if ('after' in from)
      return (await db.query<Row>(pageAfter(scope, from.after, limit))).map(endpointOf)
    const rows = await db.query<Row>(pageBefore(scope, from.before, limit))
    return rows.toReversed().map(endpointOf)
  }

  async function change(
    scope: EndpointScope,
    webhookId: string,
    wanted: EndpointChange & { readonly at: Instant },
  ): Promise<WebhookEndpoint | null> {
    const [row] = await db.query<Row>(sql`
      with changed as (
        update webhook_endpoints
        set url = coalesce(${wanted.url ?? null}, url),
          description = coalesce(${wanted.description ?? null}, description),
          disabled = coalesce(${wanted.disabled ?? null}, disabled),
          filter_types = coalesce(${jsonOrNull(wanted.filterTypes)}::jsonb, filter_types),
          metadata = coalesce(${jsonOrNull(wanted.metadata)}::jsonb, metadata),
          rate_limit = case when ${wanted.rateLimit === undefined} then rate_limit
            else ${wanted.rateLimit ?? null}::integer end,
          updated_at = ${timestamptz(wanted.at)}
        where ${named(scope, webhookId)}
        returning *
      ), ${stopped('changed where disabled')}
      select * from changed`)
    return row === undefined ? null : endpointOf(row)
  }

  async function mergeHeaders(
    scope: EndpointScope,
    webhookId: string,
    wanted: { readonly headers: SealedHeaders; readonly at: Instant },
  ): Promise<boolean> {
    const given = JSON.stringify(wanted.headers)
    const rows = await db.query(sql`
      update webhook_endpoints
      set headers = (
          select coalesce(jsonb_object_agg(kept.key, kept.value), '{}')
          from jsonb_each(headers) as kept
          where lower(kept.key) not in (
            select lower(name) from jsonb_object_keys(${given}::jsonb) as name
          )
        ) || ${given}::jsonb,
        updated_at = ${timestamptz(wanted.at)}
      where ${named(scope, webhookId)}
      returning webhook_id`)
    return rows.length > 0
  }

  async function rotate(
    scope: EndpointScope,
    webhookId: string,
    { secret, now, formerUntil, most, at }: Parameters<WebhookEndpoints['rotate']>[2],
  ): Promise<boolean> {
    const good = sql`select former.value as secret
      from jsonb_array_elements(former_secrets) with ordinality as former
      where (former.value ->> 'until')::timestamptz > ${timestamptz(now)}`
    const rows = await db.query(sql`
      update webhook_endpoints
      set former_secrets = coalesce((select jsonb_agg(secret) from (${good}) as good), '[]')
          || jsonb_build_object(
            'secret', encode(secret, 'base64'), 'until', ${timestamptz(formerUntil)}::timestamptz
          ),
        secret = ${Buffer.from(secret)}, updated_at = ${timestamptz(at)}
      where ${named(scope, webhookId)}
      and (select count(*) from (${good}) as good) < ${most}::bigint
      returning webhook_id`)
    return rows.length > 0
  }

  async function remove(scope: EndpointScope, webhookId: string, at: Instant): Promise<boolean> {
    // The idempotency key is freed with the endpoint, so a create that is repeated later makes a
    // new endpoint.
    const rows = await db.query(sql`
      with removed as (
        update webhook_endpoints
        set deleted_at = ${timestamptz(at)}, secret = '', former_secrets = '[]', headers = '{}',
          idempotency_key = null
        where ${named(scope, webhookId)}
        returning *
      ), ${stopped('removed')}
      select webhook_id from removed`)
    return rows.length > 0
  }
}

const named = (scope: EndpointScope, webhookId: string): Statement => sql`
  business_id = ${scope.businessId} and mode = ${scope.mode}
  and webhook_id = ${webhookId} and deleted_at is null`

/**
 * Ends the pending deliveries of the endpoints in `source`. Rows that another transaction is
 * writing are skipped, so that no caller waits or deadlocks; `tidy` of the deliveries finds those.
 */
function stopped(source: 'removed' | 'changed where disabled'): Statement {
  const text = `doomed as (
    select message_id, webhook_id from deliveries
    where next_at is not null and webhook_id in (select webhook_id from ${source})
    for update skip locked
  ), stopped as (
    update deliveries set next_at = null, outcome = 'stopped' from doomed
    where deliveries.message_id = doomed.message_id and deliveries.webhook_id = doomed.webhook_id
  )`
  return { text, values: [] }
}

const pageAfter = (
  scope: EndpointScope,
  place: EndpointPlace | null,
  limit: number,
): Statement => sql`
  select * from webhook_endpoints
  where business_id = ${scope.businessId} and mode = ${scope.mode} and deleted_at is null
  and (${place === null} or (created_at, webhook_id)
    < (${timestamptz(place?.createdAt ?? null)}::timestamptz, ${place?.webhookId ?? null}::text))
  order by created_at desc, webhook_id desc
  limit ${limit}`

const pageBefore = (scope: EndpointScope, place: EndpointPlace, limit: number): Statement => sql`
  select * from webhook_endpoints
  where business_id = ${scope.businessId} and mode = ${scope.mode} and deleted_at is null
  and (created_at, webhook_id)
    > (${timestamptz(place.createdAt)}::timestamptz, ${place.webhookId}::text)
  order by created_at, webhook_id
  limit ${limit}`

const jsonOrNull = (value: unknown): string | null =>
  value === undefined ? null : JSON.stringify(value)

const endpointOf = (row: Row): WebhookEndpoint => ({
  businessId: row.business_id,
  mode: row.mode,
  webhookId: row.webhook_id,
  url: row.url,
  description: row.description,
  disabled: row.disabled,
  filterTypes: row.filter_types,
  rateLimit: row.rate_limit,
  metadata: row.metadata,
  headers: row.headers,
  secret: row.secret,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
