import type { WebhookEventType } from '../../rules/facts/webhook-event-types.ts'
import type { Instant } from '../../std/instant.ts'
import type { Scope } from './scope.ts'

/** How far the stream of a business and mode has come. */
export interface StreamHead extends Scope {
  readonly streamId: string
  /** The number of its newest message; 0: it has had none. */
  readonly last: number
}

/** A message at its place in the stream of its business and mode. */
export interface StreamedMessage {
  readonly number: number
  readonly messageId: string
  readonly type: string
  /** Null: its type was not asked for. */
  readonly body: string | null
}

/**
 * All messages of a business and mode in one order, whether or not an endpoint wants them.
 *
 * The relay gives numbers under a lock that it holds until they are committed: a reader that sees a
 * number sees all before it. Each is one more than the one before. Where the next one is missing,
 * messages have gone (they are past their retention, or were not kept), and the reader has a gap.
 * [webhooks#stream]
 */
export interface WebhookStreams {
  /**
   * From now on facts are kept for the stream, until it lapses; `streamId` names it if it is new.
   * One that had lapsed goes on behind a number that no message has.
   */
  keep(scope: Scope, streamId: string, at: Instant): Promise<StreamHead>

  /** Those that there are. */
  heads(scopes: readonly Scope[]): Promise<readonly StreamHead[]>

  /** Null: no message of that id is in the stream. */
  numberOf(scope: Scope, messageId: string): Promise<number | null>

  /** Messages behind `number`, in their order; `types` null: with the bodies of all. */
  after(
    scope: Scope,
    number: number,
    wanted: { readonly types: readonly WebhookEventType[] | null; readonly limit: number },
  ): Promise<readonly StreamedMessage[]>

  /** Keeps no more for streams that nobody has read since `before`. Answers how many. */
  lapse(before: Instant): Promise<number>
}
