import type { Scope } from '../../parts/store/scope.ts'
import { termsOf } from '../../rules/commerce/subscriptions/cart.ts'
import type { CycleItem } from '../../rules/commerce/subscriptions/renewal.ts'
import { cycleAfter, itemsOf, renewed } from '../../rules/commerce/subscriptions/renewal.ts'
import type { Subscription } from '../../rules/commerce/subscriptions/subscription.ts'
import type { GrantCommand } from '../../rules/credits/commands.ts'
import { expiryAfter } from '../../rules/credits/commands.ts'
import { credits, formatCredits } from '../../rules/credits/credits.ts'
import { endCycle } from '../../rules/credits/cycle-end.ts'
import type { CreditTerms, RolloverTerms } from '../../rules/credits/terms.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Instant } from '../../std/instant.ts'
import type { Command } from '../accounts/change.ts'
import type { SubscriptionDesk } from '../subscriptions/change-subscription.ts'
import { changeSubscription } from '../subscriptions/change-subscription.ts'
import { cycleGrant } from '../subscriptions/cycle-grant.ts'

export interface CycleNeeds extends SubscriptionDesk {
  readonly clock: Clock
}

/**
 * Ends the open cycle of a subscription and begins the next, or lets it end: closing and opening
 * are one transaction, for all of its entitlements. Until processors exist every renewal counts as
 * paid. Does nothing when somebody else has done it. (design 3, rule 7; rulings 20 and 26)
 */
export async function endSubscriptionCycle(
  needs: CycleNeeds,
  scope: Scope,
  subscriptionId: string,
  at: Instant,
): Promise<void> {
  // A change of the subscription on the way is met by beginning again with what it became.
  for (;;) {
    const before = await needs.subscriptions.find(scope, subscriptionId)
    if (before?.status !== 'active' || before.nextBillingDate !== at) return
    if (await endOnce(needs, scope, before)) return
  }
}

/** False when the subscription was changed meanwhile. */
function endOnce(needs: CycleNeeds, scope: Scope, before: Subscription): Promise<boolean> {
  const after = renewed(before, needs.clock.now())
  const commands = itemsOf(before, after).map(
    (item) => [item.entitlementId, ending(needs, { before, after, item })] as const,
  )
  return changeSubscription(needs, scope, {
    before,
    after,
    commands: new Map(commands),
    at: before.nextBillingDate,
  })
}

interface Ending {
  readonly before: Subscription
  readonly after: Subscription
  readonly item: CycleItem
}

function ending(needs: CycleNeeds, { before, after, item }: Ending): Command {
  const { subscriptionId, previousBillingDate, nextBillingDate: at } = before
  return (projected) => {
    const { precision, governing, overage } = projected
    const terms = item.ending === null ? null : termsOf(item.ending, precision)
    return endCycle(projected.account, {
      subscriptionId,
      cycleAt: previousBillingDate,
      at,
      nextEnd: cycleAfter(before),
      rollover: terms?.rollover ?? noRollover,
      overage: governing?.subscriptionId === subscriptionId ? { behavior: overage.behavior } : null,
      next:
        item.next === null
          ? null
          : nextGrant(needs, after, { terms: termsOf(item.next, precision), precision }),
      newGrantId: () => needs.newId('cgr'),
    })
  }
}

const noRollover: RolloverTerms = {
  enabled: false,
  percentage: null,
  timeframe: null,
  countMax: null,
}

function nextGrant(
  { newId }: CycleNeeds,
  subscription: Subscription,
  { terms, precision }: { readonly terms: CreditTerms; readonly precision: number },
): GrantCommand | null {
  const { previousBillingDate: at, quantity } = subscription
  const amount = credits(terms.amount * BigInt(quantity))
  if (amount === 0n) return null
  const expiresAt = expiryAfter(terms.expiresAfterDays, at)
  const creditsAmount = formatCredits(terms.amount, precision)
  // The moment names the cycle's end that brings them. [contract D.5]
  const inputs = { ended_us: at }
  return cycleGrant(newId, subscription, { amount, creditsAmount, cycleAt: at, expiresAt, inputs })
}
