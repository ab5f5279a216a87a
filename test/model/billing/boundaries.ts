import { clear, command, governing, overageOf, resetOverage, roll } from './account.ts'
import { day, monthOf } from './calendar.ts'
import { closeCycle, cutShort, leaveLast } from './endings.ts'
import { expire } from './placing.ts'
import { endOfNext } from './schedule.ts'
import type { ModelState, ModelSubscription } from './state.ts'
import { concernsCredits } from './subscriptions.ts'

/** A moment that is known ahead, and what happens when it is due. */
interface Boundary {
  readonly at: number
  /** Where two are at the same moment, cycle ends come before expiries. */
  readonly rank: number
  readonly apply: () => void
  /** The subscription that ends, or whose cycle does. */
  readonly of?: ModelSubscription
}

/** Applies everything that is due, in order, and what has become due by that. */
export function sweep(state: ModelState): void {
  for (;;) {
    const next = boundaries(state).at(0)
    if (next === undefined || next.at > state.now) return
    applied(state, next)
  }
}

/** Applies the first that is due, if everything received before it is measured. */
export function applyFirst(state: ModelState): boolean {
  const next = boundaries(state).at(0)
  if (next === undefined || next.at > state.now) return false
  if (state.waiting.some(({ received }) => received < next.at)) return false
  applied(state, next)
  return true
}

/**
 * From here on nothing may happen on the same account or subscription before it.
 * [subscriptions#the-time-of-a-command]
 */
function applied(state: ModelState, { at, apply, of }: Boundary): void {
  const { base } = state
  apply()
  if (state.base !== base) state.accountAt = Math.max(state.accountAt, at)
  if (of !== undefined) of.changedAt = Math.max(of.changedAt, at)
}

export const nextBoundary = (state: ModelState): number | null =>
  boundaries(state).at(0)?.at ?? null

function boundaries(state: ModelState): readonly Boundary[] {
  const { month, base, subscriptions } = state
  const own = month === null ? [] : [ownEnd(state, monthOf(month).end)]
  const ends = subscriptions
    .filter(({ status }) => status === 'active')
    .map((each) =>
      each.periodEnd < each.end
        ? { at: each.periodEnd, rank: 1, of: each, apply: () => endPeriod(state, each) }
        : { at: each.end, rank: 1, of: each, apply: () => endCycle(state, each) },
    )
  const expiries = base.grants.flatMap(({ endsAt: at, name }) =>
    at === null ? [] : [{ at, rank: 2, apply: () => expiry(state, name, at) }],
  )
  return [...own, ...ends, ...expiries].sort((x, y) => x.at - y.at || x.rank - y.rank)
}

/**
 * The end of the account's own calendar month. Overage is reset there only while no subscription
 * governs the account.
 */
const ownEnd = (state: ModelState, at: number): Boundary => ({
  at,
  rank: 0,
  apply: () => {
    const own = governing(state) === null
    command(state, (books) => {
      if (!own) return
      resetOverage(books, state.entitlement)
      clear(books)
    })
    state.month = at
  },
})

/**
 * A subscription's period ends in the middle of a cycle, and the subscription with it.
 * [subscriptions#endings]
 */
function endPeriod(state: ModelState, subscription: ModelSubscription): void {
  if (concernsCredits(subscription)) {
    const governs = governing(state) === subscription
    const { behavior } = overageOf(state)
    const ends = { open: subscription.end, next: endOfNext(subscription, subscription.end) }
    command(state, (books) =>
      cutShort(books, subscription, { ends, closes: governs ? behavior : null }),
    )
  }
  subscription.status = 'expired'
  // In log time, so when it was applied, however long it was due.
  subscription.ended = state.now
  subscription.scheduled = null
}

/**
 * A rolled-over grant of a living subscription may roll over again; any other grant is lost.
 * [credits#rollover]
 */
function expiry(state: ModelState, name: number, at: number): void {
  command(state, (books) => {
    const grant = books.grants.find((each) => each.name === name)
    if (grant === undefined) throw new Error('an expiry of nothing')
    const subscription = grant.of === null ? undefined : state.subscriptions[grant.of]
    const terms = subscription?.ended === null ? subscription.terms : null
    if (grant.source === 'rollover' && subscription !== undefined && terms?.rollover === true) {
      roll(books, grant, { subscription, terms, at, cycleEnd: subscription.end })
    }
    expire(books, grant)
  })
}

/** Closes a cycle and opens the next one. [credits#cycle-end, credits#rollover, credits#overage] */
function endCycle(state: ModelState, subscription: ModelSubscription): void {
  const { start, end: at, scheduled, cancelsAtEnd, periodEnd, terms, leaving } = subscription
  const following = endOfNext(subscription, at)
  const over = cancelsAtEnd ? 'cancelled' : periodEnd <= at ? 'expired' : null
  const next = over !== null ? null : scheduled === null ? terms : scheduled.terms
  const governs = governing(state) === subscription
  const closes = governs ? overageOf(state).behavior : null
  if (terms !== null || leaving !== null || next !== null) {
    command(state, (books) => {
      closeCycle(state, books, subscription, { start, at, following, next, closes })
      if (over !== null) leaveLast(books, subscription, { open: at, next: following })
    })
  }
  turnOver(state, subscription, { at, following, over })
}

function turnOver(
  state: ModelState,
  subscription: ModelSubscription,
  of: {
    readonly at: number
    readonly following: number
    readonly over: 'cancelled' | 'expired' | null
  },
): void {
  const { scheduled, start } = subscription
  subscription.leaving = null
  subscription.scheduled = null
  if (of.over !== null) {
    subscription.status = of.over
    // In log time, so when it was applied, however long it was due.
    subscription.ended = state.now
    return
  }
  subscription.closed.push({ start, end: of.at })
  subscription.start = of.at
  subscription.end = of.following
  if (scheduled === null) return
  if (scheduled.terms === null) subscription.leaving = subscription.terms
  subscription.plan = scheduled.plan
  subscription.terms = scheduled.terms
  subscription.bought = scheduled.terms
  subscription.periodEnd = of.at + scheduled.plan.periodDays * day
  subscription.counting = { anchor: of.at, cycle: scheduled.plan.cycle }
}
