import type {
  EndpointChange,
  SealedHeaders,
  WebhookEndpoint,
} from '../../rules/facts/webhook-endpoint.ts'
import type { Mode } from '../../rules/meter/meter.ts'
import type { Instant } from '../../std/instant.ts'

/** Whose endpoints are meant: nothing outside of it is ever found. */
export interface EndpointScope {
  readonly businessId: string
  readonly mode: Mode
}

/** A place in the list, newest first. */
export interface EndpointPlace {
  readonly createdAt: Instant
  readonly webhookId: string
}

/** The webhook endpoints that are not deleted. */
export interface WebhookEndpoints {
  /**
   * An idempotency key that was used before changes nothing and answers the earlier endpoint. Null,
   * and nothing is written, where the business has `most` endpoints, in both modes together.
   */
  insert(
    endpoint: WebhookEndpoint,
    idempotencyKey: string | null,
    most: number,
  ): Promise<WebhookEndpoint | null>

  find(scope: EndpointScope, webhookId: string): Promise<WebhookEndpoint | null>

  /** Up to `limit` endpoints, newest first: those right after a place, or right before it. */
  page(
    scope: EndpointScope,
    from: { readonly after: EndpointPlace | null } | { readonly before: EndpointPlace },
    limit: number,
  ): Promise<readonly WebhookEndpoint[]>

  /** Null when there is none. Disabling stops the endpoint's pending attempts for good. */
  change(
    scope: EndpointScope,
    webhookId: string,
    change: EndpointChange & { readonly at: Instant },
  ): Promise<WebhookEndpoint | null>

  /** Adds `headers` to those kept; a name that differs only in case replaces the earlier one. */
  mergeHeaders(
    scope: EndpointScope,
    webhookId: string,
    change: { readonly headers: SealedHeaders; readonly at: Instant },
  ): Promise<boolean>

  /**
   * Replaces the secret; the one before it stays good until `formerUntil`, beside at most `most`.
   * False where there is no such endpoint, or `most` are good already. Real time.
   */
  rotate(
    scope: EndpointScope,
    webhookId: string,
    change: {
      readonly secret: Uint8Array
      readonly now: Instant
      readonly formerUntil: Instant
      readonly most: number
      readonly at: Instant
    },
  ): Promise<boolean>

  /** False when there is none. Forgets its secrets and stops its pending attempts. */
  remove(scope: EndpointScope, webhookId: string, at: Instant): Promise<boolean>
}
