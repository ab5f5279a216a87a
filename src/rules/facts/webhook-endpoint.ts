import type { Instant } from '../../std/instant.ts'
import type { Mode } from '../meter/meter.ts'
import type { WebhookEventType } from './webhook-event-types.ts'

/** Where a business wants its facts told. Secrets are encrypted. */
export interface WebhookEndpoint {
  readonly businessId: string
  readonly mode: Mode
  readonly webhookId: string
  readonly url: string
  readonly description: string
  readonly disabled: boolean
  /** Empty: facts of every type. */
  readonly filterTypes: readonly WebhookEventType[]
  /** Messages per second; null and 0 set no limit. */
  readonly rateLimit: number | null
  readonly metadata: Readonly<Record<string, string>>
  readonly headers: SealedHeaders
  readonly secret: Uint8Array
  /** Oldest first. */
  readonly formerSecrets: readonly FormerSecret[]
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** An endpoint as a caller asks for it. */
export interface WantedEndpoint
  extends Pick<
    WebhookEndpoint,
    'url' | 'description' | 'disabled' | 'filterTypes' | 'rateLimit' | 'metadata'
  > {
  /** Header names and values, not yet encrypted. */
  readonly headers: Readonly<Record<string, string>>
  readonly idempotencyKey: string | null
}

/** The fields to change; absent fields stay as they are. */
export type EndpointChange = Partial<Omit<WantedEndpoint, 'headers' | 'idempotencyKey'>>

export const changedEndpoint = (
  endpoint: WebhookEndpoint,
  change: EndpointChange,
  at: Instant,
): WebhookEndpoint => ({ ...endpoint, ...change, updatedAt: at })

/** With more headers; a name that differs only in case replaces the earlier one. */
export function withHeaders(
  endpoint: WebhookEndpoint,
  headers: SealedHeaders,
  at: Instant,
): WebhookEndpoint {
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()))
  const kept = Object.entries(endpoint.headers).filter(([name]) => !given.has(name.toLowerCase()))
  return { ...endpoint, headers: { ...Object.fromEntries(kept), ...headers }, updatedAt: at }
}

/** With another secret; the one before it stays good until `formerUntil`. Real time. */
export const rotatedEndpoint = (
  endpoint: WebhookEndpoint,
  { secret, formerUntil, now }: Rotation,
  at: Instant,
): WebhookEndpoint => ({
  ...endpoint,
  secret,
  formerSecrets: [...goodSecrets(endpoint, now), { secret: endpoint.secret, until: formerUntil }],
  updatedAt: at,
})

export interface Rotation {
  readonly secret: Uint8Array
  readonly formerUntil: Instant
  readonly now: Instant
}

/** Former secrets that are still good. Real time. */
export const goodSecrets = (
  { formerSecrets }: Pick<WebhookEndpoint, 'formerSecrets'>,
  now: Instant,
): readonly FormerSecret[] => formerSecrets.filter(({ until }) => until > now)

/** What is kept of one that is deleted: none of its secrets. */
export const forgottenEndpoint = (endpoint: WebhookEndpoint): WebhookEndpoint => ({
  ...endpoint,
  headers: {},
  secret: new Uint8Array(),
  formerSecrets: [],
})

/** Headers as callers see them again: of credentials only the names. */
export interface VisibleHeaders {
  readonly shown: Readonly<Record<string, string>>
  readonly sensitive: readonly string[]
}

/** Header name as the caller wrote it → encrypted value in base64. */
export type SealedHeaders = Readonly<Record<string, string>>

/** A secret, sealed, that was replaced and is still good until then. Real time. */
export interface FormerSecret {
  readonly secret: Uint8Array
  readonly until: Instant
}

/** What a secret is encrypted for: it can be opened only at its own endpoint. */
export const secretContext = (endpoint: { readonly webhookId: string }): string =>
  `webhook-secret:${endpoint.webhookId}`

export const headerContext = (endpoint: { readonly webhookId: string }, name: string): string =>
  `webhook-header:${endpoint.webhookId}:${name.toLowerCase()}`

/**
 * Whether a caller may set this header. The headers of the message and of the connection are ours:
 * a caller that could set them could forge a signature's envelope, or smuggle a second request.
 */
export function isFreeHeader(name: string): boolean {
  const lower = name.toLowerCase()
  return !reserved.has(lower) && !prefixes.some((prefix) => lower.startsWith(prefix))
}

const prefixes = ['webhook-', 'proxy-', 'sluice-']

const reserved = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Headers whose values are never shown again, only their names. */
export const isSensitiveHeader = (name: string): boolean => sensitive.has(name.toLowerCase())

const sensitive = new Set([
  'authorization',
  'cookie',
  'www-authenticate',
  'x-api-key',
  'x-auth-token',
])
