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

/** An account settled up to its measured usage, and what its commands need to know besides. */
export interface Projected extends Decided {
  readonly at: Instant
  /** As it was stored; the empty account where nothing was. */
  readonly before: Account
  readonly precision: number
  readonly overage: OverageTerms
  /**
   * The one whose overage terms hold: the earliest-activated that lives.
   * [meters#who-takes-the-usage]
   */
  readonly governing: AccountSubscription | null
  readonly brandId: string
  readonly watches: readonly LowBalanceWatch[]
}

/**
 * Settles in memory. Saved, it is a settling; unsaved, a read, fresh to the last measured event.
 * [machines#settling]
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

/** Each usage entry says up to where the log was measured, so that its events can be told. */
const measuredBy = ({ measured }: AccountView, { account, entries }: Decided): Decided => ({
  account,
  entries: entries.map((entry) => {
    const inputs = { ...entry.cause.inputs, measured }
    return { ...entry, cause: { ...entry.cause, inputs } }
  }),
})

/** Live ones that carry the entitlement, in order of activation. */
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
 * Each subscription's own percentage; without one, the entitlement's amount. [credits#low-balance]
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

/** Each cycle's usage of each meter through each route, as credits. [meters#worth] */
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
 * Usage of a cycle is settled only after the previous one's end was applied, so what was measured
 * of the next cycle while the boundary waits stays out. [machines#boundaries]
 */
function isOpen(row: UsageRow, { key, subscriptions }: AccountView, month: Cycle): boolean {
  if (row.routeId === key.entitlementId) return row.cycleAt < month.end
  const route = subscriptions.find((each) => each.subscriptionId === row.routeId)
  return route === undefined || route.ended !== null || row.cycleAt < route.nextBillingDate
}

/**
 * Start of the calendar month that an account is in by itself. One that is only now to be made
 * begins with its first usage, or the end of a month that passed meanwhile would never come for it,
 * and how late it was settled would decide what it owes; and no later than what is due before it,
 * whose settling stands still there: a read says what that will. [meters#who-takes-the-usage,
 * guarantees#determinism]
 */
export function ownCycleAt(view: AccountView, at: Instant): Instant {
  const { key, stored, usage } = view
  if (stored !== null) return stored.ownCycleAt
  const made = earlierOf(at, firstBoundary(view) ?? at)
  return usage
    .filter((row) => row.routeId === key.entitlementId)
    .reduce((first, row) => earlierOf(first, row.cycleAt), calendarMonth(made).start)
}

/** Rows of one cycle's usage of one meter through one route, with their terms. */
export function segmentsOf(rows: readonly UsageRow[], view: AccountView): readonly SegmentUsage[] {
  const segments = groupBy(rows, (row) => row.segmentAt)
  return [...segments].map(([start, parts]) => {
    const [first, ...others] = parts
    assert(first !== undefined)
    const fold = others.reduce((merged, row) => mergeFolds(merged, foldOf(row)), foldOf(first))
    return { start, fold, link: linkOf(first, view) }
  })
}

/** The terms that a row of usage was measured under: they are kept, so they are always there. */
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
