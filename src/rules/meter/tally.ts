import { limits } from '../../limits.ts'
import { largerOf, powerOfTen } from '../../std/decimal.ts'
import type { Fold, LastKey } from './fold.ts'
import { compareLast } from './fold.ts'
import type { AggregationType } from './meter.ts'
import { scaledQuantity } from './quantity.ts'
import type { Usage } from './route.ts'
import { usage } from './route.ts'

/**
 * A fold in the making, which changes in place. Whole numbers stay doubles while that is exact, and
 * all others are bigints, so that a busy row costs one addition per event.
 */
export interface Tally {
  readonly aggregation: AggregationType
  events: number
  /** Sum or maximum of the safe integers; for last, the last quantity if it is one. */
  whole: number
  /**
   * Sum or maximum of all other quantities, scaled by 10^18; for last, the last quantity if it is
   * not a safe integer.
   */
  exact: bigint | null
  last: LastKey | null
}

export const newTally = (aggregation: AggregationType): Tally => ({
  aggregation,
  events: 0,
  whole: aggregation === 'max' ? Number.NEGATIVE_INFINITY : 0,
  exact: null,
  last: null,
})

/** Adds a result of `readQuantity` to a count, sum or max. */
export function tallyQuantity(tally: Tally, quantity: number | bigint): void {
  tally.events += 1
  if (tally.aggregation === 'max') {
    if (typeof quantity === 'number') tally.whole = Math.max(tally.whole, quantity)
    else tally.exact = tally.exact === null ? quantity : largerOf(tally.exact, quantity)
  } else if (tally.aggregation === 'sum') {
    if (typeof quantity === 'number') addWhole(tally, quantity)
    else tally.exact = (tally.exact ?? 0n) + quantity
  }
}

function addWhole(tally: Tally, quantity: number): void {
  const sum = tally.whole + quantity
  if (Number.isSafeInteger(sum)) {
    tally.whole = sum
    return
  }
  tally.exact = (tally.exact ?? 0n) + scaledQuantity(tally.whole)
  tally.whole = quantity
}

/** Adds an event to a last. */
export function tallyLast(tally: Tally, key: LastKey, quantity: number | bigint): void {
  tally.events += 1
  const compared = tally.last === null ? 1 : compareLast(key, tally.last)
  if (compared < 0 || (compared === 0 && scaledQuantity(quantity) <= lastOf(tally))) return
  tally.last = key
  tally.whole = typeof quantity === 'number' ? quantity : 0
  tally.exact = typeof quantity === 'bigint' ? quantity : null
}

const lastOf = (tally: Tally): Usage =>
  tally.exact === null ? scaledQuantity(tally.whole) : usage(tally.exact)

export function foldOfTally(tally: Tally): Fold {
  const { aggregation, events, last } = tally
  return { aggregation, events, value: events === 0 ? usage(0n) : valueOfTally(tally), last }
}

function valueOfTally(tally: Tally): Usage {
  switch (tally.aggregation) {
    case 'count':
      return usage(BigInt(tally.events) * powerOfTen(limits.usageScale))
    case 'sum':
      return usage(scaledQuantity(tally.whole) + (tally.exact ?? 0n))
    case 'max':
      return maximumOf(tally)
    case 'last':
      return lastOf(tally)
  }
}

function maximumOf({ whole, exact }: Tally): Usage {
  if (exact === null) return scaledQuantity(whole)
  return Number.isFinite(whole) ? largerOf(scaledQuantity(whole), usage(exact)) : usage(exact)
}
