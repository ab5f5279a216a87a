import { clear, endAfter, resetOverage, roll, touch } from './account.ts'
import { addGrant, expire, isDue } from './placing.ts'
import type { Behavior, Terms } from './program.ts'
import type { ModelBooks, ModelGrant, ModelState, ModelSubscription } from './state.ts'

/**
 * How overage is closed, by the terms that govern it; null: another subscription's terms govern.
 * [credits#overage]
 */
type Closing = Behavior | null

/** A cycle that ends, and the one that begins then. */
interface Turn {
  readonly start: number
  readonly at: number
  /** Where the next cycle ends, or would end. */
  readonly following: number
  /** The terms of its credits; null: there is no next cycle, or none with these credits. */
  readonly next: Terms | null
  readonly closes: Closing
}

/**
 * Closes a cycle, at its end or where a change of plans begins another: rolls over and forfeits,
 * expires, settles overage, adds the next credits and repays. [credits#cycle-end, credits#overage,
 * credits#rollover]
 */
export function closeCycle(
  state: ModelState,
  books: ModelBooks,
  subscription: ModelSubscription,
  turn: Turn,
): void {
  const { at, next, closes } = turn
  endGrants(books, subscription, turn)
  if (closes !== null) resetOverage(books, { behavior: closes })
  if (next !== null) {
    const grant = issue(state, books, { of: subscription.number, terms: next, at })
    if (closes === 'carry_deficit_auto_repay') repay(books, grant)
  }
  if (closes !== null) clear(books)
}

/**
 * Ends the cycle's own grants, the rolled-over ones that are due, and all others of the customer
 * that are due.
 */
function endGrants(
  books: ModelBooks,
  subscription: ModelSubscription,
  { start, at, following }: Turn,
): void {
  const { number, terms } = subscription
  const isOfCycle = (grant: ModelGrant): boolean =>
    grant.of === number &&
    grant.source === 'subscription' &&
    grant.cycle !== null &&
    grant.cycle <= start
  const ending = books.grants.filter((grant) => {
    // Credits that another subscription has rolled over end by themselves, even at this moment.
    if (isDue(grant, at) && grant.source !== 'rollover') return true
    return isOfCycle(grant) || (grant.of === number && isDue(grant, at))
  })
  const trial = isInTrial(subscription)
  for (const grant of ending) {
    // A grant that expires ended sooner than its cycle does.
    const sooner = grant.source === 'subscription' && grant.endsAt !== null && grant.endsAt < at
    // Credits that expire with a trial never roll over. [subscriptions#trials]
    const rolls = grant.source === 'rollover' || (isOfCycle(grant) && !trial)
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
    source: 'subscription',
    of,
    parent: null,
    count: 0,
    initial: terms.amount,
    cycle: at,
    endsWithCycle: false,
    endsAt: endAfter(terms.expiresAfterDays, at),
    createdAt: at,
  })
}

/** Repays overage, which only the cycle's own grant does. [credits#cycle-end] */
function repay(books: ModelBooks, grant: ModelGrant): void {
  const repaid = Math.min(grant.remaining, books.overage)
  grant.remaining -= repaid
  books.overage -= repaid
  books.totals.repaid += repaid
}

/** The end that the open cycle had, and the end of the cycle after it. */
interface Ends {
  readonly open: number
  readonly next: number
}

/**
 * Ends a subscription in the middle of its cycle. [credits#endings, credits#overage,
 * subscriptions#endings]
 */
export function cutShort(
  books: ModelBooks,
  subscription: ModelSubscription,
  { ends, closes }: { readonly ends: Ends; readonly closes: Closing },
): void {
  leaveLast(books, subscription, ends)
  closeOverage(books, closes)
}

/** Its grants last until their cycle would have ended, or until their own end. [credits#endings] */
export function leaveLast(books: ModelBooks, { number }: ModelSubscription, ends: Ends): void {
  for (const grant of books.grants) {
    if (grant.of !== number || grant.source !== 'subscription') continue
    const end = grant.cycle === ends.open ? ends.next : ends.open
    grant.endsAt = Math.min(grant.endsAt ?? end, end)
  }
}

export function closeOverage(books: ModelBooks, closes: Closing): void {
  if (closes === null) return
  resetOverage(books, { behavior: closes })
  clear(books)
}

/** Whether the open cycle is the trial, which is the first. */
export const isInTrial = ({ start, activatedAt, hasTrial }: ModelSubscription): boolean =>
  hasTrial && start === activatedAt
