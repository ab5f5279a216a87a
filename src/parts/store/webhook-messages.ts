import type { MadeAttempt, SentMessage, TestMessage } from '../../rules/facts/told-message.ts'
import type { Instant } from '../../std/instant.ts'
import type { Page, Scope } from './scope.ts'

/** One endpoint of a business and mode; nothing is found of one that is deleted. */
export interface EndpointKey extends Scope {
  readonly webhookId: string
}

/** One message at one endpoint. */
export interface DeliveryKey extends EndpointKey {
  readonly messageId: string
}

/** What a recovery took up, and what it left for the next. */
export interface Recovered {
  readonly recovered: number
  readonly remaining: number
}

/** What endpoints were told, as people look at it and send it again. [webhooks#messages] */
export interface WebhookMessages {
  find(key: DeliveryKey): Promise<SentMessage | null>

  /** Newest first: in the order of their numbers. */
  page(key: EndpointKey, page: Page): Promise<readonly SentMessage[]>

  /** Newest first. */
  attempts(key: DeliveryKey, page: Page): Promise<readonly MadeAttempt[]>

  /**
   * Makes it due at `at`, whatever became of it, with a schedule of its own; an attempt that is
   * under way belongs to the one before. False where there is no such message or no such endpoint,
   * or this is disabled.
   */
  resend(key: DeliveryKey, at: Instant): Promise<boolean>

  /**
   * The same for what was made from `since` on and has not been delivered, but for tests, and for
   * what nobody has tried yet: up to `most`, the oldest first, and no more than makes `backlogMax`
   * wait.
   */
  recover(
    key: EndpointKey,
    wanted: {
      readonly since: Instant
      readonly at: Instant
      readonly most: number
      readonly backlogMax: number
    },
  ): Promise<Recovered>

  /** Keeps a message for this endpoint alone, due at `at`, once; false as for `resend`. */
  insertTest(key: EndpointKey, message: TestMessage, at: Instant): Promise<boolean>
}
