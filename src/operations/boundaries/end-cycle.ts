import type { Scope } from '../../parts/store/scope.ts'
import type { Subscriptions } from '../../parts/store/subscriptions.ts'
import type { CartItem } from '../../rules/commerce/subscriptions/cart.ts'
import { termsOf } from '../../rules/commerce/subscriptions/cart.ts'
import type { Subscription } from '../../rules/commerce/subscriptions/subscription.ts'
import type { GrantCommand } from '../../rules/credits/commands.ts'
import { expiryAfter } from '../../rules/credits/commands.ts'
import type { Credits } from '../../rules/credits/credits.ts'
import { credits } from '../../rules/credits/credits.ts'
import { endCycle } from '../../rules/credits/cycle-end.ts'
import type { CreditTerms } from '../../rules/credits/terms.ts'
import { segmentAt } from '../../rules/meter/route.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Instant } from '../../std/instant.ts'
import type { AccountDesk, Command } from '../accounts/change.ts'
import { changeAccounts } from '../accounts/change.ts'

export interface CycleNeeds extends AccountDesk {
  readonly subscriptions: Subscriptions
  readonly clock: Clock
}

/**
 * Ends the open cycle of a subscription and begins the next, or lets it expire: closing and opening
 * are one transaction, for all of its entitlements. Until processors exist every renewal counts as
 * paid. Does nothing when somebody else has done it. (design 3, rule 7; rulings 20 and 26)
 */
export async function endSubscriptionCycle(
  needs: CycleNeeds,
  scope: Scope,
  subscriptionId: string,
  at: Instant,
): Promise<void> {
  const subscription = await needs.subscriptions.find(scope, subscriptionId)
  if (subscription === null || subscription.status !== 'active') return
  if (subscription.nextBillingDate !== at) return
  const renewed = renewedAt(subscription, needs.clock.now())
  const { cart, customerId } = subscription
  const keys = cart.map(({ creditEntitlementId: entitlementId }) => ({
    ...scope,
    customerId,
    entitlementId,
  }))
  let over = false
  await changeAccounts<null>(needs, {
    keys,
    at,
    decide: () => cart.map((item) => ending(needs, subscription, renewed, item)),
    write: async (settled) => {
      const changes = settled.map((change) => ({ ...change, announce: true }))
      const renewal = { subscription: renewed, expected: at, changes }
      if (await needs.subscriptions.renew(scope, renewal)) return true
      // Lost: either an account moved (again), or the cycle was ended elsewhere (done).
      const now = await needs.subscriptions.find(scope, subscriptionId)
      over = now?.nextBillingDate !== at || now.status !== 'active'
      return over
    },
    answer: () => null,
  })
}

/** The subscription in its next cycle, or expired when its period is over. [contract B.5] */
function renewedAt(subscription: Subscription, logNow: Instant): Subscription {
  const { nextBillingDate: start, expiresAt } = subscription
  const moved = { ...subscription, updatedAt: start, previousBillingDate: start }
  if (expiresAt !== null && expiresAt <= start) {
    return { ...subscription, status: 'expired', ended: logNow, updatedAt: start }
  }
  return { ...moved, nextBillingDate: cycleAfter(subscription) }
}

/** Where the next cycle ends, or would. */
export const cycleAfter = ({ stretches, nextBillingDate }: Subscription): Instant =>
  segmentAt(stretches, nextBillingDate)?.cycle.end ?? nextBillingDate

function ending(
  needs: CycleNeeds,
  subscription: Subscription,
  renewed: Subscription,
  item: CartItem,
): Command {
  const { subscriptionId, previousBillingDate, nextBillingDate: at } = subscription
  return (projected) => {
    const terms = termsOf(item, projected.precision)
    const governs = projected.governing?.subscriptionId === subscriptionId
    return endCycle(projected.account, {
      subscriptionId,
      cycleAt: previousBillingDate,
      at,
      nextEnd: cycleAfter(subscription),
      rollover: terms.rollover,
      overage: governs ? { behavior: projected.overage.behavior } : null,
      next: renewed.status === 'active' ? nextGrant(needs, subscription, terms) : null,
      newGrantId: () => needs.newId('cgr'),
    })
  }
}

function nextGrant(
  { newId }: CycleNeeds,
  subscription: Subscription,
  terms: CreditTerms,
): GrantCommand | null {
  const { subscriptionId, nextBillingDate: at, metadata, quantity } = subscription
  const amount: Credits = credits(terms.amount * BigInt(quantity))
  if (amount === 0n) return null
  return {
    grantId: newId('cgr'),
    amount,
    source: { type: 'subscription', id: subscriptionId },
    cycleAt: at,
    expiresAt: expiryAfter(terms.expiresAfterDays, at),
    metadata,
    entryType: 'credit_added',
    cause: {
      referenceType: 'subscription',
      referenceId: subscriptionId,
      description: null,
      metadata,
      inputs: { rule: 'cycle_grant', quantity },
    },
  }
}
