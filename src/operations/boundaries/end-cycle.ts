import type { Scope } from '../../parts/store/scope.ts'
import { termsOf } from '../../rules/commerce/subscriptions/cart.ts'
import { endOf, expired, isInTrial } from '../../rules/commerce/subscriptions/lifecycle.ts'
import type { CycleItem } from '../../rules/commerce/subscriptions/renewal.ts'
import { cycleAfter, itemsOf, renewed } from '../../rules/commerce/subscriptions/renewal.ts'
import type { Subscription } from '../../rules/commerce/subscriptions/subscription.ts'
import { cutShort } from '../../rules/credits/cut-short.ts'
import { endCycle } from '../../rules/credits/cycle-end.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Instant } from '../../std/instant.ts'
import type { Command } from '../accounts/change.ts'
import type { SubscriptionDesk } from '../subscriptions/change-subscription.ts'
import { changeSubscription } from '../subscriptions/change-subscription.ts'
import { cutCommands } from '../subscriptions/cycle-commands.ts'
import { grantOfCycle, rolloverOf } from '../subscriptions/cycle-grant.ts'

export interface CycleNeeds extends SubscriptionDesk {
  readonly clock: Clock
}

/**
 * Ends the open cycle of a subscription and begins the next, or lets it end, with its cycle or in
 * the middle of it: closing and opening
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
    if (before?.status !== 'active' || endOf(before) !== at) return
    if (await endOnce(needs, scope, before)) return
  }
}

/** False when the subscription was changed meanwhile. */
function endOnce(needs: CycleNeeds, scope: Scope, before: Subscription): Promise<boolean> {
  const [at, log] = [endOf(before), needs.clock.now()]
  if (at < before.nextBillingDate) {
    const after = expired(before, { at, log })
    const commands = cutCommands(before, after, 'expiry')
    return changeSubscription(needs, scope, { before, after, commands, at })
  }
  const after = renewed(before, log)
  const commands = itemsOf(before, after).map(
    (item) => [item.entitlementId, ending(needs, { before, after, item })] as const,
  )
  return changeSubscription(needs, scope, { before, after, commands: new Map(commands), at })
}

interface Ending {
  readonly before: Subscription
  readonly after: Subscription
  readonly item: CycleItem
}

function ending(needs: CycleNeeds, { before, after, item }: Ending): Command {
  const { subscriptionId, previousBillingDate: cycleAt, nextBillingDate: at } = before
  const nextEnd = cycleAfter(before)
  return (projected) => {
    const { precision, governing, overage } = projected
    const decided = endCycle(projected.account, {
      ...{ subscriptionId, cycleAt, at, nextEnd, isTrial: isInTrial(before) },
      rollover: rolloverOf(item.ending),
      overage: governing?.subscriptionId === subscriptionId ? { behavior: overage.behavior } : null,
      next:
        item.next === null
          ? null
          : grantOfCycle(needs.newId, after, {
              ...{ terms: termsOf(item.next, precision), precision },
              // The moment names the cycle's end that brings them. [contract D.5]
              inputs: { ended_us: at },
            }),
      newGrantId: () => needs.newId('cgr'),
    })
    if (after.status === 'active') return decided
    // Credits of a trial may belong to a first paid cycle, which does not come. [rulings 20, 39]
    const ends = { open: at, next: nextEnd }
    const { account } = cutShort(decided.account, {
      ...{ subscriptionId, at, next: at, ends, overage: null },
    })
    return { account, entries: decided.entries }
  }
}
