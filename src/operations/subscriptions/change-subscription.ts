import { Fault } from '../../faults.ts'
import type { AccountChange } from '../../parts/store/accounts.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Subscriptions } from '../../parts/store/subscriptions.ts'
import { endOf } from '../../rules/commerce/subscriptions/lifecycle.ts'
import type { Subscription } from '../../rules/commerce/subscriptions/subscription.ts'
import type { Instant } from '../../std/instant.ts'
import type { AccountDesk, Command } from '../accounts/change.ts'
import { changeAccounts } from '../accounts/change.ts'

export interface SubscriptionDesk extends AccountDesk {
  readonly subscriptions: Subscriptions
}

/** What becomes of a subscription, and of its customer's accounts with it. */
export interface SubscriptionChange {
  readonly before: Subscription
  /** Of the version after that of `before`. */
  readonly after: Subscription
  /** By entitlement. Each of these accounts settles on the terms before, then does this. */
  readonly commands: ReadonlyMap<string, Command>
  readonly at: Instant
}

/**
 * One transaction: the subscription, its customer's routes, the settled accounts and what the
 * commands make of them. False when the subscription was changed meanwhile: decide again on what it
 * became.
 */
export async function changeSubscription(
  desk: SubscriptionDesk,
  scope: Scope,
  { before, after, commands, at }: SubscriptionChange,
): Promise<boolean> {
  const { customerId, subscriptionId } = before
  const moved = new Error('The subscription was changed meanwhile.')
  try {
    await changeAccounts(desk, {
      keys: [...commands.keys()].map((entitlementId) => ({ ...scope, customerId, entitlementId })),
      at,
      decide: () => [...commands.values()],
      write: async (settled) => {
        // Usage of a cycle that opens only now may have been measured before: settle it again.
        const changes = settled.filter(isSomething).map((change) => ({ ...change, announce: true }))
        if (await desk.subscriptions.change(scope, after, changes)) return true
        const now = await desk.subscriptions.find(scope, subscriptionId)
        if (now?.version !== before.version) throw moved
        return false
      },
      answer: () => null,
    })
    return true
  } catch (error) {
    if (error === moved) return false
    throw error
  }
}

/**
 * An end that is due, of a cycle or of the subscription, comes first, and waits for usage that is
 * not measured yet: whoever changed the subscription before it would skip its rollover, its resets
 * and its grant. 503. (design 3, rule 7)
 */
export function refuseDueCycle(subscription: Subscription, at: Instant): void {
  if (subscription.status !== 'active' || endOf(subscription) > at) return
  throw new Fault('UNAVAILABLE', 'The end of a billing cycle is being applied; try again.', {
    retryAfterSeconds: 1,
  })
}

/** An account that was never stored, and that nothing happened to, is not made. */
const isSomething = ({ expected, entries, account }: AccountChange): boolean =>
  expected !== null || entries.length > 0 || account.charges.length > 0
