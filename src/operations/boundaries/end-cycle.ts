import assert from 'node:assert/strict'
import type { Scope } from '../../parts/store/scope.ts'
import { termsOf } from '../../rules/accounts/attached-credits.ts'
import type { AccountCommand } from '../../rules/accounts/change.ts'
import { cutShort } from '../../rules/accounts/cut-short.ts'
import { endCycle } from '../../rules/accounts/cycle-end.ts'
import { endOf } from '../../rules/commerce/billing-dates.ts'
import { expired, isInTrial } from '../../rules/commerce/subscriptions/lifecycle.ts'
import type { CycleItem } from '../../rules/commerce/subscriptions/renewal.ts'
import { cycleAfter, itemsOf, renewed } from '../../rules/commerce/subscriptions/renewal.ts'
import type { Subscription } from '../../rules/commerce/subscriptions/subscription.ts'
import type { Instant } from '../../std/instant.ts'
import { Due } from '../accounts/change-accounts.ts'
import { untilWritten } from '../accounts/tries.ts'
import type { SubscriptionChange, SubscriptionDesk } from '../subscriptions/change-subscription.ts'
import { tryChangeSubscription } from '../subscriptions/change-subscription.ts'
import { cutCommands } from '../subscriptions/cycle-commands.ts'
import { grantOfCycle, rolloverOf } from '../subscriptions/cycle-grant.ts'

export type CycleNeeds = SubscriptionDesk

/**
 * Ends the open cycle of a subscription and begins the next, or lets it end, with its cycle or in
 * the middle of it: closing and opening are one transaction, for all of its entitlements. Until
 * processors exist every renewal counts as paid. Does nothing when somebody else has done it.
 * [machines#boundaries, credits#cycle-end, subscriptions#cycles]
 */
export async function endSubscriptionCycle(
  needs: CycleNeeds,
  scope: Scope,
  subscriptionId: string,
  at: Instant,
): Promise<void> {
  await untilWritten<undefined>(needs, 'cycle_end', async () => {
    const before = await needs.subscriptions.find(scope, subscriptionId)
    if (before?.status !== 'active' || endOf(before) !== at) return undefined
    const { after, commands } = ended(needs, before)
    const tried = await tryChangeSubscription(needs, scope, {
      operation: 'cycle_end',
      before,
      prepared: { entitlementIds: [...commands.keys()], decide: () => ({ after, commands }) },
      at: () => at,
    })
    assert(!(tried instanceof Due))
    return tried
  })
}

/** What its end makes of a subscription. */
function ended(needs: CycleNeeds, before: Subscription): SubscriptionChange {
  const [at, log] = [endOf(before), needs.clock.now()]
  if (at < before.nextBillingDate) {
    const after = expired(before, { at, log })
    return { after, commands: cutCommands(before, after, 'expiry') }
  }
  const after = renewed(before, log)
  const commands = itemsOf(before, after).map(
    (item) => [item.entitlementId, ending(needs, { before, after, item })] as const,
  )
  return { after, commands: new Map(commands) }
}

interface Ending {
  readonly before: Subscription
  readonly after: Subscription
  readonly item: CycleItem
}

function ending(needs: CycleNeeds, { before, after, item }: Ending): AccountCommand {
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
              // The moment names the cycle's end that brings them. [credits#rollover]
              inputs: { ended_us: at },
            }),
      newGrantId: () => needs.newId('cgr'),
    })
    if (after.status === 'active') return decided
    // Credits of a trial may belong to a first paid cycle, which does not come.
    // [subscriptions#trials, credits#endings]
    const ends = { open: at, next: nextEnd }
    const { account } = cutShort(decided.account, {
      ...{ subscriptionId, at, next: at, ends, overage: null },
    })
    return { account, entries: decided.entries }
  }
}
