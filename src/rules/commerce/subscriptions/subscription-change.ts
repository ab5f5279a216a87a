import type { AccountCommand } from '../../accounts/change.ts'
import type { Subscription } from './subscription.ts'

/** What becomes of a subscription, and of its customer's accounts with it. */
export interface SubscriptionChange {
  /** Of the version after that of the one before. */
  readonly after: Subscription
  /** By entitlement. Each of these accounts settles on the terms before, then does this. */
  readonly commands: ReadonlyMap<string, AccountCommand>
}
