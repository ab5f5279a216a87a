import type { NewId } from '../../../std/id.ts'
import type { Instant } from '../../../std/instant.ts'
import { storedBalance } from '../../accounts/account.ts'
import { termsOf } from '../../accounts/attached-credits.ts'
import type { AccountCommand } from '../../accounts/change.ts'
import { formatCredits } from '../../accounts/credits.ts'
import { cutShort } from '../../accounts/cut-short.ts'
import { endCycle } from '../../accounts/cycle-end.ts'
import { project } from '../../accounts/project.ts'
import type { AccountView } from '../../accounts/view.ts'
import { endOf } from '../billing-dates.ts'
import type { PaidDiscount } from '../discounts/discount.ts'
import { overageLines, totalOf } from './bill.ts'
import { grantOfCycle, rolloverOf } from './cycle-grant.ts'
import type { BilledLine, Dues } from './dues.ts'
import { newDues } from './dues.ts'
import { expired, isInTrial } from './lifecycle.ts'
import { cutCommands } from './open-cycle-commands.ts'
import type { CycleItem } from './renewal.ts'
import { cycleAfter, isHeld, itemsOf, renewed } from './renewal.ts'
import type { Happened, Subscription } from './subscription.ts'
import { isOver } from './subscription.ts'
import type { SubscriptionChange } from './subscription-change.ts'
import type { UsageBill } from './usage-bill.ts'

/** What the end of a cycle is decided by, besides the subscription. */
export interface EndingBy {
  /** What is received from this log time on belongs to what follows. */
  readonly log: Instant
  readonly newId: NewId
  readonly views: readonly AccountView[]
  /** What the next cycle of a subscription costs with these lines of what was used. */
  readonly priced: (renewing: Subscription, accrued: readonly BilledLine[]) => PricedRenewal
  /** What was used and not billed. */
  readonly usage: UsageBill
  /** Whether there is something that could pay so much in a currency. */
  readonly canPay: (
    due: Pick<Subscription, 'currency'> & { readonly totalAmount: number },
  ) => boolean
}

/** What a renewal charges, and what that leaves of what lowers it. [subscriptions#renewals] */
export interface PricedRenewal extends Pick<Subscription, 'discounts' | 'owed'> {
  /** Those that cost something, each with its tax. */
  readonly lines: readonly BilledLine[]
  /** Whether the plan itself costs something. */
  readonly recurs: boolean
  /** Codes that lower it. */
  readonly paid: readonly PaidDiscount[]
}

/** What is to be paid: the id of the first attempt, and what it charges. */
export interface RenewalAttempt {
  readonly purpose: 'renewal' | 'settlement'
  readonly paymentId: string
  readonly lines: readonly BilledLine[]
  readonly discounts: readonly PaidDiscount[]
}

export interface CycleEnded extends SubscriptionChange {
  /** Null: nothing is charged. */
  readonly attempt: RenewalAttempt | null
}

/** The entitlements of which the end of the cycle may touch accounts. */
export const endingEntitlements = (before: Subscription): readonly string[] => [
  ...new Set(
    [...before.cart, ...before.leaving, ...(before.scheduled?.plan.cart ?? [])].map(
      (item) => item.creditEntitlementId,
    ),
  ),
]

/**
 * What the end of its open cycle, or the subscription's own end in the middle of it, makes of a
 * subscription and of its customer's accounts. A renewal that charges closes the old cycle and asks
 * to be paid: the new cycle's credits come with the payment. One that charges nothing brings them
 * at once. [credits#cycle-end, subscriptions#renewals, subscriptions#endings]
 */
