import assert from 'node:assert/strict'
import { limits } from '../../limits.ts'
import type { Cycle } from '../../std/calendar.ts'
import { calendarMonth } from '../../std/calendar.ts'
import { parseDecimal } from '../../std/decimal.ts'
import { groupBy } from '../../std/group.ts'
import type { Instant } from '../../std/instant.ts'
import { earlierOf } from '../../std/instant.ts'
import type { Fold } from '../meter/fold.ts'
import { mergeFolds } from '../meter/fold.ts'
import type { Link, Stretch } from '../meter/route.ts'
import { linkAt, usage } from '../meter/route.ts'
import type { Account } from './account.ts'
import { emptyAccount } from './account.ts'
import { overageTermsOf, termsOf } from './attached-credits.ts'
import { firstBoundary } from './command-time.ts'
import { noCredits, parseCredits } from './credits.ts'
import type { LowBalanceWatch } from './low-balance.ts'
import type { Decided, Worth } from './settle.ts'
import { settle } from './settle.ts'
import type { CreditTerms, OverageTerms } from './terms.ts'
import type { AccountSubscription, AccountView, UsageRow } from './view.ts'
import type { SegmentUsage } from './worth.ts'
import { worthOfCycle } from './worth.ts'

/** An account settled up to its measured usage, and what else its commands need to know. */
export interface Projected extends Decided {
  readonly at: Instant
  /** The account as stored; an empty one where nothing was stored. */
  readonly before: Account
  readonly precision: number
  readonly overage: OverageTerms
  /**
   * The subscription whose overage terms hold: the earliest-activated one that lives.
   * [meters#who-takes-the-usage]
   */
  readonly governing: AccountSubscription | null
  readonly brandId: string
  readonly watches: readonly LowBalanceWatch[]
}

/**
 * Settles an account in memory. Saved, the result is a settling; not saved, it is a read that is up
 * to date to the last measured event. [machines#settling]
 */
export function project(view: AccountView, at: Instant): Projected {
  const { entitlement } = view
  assert(entitlement !== null)
  const { precision } = entitlement
  const governing = governingSubscription(view)
  const overage = overageOf(view, governing)
  const before = view.stored?.account ?? { ...emptyAccount(precision), overageTerms: overage }
  const settled = measuredBy(
    view,
    settle(before, { worths: worthsOf(view, precision, at), overage }, at),
  )
  const brandId = governing?.brandId ?? view.key.businessId
  const watches = watchesOf(view, precision)
  return { ...settled, at, before, precision, overage, governing, brandId, watches }
}

/**
 * Each usage entry says up to where the log was measured, so that its events can be found again.
 */
const measuredBy = ({ measured }: AccountView, { account, entries }: Decided): Decided => ({
  account,
  entries: entries.map((entry) => {
    const { inputs } = entry.cause
    assert(inputs?.rule === 'usage_deducted' || inputs?.rule === 'usage_returned')
    return { ...entry, cause: { ...entry.cause, inputs: { ...inputs, measured } } }
  }),
})

/** Live subscriptions that carry the entitlement, in the order of their activation. */
export function carriers(view: AccountView): readonly AccountSubscription[] {
  return view.subscriptions
    .filter((subscription) => subscription.ended === null && termsIn(subscription, view) !== null)
    .toSorted(
      (a, b) => a.activatedAt - b.activatedAt || (a.subscriptionId < b.subscriptionId ? -1 : 1),
    )
}

const governingSubscription = (view: AccountView): AccountSubscription | null =>
  carriers(view)[0] ?? null

/** The credit terms of this account's entitlement in a subscription; null when it carries none. */
export function termsIn(subscription: AccountSubscription, view: AccountView): CreditTerms | null {
  const { entitlementId } = view.key
  const item = subscription.cart.find((each) => each.creditEntitlementId === entitlementId)
  return item === undefined ? null : termsOf(item, view.entitlement?.precision ?? 0)
}

function overageOf(view: AccountView, governing: AccountSubscription | null): OverageTerms {
  const own = governing === null ? null : termsIn(governing, view)
  if (own !== null) return own.overage
  assert(view.entitlement !== null)
  return overageTermsOf(view.entitlement, view.entitlement.precision)
}

/**
 * One watch for each subscription's percentage; without a subscription, one for the entitlement's
 * own amount. [credits#low-balance]
 */
