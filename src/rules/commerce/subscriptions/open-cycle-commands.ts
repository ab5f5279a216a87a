import type { CartItem } from '../../accounts/attached-credits.ts'
import type { AccountCommand } from '../../accounts/change.ts'
import { cutShort } from '../../accounts/cut-short.ts'
import type { CycleMove } from '../../accounts/cycle-move.ts'
import { moveCycle } from '../../accounts/cycle-move.ts'
import type { EarlyEnd } from '../../accounts/early-end.ts'
import { isInTrial, resumed } from './lifecycle.ts'
import { cycleAfter } from './renewal.ts'
import type { Subscription } from './subscription.ts'

/**
 * What each account of a subscription does when the open cycle gets other dates, or an unknown end.
 */
export const moveCommands = (
  before: Subscription,
  after: Subscription,
): ReadonlyMap<string, AccountCommand> =>
  new Map(
    carriedBy(before).map((item): [string, AccountCommand] => [
      item.creditEntitlementId,
      ({ account }) => moveCycle(account, moveOf(before, after, item)),
    ]),
  )

/**
 * Rolled grants without a timeframe, and credits that end with their trial, end where the open
 * cycle now ends. While the subscription is paused that is not known. [credits#cycle-end,
 * credits#rollover]
 */
export function moveOf(
  before: Subscription,
  after: Subscription,
  item: CartItem | null,
): CycleMove {
  const from = before.status === 'paused' ? null : before.nextBillingDate
  const to = after.status === 'paused' ? null : after.nextBillingDate
  const begunAt = isInTrial(before) && to !== from ? before.activatedAt : null
  const hasTimeframe = (item?.rolloverTimeframeCount ?? null) !== null
  const trial = { begunAt, end: to, expiresAfterDays: item?.expiresAfterDays ?? null }
  return {
    subscriptionId: before.subscriptionId,
    next: { from: before.nextBillingDate, to: after.nextBillingDate },
    ...(hasTimeframe ? {} : { rolledEnd: { from, to } }),
    ...(begunAt === null ? {} : { trial: { ...trial, begunAt } }),
  }
}

/**
 * What each account does when its subscription is over in the middle of the open cycle: what the
 * cycle granted lasts until its planned end, and overage is closed. The cycle of a paused
 * subscription counts as ending where it would if it resumed. [credits#endings, credits#overage]
 */
export function cutCommands(
  before: Subscription,
  over: Subscription,
  by: EarlyEnd['by'],
): ReadonlyMap<string, AccountCommand> {
  const { subscriptionId, status } = before
  const { updatedAt: at } = over
  const going = status === 'paused' ? resumed(before, { at, log: at }) : before
  const ends = { open: going.nextBillingDate, next: cycleAfter(going) }
  return new Map(
    carriedBy(before).map((item): [string, AccountCommand] => [
      item.creditEntitlementId,
      ({ account, governing, overage }) =>
        cutShort(moveCycle(account, moveOf(before, going, item)).account, {
          subscriptionId,
          at,
          ends,
          next: going.nextBillingDate,
          overage:
            governing?.subscriptionId === subscriptionId
              ? { behavior: overage.behavior, early: { by, subscriptionId } }
              : null,
        }),
    ]),
  )
}

const carriedBy = ({ cart, leaving }: Subscription): readonly CartItem[] => [...cart, ...leaving]
