import type { WebhookEndpoint } from '../../rules/facts/webhook-endpoint.ts'
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
  find(scope: EndpointScope, webhookId: string): Promise<WebhookEndpoint | null>

  /** The one that was made with this idempotency key. */
  keyed(scope: EndpointScope, idempotencyKey: string): Promise<WebhookEndpoint | null>

  /** How many a business has, in both modes together. */
  counted(businessId: string): Promise<number>

  /** Up to `limit` endpoints, newest first: those right after a place, or right before it. */
  page(
    scope: EndpointScope,
    from: { readonly after: EndpointPlace | null } | { readonly before: EndpointPlace },
    limit: number,
  ): Promise<readonly WebhookEndpoint[]>
}