function watchesOf(view: AccountView, precision: number): readonly LowBalanceWatch[] {
  const carrying = carriers(view)
  const watches = carrying.flatMap((subscription): LowBalanceWatch[] => {
    const terms = termsIn(subscription, view)
    if (terms?.lowBalancePercent === null || terms?.lowBalancePercent === undefined) return []
    return [
      {
        subscriptionId: subscription.subscriptionId,
        creditsAmount: terms.amount,
        percent: terms.lowBalancePercent,
        amount: null,
      },
    ]
  })
  const threshold = view.entitlement?.lowBalanceThreshold ?? null
  if (carrying.length > 0 || threshold === null) return watches
  const amount = parseCredits(threshold, precision)
  if (amount === null) return watches
  return [{ subscriptionId: null, creditsAmount: noCredits, percent: 0, amount }]
}

/** What each cycle's usage of each meter through each route is worth, in credits. [meters#worth] */
function worthsOf(view: AccountView, precision: number, at: Instant): readonly Worth[] {
  const month = calendarMonth(ownCycleAt(view, at))
  const cycles = groupBy(
    view.usage.filter((row) => isOpen(row, view, month)),
    (row) => `${row.routeId} ${row.meterId} ${row.cycleAt}`,
  )
  return [...cycles.values()].flatMap((rows) => {
    const [first] = rows
    if (first === undefined) return []
    const worth = worthOfCycle(segmentsOf(rows, view), precision)
    return [{ routeId: first.routeId, meterId: first.meterId, cycleAt: first.cycleAt, worth }]
  })
}

/**
 * Whether usage is of a cycle that may be settled. A cycle is settled only after the end of the one
 * before it was applied, so what was measured of it while that boundary waits stays out.
 * [machines#boundaries]
 */
function isOpen(row: UsageRow, { key, subscriptions }: AccountView, month: Cycle): boolean {
  if (row.routeId === key.entitlementId) return row.cycleAt < month.end
  const route = subscriptions.find((each) => each.subscriptionId === row.routeId)
  return route === undefined || route.ended !== null || row.cycleAt < route.nextBillingDate
}

/**
 * Start of the calendar month that an account is in by itself. A new account begins in the month of
 * its first usage: if it began later, the ends of months that have passed would never come for it,
 * and how late it was settled would decide what it owes. But it begins no later than what is due
 * before the usage, where settling stands still: a read says what that settling will say.
 * [meters#who-takes-the-usage, guarantees#determinism]
 */
export function ownCycleAt(view: AccountView, at: Instant): Instant {
  const { key, stored, usage } = view
  if (stored !== null) return stored.ownCycleAt
  const made = earlierOf(at, firstBoundary(view) ?? at)
  return usage
    .filter((row) => row.routeId === key.entitlementId)
    .reduce((first, row) => earlierOf(first, row.cycleAt), calendarMonth(made).start)
}

/** The usage of rows of one cycle, meter and route, with their terms. */
export function segmentsOf(rows: readonly UsageRow[], view: AccountView): readonly SegmentUsage[] {
  const segments = groupBy(rows, (row) => row.segmentAt)
  return [...segments].map(([start, parts]) => {
    const [first, ...others] = parts
    assert(first !== undefined)
    const fold = others.reduce((merged, row) => mergeFolds(merged, foldOf(row)), foldOf(first))
    return { start, fold, link: linkOf(first, view) }
  })
}

/** The terms under which a row of usage was measured. The books keep them, so they always exist. */
function linkOf(row: UsageRow, view: AccountView): Link {
  const { meterId, segmentAt, routeId } = row
  const of = { meterId, entitlementId: view.key.entitlementId }
  const link = linkAt(stretchesOf(routeId, view), segmentAt, of)
  assert(link !== undefined, 'usage has lost its terms')
  return link
}

function stretchesOf(routeId: string, view: AccountView): readonly Stretch[] {
  if (routeId === view.key.entitlementId) return view.entitlement?.stretches ?? []
  return view.subscriptions.find((each) => each.subscriptionId === routeId)?.stretches ?? []
}

function foldOf(row: UsageRow): Fold {
  const value = parseDecimal(row.value, limits.usageScale)
  assert(value !== null)
  const { aggregation, events, lastAt, lastReceived, lastEventId } = row
  const last =
    lastAt === null || lastReceived === null || lastEventId === null
      ? null
      : { at: lastAt, received: lastReceived, eventId: lastEventId }
  return { aggregation, events, value: usage(value), last }
}
