import type {
  FormerSecret,
  SealedHeaders,
  WebhookEndpoint,
} from '../../../../rules/facts/webhook-endpoint.ts'
import type { WebhookEventType } from '../../../../rules/facts/webhook-event-types.ts'
import type { Mode } from '../../../../rules/meter/meter.ts'
import type { Instant } from '../../../../std/instant.ts'
import { formatInstant } from '../../../../std/instant.ts'
import { timestamptz } from '../connection/client.ts'
import { byteaText, instantFrom } from '../connection/values.ts'

/** A webhook endpoint as the database has it. */
export interface EndpointRow {
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
  readonly former_secrets: readonly FormerSecretJson[]
  readonly created_at: Instant
  readonly updated_at: Instant
}

export const endpointOf = (row: EndpointRow): WebhookEndpoint => ({
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
  formerSecrets: row.former_secrets.map(formerSecretFrom),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** As write_webhook_endpoints() takes it, but for the former secrets: they move with the secret. */
export const endpointRow = (endpoint: WebhookEndpoint): object => ({
  business_id: endpoint.businessId,
  mode: endpoint.mode,
  webhook_id: endpoint.webhookId,
  url: endpoint.url,
  description: endpoint.description,
  disabled: endpoint.disabled,
  filter_types: endpoint.filterTypes,
  rate_limit: endpoint.rateLimit,
  metadata: endpoint.metadata,
  headers: endpoint.headers,
  secret: byteaText(endpoint.secret),
  created_at: timestamptz(endpoint.createdAt),
  updated_at: timestamptz(endpoint.updatedAt),
})

/** How a former secret lies in a jsonb column. */
export interface FormerSecretJson {
  readonly secret: string
  readonly until: string
}

export const formerSecretFrom = ({ secret, until }: FormerSecretJson): FormerSecret => ({
  secret: Buffer.from(secret, 'base64'),
  until: instantFrom(until),
})

export const formerSecretJson = ({ secret, until }: FormerSecret): FormerSecretJson => ({
  secret: Buffer.from(secret).toString('base64'),
  until: formatInstant(until),
})
