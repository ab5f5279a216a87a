import type { WebhookEndpoint } from '../../../../rules/facts/webhook-endpoint.ts'
import type { EndpointPlace, EndpointScope, WebhookEndpoints } from '../../webhook-endpoints.ts'
import type { Db } from '../connection/client.ts'
import { timestamptz } from '../connection/client.ts'
import type { Statement } from '../connection/sql.ts'
import { sql } from '../connection/sql.ts'
import type { EndpointRow } from './webhook-endpoint-rows.ts'
import { endpointOf } from './webhook-endpoint-rows.ts'

export function webhookEndpoints(db: Db): WebhookEndpoints {
  return { find, keyed, counted, page }

  async function find(scope: EndpointScope, webhookId: string): Promise<WebhookEndpoint | null> {
    const [row] = await db.query<EndpointRow>(sql`
      select * from webhook_endpoints where ${named(scope, webhookId)}`)
    return row === undefined ? null : endpointOf(row)
  }

  async function page(
    scope: EndpointScope,
    from: { readonly after: EndpointPlace | null } | { readonly before: EndpointPlace },
    limit: number,
  ): Promise<readonly WebhookEndpoint[]> {
    if ('after' in from)
      return (await db.query<EndpointRow>(pageAfter(scope, from.after, limit))).map(endpointOf)
    const rows = await db.query<EndpointRow>(pageBefore(scope, from.before, limit))
    return rows.toReversed().map(endpointOf)
  }

  async function keyed(scope: EndpointScope, key: string): Promise<WebhookEndpoint | null> {
    const [row] = await db.query<EndpointRow>(sql`
      select * from webhook_endpoints
      where (business_id, mode, idempotency_key) = (${scope.businessId}, ${scope.mode}, ${key})`)
    return row === undefined ? null : endpointOf(row)
  }

  async function counted(businessId: string): Promise<number> {
    const [row] = await db.query<{ count: number }>(sql`
      select count(*) as count from webhook_endpoints
      where business_id = ${businessId} and deleted_at is null`)
    return row?.count ?? 0
  }
}

const named = (scope: EndpointScope, webhookId: string): Statement => sql`
  business_id = ${scope.businessId} and mode = ${scope.mode}
  and webhook_id = ${webhookId} and deleted_at is null`

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
