import { day, monthOf } from './calendar.ts'
import { addGrant, balanceOf, placed } from './placing.ts'
import type { Settings, Terms } from './program.ts'
import type { ModelBooks, ModelGrant, ModelState, ModelSubscription } from './state.ts'
import { worths } from './usage.ts'

/** The account as it is now, whether or not it was settled on the way. [guarantees#determinism] */
export function settled(state: ModelState): ModelBooks {
  const present = worths(state)
  // A key whose usage is all voided is in no present worth, but may have been worth something.
  const keys = new Set([...Object.keys(present), ...Object.keys(state.worthAtBase)])
  let demand = 0
  for (const key of keys) demand += (present[key] ?? 0) - (state.worthAtBase[key] ?? 0)
  return placed(state.base, demand, overageOf(state))
}

/** Every command and every boundary settles, acts, and makes a new base. [machines#settling] */
export function command(state: ModelState, act?: (books: ModelBooks) => void): void {
  const books = settled(state)
  state.worthAtBase = worths(state)
  act?.(books)
  state.base = books
}

/** Makes the account at its first command or usage, in the calendar month of that moment. */
export function touch(state: ModelState, at: number): void {
  state.month ??= monthOf(at).start
}

/**
 * The earliest-activated subscription that lives and carries the credits.
 * [meters#who-takes-the-usage]
 */
export const governing = (state: ModelState): ModelSubscription | null =>
  state.subscriptions.find(({ ended, terms }) => ended === null && terms !== null) ?? null

export function overageOf(state: ModelState): Pick<Terms, 'overage' | 'limit' | 'behavior'> {
  const terms = governing(state)?.terms
  if (terms !== null && terms !== undefined) return terms
  const { overage, limit, behavior } = state.entitlement
  return { overage, limit: limit === null ? null : limit * 10, behavior }
}

/** Adds a grant. [resources#adjustments] */
export function credit(
  state: ModelState,
  { amount, endsAt }: { readonly amount: number; readonly endsAt: number | null },
): boolean {
  if (endsAt !== null && endsAt <= state.now) return false
  const ends = endsAt ?? endAfter(state.entitlement.expiresAfterDays, state.now)
  touch(state, state.now)
  command(state, (books) => {
    books.totals.granted += amount
    addGrant(books, {
      source: 'api',
      of: null,
      parent: null,
      count: 0,
      initial: amount,
      cycle: null,
      endsWithCycle: false,
      endsAt: ends,
      createdAt: state.now,
    })
  })
  return true
}

export const endAfter = (days: number | null, at: number): number | null =>
  days === null ? null : at + days * day

/**
 * Takes credits from grants. False: the balance is too small, and nothing has changed.
 * [resources#adjustments, credits#who-pays-first]
 */
export function debit(state: ModelState, amount: number): boolean {
  if (balanceOf(settled(state), state.now) < amount) return false
  command(state, (books) => {
    books.totals.debited += amount
    for (let unit = 0; unit < amount; unit += 1) debitOne(books, state.now)
  })
  return true
}

function debitOne({ grants }: ModelBooks, now: number): void {
  const grant = grants.find(
    ({ remaining, endsAt }) => remaining > 0 && (endsAt === null || endsAt > now),
  )
  if (grant === undefined) throw new Error('a debit that the balance did not cover')
  grant.remaining -= 1
}

/** Ends overage as its terms say: billed, forgiven, or carried over. [credits#overage] */
export function resetOverage(books: ModelBooks, { behavior }: Pick<Settings, 'behavior'>): void {
  if (behavior === 'invoice_at_billing') books.totals.billed += books.overage
  if (behavior === 'forgive_at_reset') books.totals.forgiven += books.overage
  if (behavior === 'invoice_at_billing' || behavior === 'forgive_at_reset') books.overage = 0
}

/** A cycle begins with nothing dropped and nothing unreturned. [machines#settling] */
export function clear(books: ModelBooks): void {
  books.totals.droppedBefore += books.dropped
  books.totals.unreturnedBefore += books.unreturned
  books.dropped = 0
  books.unreturned = 0
}

/**
 * Rolls over a percentage of what is left in a grant; the rest is forfeited. [credits#rollover,
 * credits#cycle-end, credits#ledger]
 */
export function roll(
  books: ModelBooks,
  grant: ModelGrant,
  of: {
    readonly subscription: ModelSubscription
    readonly terms: Terms
    readonly at: number
    /** The end of the cycle that the new grant ends with where it has no timeframe. */
    readonly cycleEnd: number
  },
): void {
  const { percentage, timeframeDays, countMax } = of.terms
  if (countMax !== null && grant.count >= countMax) {
    books.totals.forfeited += grant.remaining
    grant.remaining = 0
    return
  }
  const moved = Math.floor((grant.remaining * (percentage ?? 100)) / 100)
  if (moved === 0) return
  grant.remaining -= moved
  books.totals.rolled += moved
  addGrant(books, {
    source: 'rollover',
    of: of.subscription.number,
    parent: grant.name,
    count: grant.count + 1,
    initial: moved,
    cycle: null,
    createdAt: of.at,
    endsWithCycle: timeframeDays === null,
    endsAt: timeframeDays === null ? of.cycleEnd : of.at + timeframeDays * day,
  })
}