export function endOfCycle(before: Subscription, by: EndingBy): CycleEnded {
  const at = endOf(before)
  if (at < before.nextBillingDate) {
    const over = expired(before, { at, log: by.log })
    return { ...settled(before, over, by), commands: cutCommands(before, over, 'expiry') }
  }
  const renewing = renewed(before, by.log)
  if (isOver(renewing)) {
    const last = settled(before, renewing, by)
    return { ...last, commands: endingCommands(by.newId, before, last.after) }
  }
  const accrued = accruedBy(before, by)
  // Without anything to charge, what was used waits until there is something; only a price of the
  // next cycle asks all the same, and fails. [subscriptions#renewals]
  const priced = by.priced(renewing, accrued)
  const { discounts, lines, owed, paid } = priced
  const due = { currency: renewing.currency, totalAmount: totalOf(lines) }
  // Who is charged on demand is charged by nothing else. [subscriptions#on-demand]
  const mayPay = renewing.status === 'active' && !renewing.onDemand
  const pays = mayPay && due.totalAmount > 0 && (priced.recurs || by.canPay(due))
  const paymentId = pays ? by.newId('pay') : null
  const purpose = 'renewal' as const
  const attempt = paymentId === null ? null : { purpose, paymentId, lines, discounts: paid }
  // A cycle that costs nothing after all that lowers it is one that they have lowered.
  const isLowered = pays || (mayPay && lines.length === 0)
  const after: Subscription = {
    ...renewing,
    ...(isLowered ? { discounts, owed } : {}),
    unbilled: isLowered ? [] : accrued,
    billedUsage: by.usage.billed,
    dues: attempt === null ? renewing.dues : duesOf(before, attempt, heldOf(by.views, at)),
  }
  const commands = endingCommands(by.newId, before, after)
  return { after, commands, attempt, happened: happenedIn(before, after) }
}

const accruedBy = (
  before: Subscription,
  { usage, views }: Pick<EndingBy, 'usage' | 'views'>,
  at: Instant = endOf(before),
): readonly BilledLine[] => [...before.unbilled, ...usage.lines, ...overageLines(before, views, at)]

const endingCommands = (newId: NewId, before: Subscription, after: Subscription) =>
  new Map(
    itemsOf(before, after).map(
      (item) => [item.entitlementId, ending(newId, { before, after, item })] as const,
    ),
  )

/**
 * A subscription that ends: what was used and not billed is charged once. Where nothing
 * can pay it, or an earlier renewal is to be paid, nothing more is asked.
 * [subscriptions#settling]
 */
export function settled(
  before: Subscription,
  over: Subscription,
  by: Pick<EndingBy, 'canPay' | 'newId' | 'priced' | 'usage' | 'views'>,
): Pick<CycleEnded, 'after' | 'attempt'> {
  const accrued = accruedBy(before, by, over.updatedAt)
  const { lines, owed } = by.priced(over, accrued)
  const after = { ...over, unbilled: accrued, billedUsage: by.usage.billed }
  if (isHeld(before) || accrued.length === 0) return { after, attempt: null }
  const billed = { ...after, owed, unbilled: [] }
  const due = { currency: over.currency, totalAmount: totalOf(lines) }
  if (due.totalAmount === 0) return { after: billed, attempt: null }
  if (!by.canPay(due)) return { after, attempt: null }
  const paymentId = by.newId('pay')
  return { after: billed, attempt: { purpose: 'settlement', paymentId, lines, discounts: [] } }
}

function duesOf(before: Subscription, { paymentId }: RenewalAttempt, held: Dues['held']): Dues {
  const dues = newDues(paymentId, held)
  return before.scheduled === null ? dues : { ...dues, beganPlan: true }
}

/**
 * A renewal that asks to be paid has happened once it is, and the plan that began with it is told
 * with the first news of its payment. [webhooks#kinds]
 */
function happenedIn(before: Subscription, after: Subscription): readonly Happened[] {
  const isPlan = before.scheduled !== null && after.scheduled === null
  const waits = after.dues !== null
  return [
    ...(isPlan && !waits ? (['plan_changed'] as const) : []),
    ...(after.status === 'active' && !waits ? (['renewed'] as const) : []),
  ]
}

/** Balances as they are kept until it is known whether credits come. [credits#low-balance] */
export const heldOf = (
  views: readonly AccountView[],
  at: Instant,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    views.map((view) => {
      const { account } = project(view, at)
      return [view.key.entitlementId, formatCredits(storedBalance(account), account.precision)]
    }),
  )

interface Ending {
  readonly before: Subscription
  readonly after: Subscription
  readonly item: CycleItem
}

function ending(newId: NewId, { before, after, item }: Ending): AccountCommand {
  const { subscriptionId, previousBillingDate: cycleAt, nextBillingDate: at } = before
  const nextEnd = cycleAfter(before)
  const next = isHeld(after) ? null : item.next
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
        next === null
          ? null
          : grantOfCycle(newId, after, {
              terms: termsOf(next, precision),
              precision,
              // The moment names the cycle's end that issued them. [credits#rollover]
              issuing: { rule: 'cycle_grant', endedAt: at },
            }),
      newGrantId: () => newId('cgr'),
    })
    if (!isOver(after)) {
      return after.dues === null || after.dues === before.dues
        ? decided
        : { ...decided, lowFrom: storedBalance(decided.account) }
    }
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
