import { limits } from '../limits.ts'
import type {
  EndpointChange,
  VisibleHeaders,
  WantedEndpoint,
  WebhookEndpoint,
} from '../rules/facts/webhook-endpoint.ts'
import type { WebhookEventType } from '../rules/facts/webhook-event-types.ts'
import { webhookEventTypes } from '../rules/facts/webhook-event-types.ts'
import { base64Of } from '../std/bytes.ts'
import { defined } from '../std/defined.ts'
import { formatInstant } from '../std/instant.ts'
import { schema } from '../std/schema.ts'
import { nullable, refused, textMetadata } from './schemas.ts'

/** [resources#webhook-endpoints] */
export interface WebhookDetails {
  readonly id: string
  readonly url: string
  readonly description: string
  readonly metadata: Readonly<Record<string, string>>
  readonly disabled: boolean
  readonly filter_types: readonly string[]
  readonly rate_limit: number | null
  readonly created_at: string
  readonly updated_at: string
}

export interface WebhookCreateParams {
  readonly url: string
  readonly description?: string | null
  readonly disabled?: boolean | null
  readonly filter_types?: readonly WebhookEventType[] | null
  readonly headers?: Readonly<Record<string, string>> | null
  readonly idempotency_key?: string | null
  readonly metadata?: Readonly<Record<string, string>> | null
  readonly rate_limit?: number | null
}

/**
 * Absent: unchanged. Null clears what may be empty, and keeps `url` and `disabled`.
 * [requests#nulls]
 */
export interface WebhookUpdateParams {
  readonly url?: string | null
  readonly description?: string | null
  readonly disabled?: boolean | null
  readonly filter_types?: readonly WebhookEventType[] | null
  readonly metadata?: Readonly<Record<string, string>> | null
  readonly rate_limit?: number | null
}

export interface HeaderUpdateParams {
  readonly headers: Readonly<Record<string, string>>
}

/** `sensitive` names the headers whose values are not shown. */
export interface HeaderRetrieveResponse {
  readonly headers: Readonly<Record<string, string>>
  readonly sensitive: readonly string[]
}

const properties = {
  url: { type: 'string', minLength: 1, maxLength: 2_000 },
  description: { type: ['string', 'null'], maxLength: 1_000 },
  disabled: { type: ['boolean', 'null'] },
  filter_types: {
    type: ['array', 'null'],
    maxItems: webhookEventTypes.length,
    items: { type: 'string', enum: webhookEventTypes },
  },
  metadata: nullable(textMetadata),
  rate_limit: { type: ['integer', 'null'], minimum: 0, maximum: 2 ** 31 - 1 },
} as const

// The name is a token of RFC 9110 and the value visible text, so that no line break can be smuggled
// in.
const headers = {
  maxProperties: limits.webhookHeadersMax,
  propertyNames: {
    maxLength: 255,
    pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$",
    description: "the name of a header: letters, digits and !#$%&'*+.^_`|~-",
  },
  additionalProperties: {
    type: 'string',
    maxLength: 4_096,
    pattern: '^[\\t\\x20-\\x7e]*$',
    description: 'printable ASCII without line breaks',
  },
} as const

export const webhookCreateSchema = schema<WebhookCreateParams>({
  type: 'object',
  required: ['url'],
  properties: {
    ...properties,
    headers: { type: ['object', 'null'], ...headers },
    idempotency_key: { type: ['string', 'null'], minLength: 1, maxLength: 255 },
  },
})

export const webhookUpdateSchema = schema<WebhookUpdateParams>({
  type: 'object',
  properties: {
    ...properties,
    url: { ...properties.url, type: ['string', 'null'] },
    headers: refused('cannot be changed here: PATCH /webhooks/{id}/headers does it'),
    idempotency_key: refused('belongs to creating an endpoint'),
  },
})

export const headerUpdateSchema = schema<HeaderUpdateParams>({
  type: 'object',
  required: ['headers'],
  properties: { headers: { type: 'object', ...headers } },
})

/** The endpoint that a body asks for. */
export const wantedEndpoint = (params: WebhookCreateParams): WantedEndpoint => ({
  url: params.url,
  description: params.description ?? '',
  disabled: params.disabled ?? false,
  filterTypes: params.filter_types ?? [],
  rateLimit: params.rate_limit ?? null,
  metadata: params.metadata ?? {},
  headers: params.headers ?? {},
  idempotencyKey: params.idempotency_key ?? null,
})

export const endpointChange = (params: WebhookUpdateParams): EndpointChange =>
  defined({
    url: params.url ?? undefined,
    description: params.description === null ? '' : params.description,
    disabled: params.disabled ?? undefined,
    filterTypes: params.filter_types === null ? [] : params.filter_types,
    metadata: params.metadata === null ? {} : params.metadata,
    rateLimit: params.rate_limit,
  })

export const headersView = ({ shown, sensitive }: VisibleHeaders): HeaderRetrieveResponse => ({
  headers: shown,
  sensitive,
})

/** A page of endpoints, with the iterators to the next and previous pages. [requests#lists] */
export const webhookPage = (page: {
  readonly endpoints: readonly WebhookEndpoint[]
  readonly next: string | null
  readonly previous: string | null
}) => ({
  data: page.endpoints.map(toWebhookDetails),
  done: page.next === null,
  iterator: page.next,
  prev_iterator: page.previous,
})

export function toWebhookDetails(endpoint: WebhookEndpoint): WebhookDetails {
  return {
    id: endpoint.webhookId,
    url: endpoint.url,
    description: endpoint.description,
    metadata: endpoint.metadata,
    disabled: endpoint.disabled,
    filter_types: endpoint.filterTypes,
    rate_limit: endpoint.rateLimit,
    created_at: formatInstant(endpoint.createdAt),
    updated_at: formatInstant(endpoint.updatedAt),
  }
}

/** The form that verifier libraries take. [webhooks#signature] */
export const toWebhookSecret = (secret: Uint8Array): string => `whsec_${base64Of(secret)}`

export const secretView = (secret: Uint8Array) => ({ secret: toWebhookSecret(secret) })
