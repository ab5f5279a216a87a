import assert from 'node:assert/strict'
import type { Credits } from './credits.ts'
import { larger, minus, noCredits, plus, smaller, sum } from './credits.ts'
import type { OverageTerms } from './terms.ts'

/** What one grant holds. `drawn`: the part of it that usage took, less what was given back. */
export interface Holding {
  readonly remaining: Credits
  readonly drawn: Credits
}

/** What each grant holds, at the base or now. Holdings are in consumption order, oldest first. */
export interface Placement {
  readonly holdings: readonly Holding[]
  readonly overage: Credits
  /** Demand of this cycle that neither grants nor overage could take. */
  readonly dropped: Credits
  /** Falls of this cycle that could not be given back to anything. */
  readonly unreturned: Credits
}

/**
 * The state that follows from a base when usage is worth `demand` more (or less) than at the base.
 * [credits#who-pays-first]
 *
 * It is a function of the base and the total demand alone: in which steps the demand came about,
 * and how often this was asked, changes nothing.
 */
export function place(base: Placement, demand: Credits, overage: OverageTerms): Placement {
  const placed =
    demand >= 0n ? take(base, demand, overage) : giveBack(base, minus(noCredits, demand))
  assertConserved(base, demand, placed)
  return placed
}

/**
 * Takes from this cycle's unreturned credits first, then from grants, oldest first, then from
 * overage. The rest is dropped.
 */
function take(base: Placement, demand: Credits, overage: OverageTerms): Placement {
  const returned = smaller(base.unreturned, demand)
  let rest = minus(demand, returned)

  const holdings = base.holdings.map((holding) => {
    const taken = smaller(holding.remaining, rest)
    rest = minus(rest, taken)
    return move(holding, taken)
  })

  const incurred = smaller(headroom(base.overage, overage, rest), rest)
  rest = minus(rest, incurred)
  return {
    holdings,
    overage: plus(base.overage, incurred),
    dropped: plus(base.dropped, rest),
    unreturned: minus(base.unreturned, returned),
  }
}

/**
 * Gives back: first what was dropped, then overage, then to grants that usage drew on, youngest
 * first.
 */
function giveBack(base: Placement, fall: Credits): Placement {
  const undropped = smaller(base.dropped, fall)
  let rest = minus(fall, undropped)

  const relieved = smaller(base.overage, rest)
  rest = minus(rest, relieved)

  const holdings = base.holdings
    .toReversed()
    .map((holding) => {
      const given = smaller(holding.drawn, rest)
      rest = minus(rest, given)
      return move(holding, minus(noCredits, given))
    })
    .toReversed()
  return {
    holdings,
    overage: minus(base.overage, relieved),
    dropped: minus(base.dropped, undropped),
    unreturned: plus(base.unreturned, rest),
  }
}

const move = (holding: Holding, taken: Credits): Holding => ({
  remaining: minus(holding.remaining, taken),
  drawn: plus(holding.drawn, taken),
})

/** By how much overage may still grow; `asked` where there is no limit. */
function headroom(owed: Credits, terms: OverageTerms, asked: Credits): Credits {
  if (!terms.enabled) return noCredits
  return terms.limit === null ? asked : larger(noCredits, minus(terms.limit, owed))
}

export const balanceOf = (placement: Placement): Credits =>
  sum(placement.holdings.map((holding) => holding.remaining))

/**
 * Nothing is lost and nothing appears: demand = consumed + incurred + dropped − unreturned.
 * [guarantees#books-that-add-up]
 */
function assertConserved(base: Placement, demand: Credits, placed: Placement): void {
  const consumed = minus(balanceOf(base), balanceOf(placed))
  const incurred = minus(placed.overage, base.overage)
  const dropped = minus(placed.dropped, base.dropped)
  const unreturned = minus(placed.unreturned, base.unreturned)
  assert(demand === minus(plus(plus(consumed, incurred), dropped), unreturned))
  assert(placed.overage >= 0n && placed.dropped >= 0n && placed.unreturned >= 0n)
  assert(placed.holdings.every((holding) => holding.remaining >= 0n && holding.drawn >= 0n))
}
