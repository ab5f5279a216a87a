import {
  clear,
  command,
  endAfter,
  governing,
  overageOf,
  resetOverage,
  roll,
  touch,
} from './account.ts'
import { day, monthOf } from './calendar.ts'
import { addGrant, expire, isDue } from './placing.ts'
import type { Terms } from './program.ts'
import { endOfNext } from './schedule.ts'
import type { ModelBooks, ModelGrant, ModelState, ModelSubscription } from './state.ts'

/** A known moment that is applied when it is due. */
interface Boundary {
  readonly at: number
  /** Cycle ends come before expiries of the same moment. */
  readonly rank: number
  readonly apply: () => void
}

/** Everything that is due, in its order; what one brings about may be due as well. */
export function sweep(state: ModelState): void {
  for (;;) {
    const next = boundaries(state).at(0)
    if (next === undefined || next.at > state.now) return
    next.apply()
  }
}

export const nextBoundary = (state: ModelState): number | null =>
  boundaries(state).at(0)?.at ?? null

function boundaries(state: ModelState): readonly Boundary[] {
  const { month, base, subscriptions } = state
  const own = month === null ? [] : [ownEnd(state, monthOf(month).end)]
  const ends = subscriptions
    .filter(({ status }) => status === 'active')
    .map((each) => ({ at: each.end, rank: 1, apply: () => endCycle(state, each) }))
  const expiries = base.grants.flatMap(({ endsAt: at, name }) =>
    at === null ? [] : [{ at, rank: 2, apply: () => expiry(state, name, at) }],
  )
  return [...own, ...ends, ...expiries].sort((x, y) => x.at - y.at || x.rank - y.rank)
}

/** The account's own calendar month: the resets are a subscription's while one governs. */
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

/** A rolled grant of a subscription that lives may roll again; any other is gone. [ruling 24] */
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

/**
 * Closing and opening are one: rolled over and forfeited, expired, overage settled, added, repaid.
 * [rulings 19 and 20, contract D.5 and D.6]
 */
function endCycle(state: ModelState, subscription: ModelSubscription): void {
  const { start, end: at, scheduled, cancelsAtEnd, periodEnd, terms, leaving } = subscription
  const following = endOfNext(subscription, at)
  const over = cancelsAtEnd ? 'cancelled' : periodEnd <= at ? 'expired' : null
  const next = over !== null ? null : scheduled === null ? terms : scheduled.terms
  const governs = governing(state) === subscription
  const { behavior } = overageOf(state)
  const close = (books: ModelBooks): void => {
    endGrants(books, subscription, { start, at, following })
    if (governs) resetOverage(books, { behavior })
    if (next !== null) {
      const grant = issue(state, books, { of: subscription.number, terms: next, at })
      if (governs && behavior === 'carry_deficit_auto_repay') repay(books, grant)
    }
    if (governs) clear(books)
  }
  if (terms !== null || leaving !== null || next !== null) command(state, close)
  turnOver(state, subscription, { at, following, over })
}

/**
 * The cycle's own grants, whole; rolled ones that are due; whatever of the customer's is due.
 */
function endGrants(
  books: ModelBooks,
  subscription: ModelSubscription,
  { start, at, following }: { readonly start: number; readonly at: number; following: number },
): void {
  const { number, terms } = subscription
  const isOfCycle = (grant: ModelGrant): boolean =>
    grant.of === number &&
    grant.source === 'subscription' &&
    grant.cycle !== null &&
    grant.cycle <= start
  const ending = books.grants.filter((grant) => {
    // What others rolled over has an end of its own, even at this moment.
    if (isDue(grant, at) && grant.source !== 'rollover') return true
    return isOfCycle(grant) || (grant.of === number && isDue(grant, at))
  })
  for (const grant of ending) {
    // Its expiry period ended it sooner than the cycle did.
    const sooner = grant.source === 'subscription' && grant.endsAt !== null && grant.endsAt < at
    const rolls = grant.source === 'rollover' || isOfCycle(grant)
    if (terms?.rollover === true && rolls && !sooner) {
      roll(books, grant, { subscription, terms, at, cycleEnd: following })
    }
  }
  for (const grant of ending) expire(books, grant)
}

function issue(
  state: ModelState,
  books: ModelBooks,
  { of, terms, at }: { readonly of: number; readonly terms: Terms; readonly at: number },
): ModelGrant {
  touch(state, at)
  books.totals.granted += terms.amount
  return addGrant(books, {
    ...{ source: 'subscription', of, parent: null, count: 0, initial: terms.amount, cycle: at },
    ...{ endsWithCycle: false, endsAt: endAfter(terms.expiresAfterDays, at), createdAt: at },
  })
}

/** Only the cycle's own grant repays. [ruling 20] */
function repay(books: ModelBooks, grant: ModelGrant): void {
  const repaid = Math.min(grant.remaining, books.overage)
  grant.remaining -= repaid
  books.overage -= repaid
  books.totals.repaid += repaid
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
    // In log time: when it was done, whenever it was due.
    subscription.ended = state.now
    return
  }
  subscription.closed.push({ start, end: of.at })
  subscription.start = of.at
  subscription.end = of.following
  if (scheduled === null) return
  subscription.plan = scheduled.plan
  subscription.terms = scheduled.terms
  subscription.periodEnd = of.at + scheduled.plan.periodDays * day
  subscription.counting = { anchor: of.at, cycle: scheduled.plan.cycle }
}
