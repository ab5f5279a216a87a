import type { NewId } from '../../../std/id.ts'
import type { Instant } from '../../../std/instant.ts'
import { termsOf } from '../../accounts/attached-credits.ts'
import type { AccountCommand } from '../../accounts/change.ts'
import { cutShort } from '../../accounts/cut-short.ts'
import { endCycle } from '../../accounts/cycle-end.ts'
import { endOf } from '../billing-dates.ts'
import { grantOfCycle, rolloverOf } from './cycle-grant.ts'
import { expired, isInTrial } from './lifecycle.ts'
import { cutCommands } from './open-cycle-commands.ts'
import type { CycleItem } from './renewal.ts'
import { cycleAfter, itemsOf, renewed } from './renewal.ts'
import type { Subscription } from './subscription.ts'
import type { SubscriptionChange } from './subscription-change.ts'

/**
 * What the end of its open cycle, or the subscription's own end in the middle of it, makes of a
 * subscription and of its customer's accounts. `log`: what is received from this log time on
 * belongs to what follows. [credits#cycle-end, subscriptions#cycles, subscriptions#endings]
 */
export function endOfCycle(
  before: Subscription,
  { log, newId }: { readonly log: Instant; readonly newId: NewId },
): SubscriptionChange {
  const at = endOf(before)
  if (at < before.nextBillingDate) {
    const after = expired(before, { at, log })
    return { after, commands: cutCommands(before, after, 'expiry') }
  }
  const after = renewed(before, log)
  const commands = itemsOf(before, after).map(
    (item) => [item.entitlementId, ending(newId, { before, after, item })] as const,
  )
  return { after, commands: new Map(commands) }
}

interface Ending {
  readonly before: Subscription
  readonly after: Subscription
  readonly item: CycleItem
}

function ending(newId: NewId, { before, after, item }: Ending): AccountCommand {
  const { subscriptionId, previousBillingDate: cycleAt, nextBillingDate: at } = before
  const nextEnd = cycleAfter(before)
  return (projected) => {
    const { precision, governing, overage } = projected
    const decided = endCycle(projected.account, {
      subscriptionId,
      cycleAt,
      at,
      nextEnd,
      isTrial: isInTrial(before),
      rollover: rolloverOf(item.ending),
      overage: governing?.subscriptionId === subscriptionId ? { behavior: overage.behavior } : null,
      next:
        item.next === null
          ? null
          : grantOfCycle(newId, after, {
              terms: termsOf(item.next, precision),
              precision,
              // The moment names the cycle's end that issued them. [credits#rollover]
              issuing: { rule: 'cycle_grant', endedAt: at },
            }),
      newGrantId: () => newId('cgr'),
    })
    if (after.status === 'active') return decided
    // A trial's credits may belong to a first paid cycle that now never comes.
    // [subscriptions#trials, credits#endings]
    const ends = { open: at, next: nextEnd }
    const { account } = cutShort(decided.account, {
      subscriptionId,
      at,
      next: at,
      ends,
      overage: null,
    })
    return { account, entries: decided.entries }
  }
}
