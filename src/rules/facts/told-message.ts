import type { Instant } from '../../std/instant.ts'
import type { WebhookEventType } from './webhook-event-types.ts'

/**
 * How telling one endpoint of a message ended; null: another attempt will be made. `held_back`: the
 * endpoint's backlog was full. [webhooks#messages]
 */
export type DeliveryOutcome = 'delivered' | 'given_up' | 'stopped' | 'held_back' | null

/** A message as one endpoint was, or is to be, sent it. */
export interface SentMessage {
  readonly messageId: string
  readonly webhookId: string
  readonly type: string
  /** What is sent and signed, to the byte. */
  readonly body: string
  /** Made by somebody to try the endpoint: nothing of it happened. */
  readonly test: boolean
  readonly outcome: DeliveryOutcome
  readonly attempts: number
  readonly nextAt: Instant | null
  /** Its number at the endpoint; null where a release made it that numbered none. */
  readonly sequence: number | null
  readonly createdAt: Instant
}

/** One HTTP request of a delivery, and what came back. */
export interface MadeAttempt {
  readonly number: number
  readonly at: Instant
  readonly durationMs: number
  readonly status: number | null
  /** Why it failed; null: it did not. */
  readonly error: string | null
  /** The first 1 KiB; null: nobody answered. */
  readonly answer: string | null
}

/** A message that is made to try an endpoint. */
export interface TestMessage {
  readonly messageId: string
  readonly type: WebhookEventType
  readonly body: string
}
