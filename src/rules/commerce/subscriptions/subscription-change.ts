import type { AccountCommand } from '../../accounts/change.ts'
import type { Happened, Subscription } from './subscription.ts'

/** What becomes of a subscription, and of its customer's accounts with it. */
export interface SubscriptionChange {
  /** The subscription afterwards, with the version after that of the one before. */
  readonly after: Subscription
  /**
   * Commands by entitlement. Each account settles on the old terms first, then does its command.
   */
  readonly commands: ReadonlyMap<string, AccountCommand>
  /** Absent: nothing besides its status. */
  readonly happened?: readonly Happened[]
}
