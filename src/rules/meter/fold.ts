import assert from 'node:assert/strict'
import { limits } from '../../limits.ts'
import { largerOf, powerOfTen } from '../../std/decimal.ts'
import type { Instant } from '../../std/instant.ts'
import { storable } from '../../std/text.ts'
import type { AggregationType } from './meter.ts'
import type { Usage } from './route.ts'
import { usage } from './route.ts'

/**
 * What decides which event is last: its timestamp, then its log time, then its event id.
 * [meters#aggregation]
 */
export interface LastKey {
  readonly at: Instant
  readonly received: Instant
  readonly eventId: string
}

/**
 * What any number of events add up to for one meter: the columns of a `usage` row. Folds commute
 * and associate, so events may come in any order, split in any way. [guarantees#determinism]
 *
 * The store must merge a row with another fold by the same rules: `events` add up; `value` adds up
 * for count and sum, and is the greater one for max; for last, the greater of the rows (last_at,
 * last_received, last_event_id, value) stays, with ids in the order of collation "C".
 */
export interface Fold {
  readonly aggregation: AggregationType
  readonly events: number
  readonly value: Usage
  /** Set for last meters with at least one event; else null. */
  readonly last: LastKey | null
}

/** What one event adds; `quantity` is ignored for count. */
export interface FoldSample extends LastKey {
  readonly quantity: Usage
}

const one = usage(powerOfTen(limits.usageScale))

/** The fold of no events. */
export const emptyFold = (aggregation: AggregationType): Fold => ({
  aggregation,
  events: 0,
  value: usage(0n),
  last: null,
})

export function addToFold(fold: Fold, sample: FoldSample): Fold {
  const { aggregation } = fold
  const { at, received, eventId, quantity } = sample
  return mergeFolds(fold, {
    aggregation,
    events: 1,
    value: aggregation === 'count' ? one : quantity,
    last: aggregation === 'last' ? { at, received, eventId: storable(eventId) } : null,
  })
}

export function mergeFolds(a: Fold, b: Fold): Fold {
  assert(a.aggregation === b.aggregation, 'folds of two aggregations never meet')
  if (a.events === 0) return b
  if (b.events === 0) return a
  const { aggregation } = a
  const events = a.events + b.events
  switch (aggregation) {
    case 'count':
    case 'sum':
      return { aggregation, events, value: usage(a.value + b.value), last: null }
    case 'max':
      return { aggregation, events, value: largerOf(a.value, b.value), last: null }
    case 'last':
      return { ...(isLater(a, b) ? a : b), events }
  }
}

/** Where the keys are equal the value decides, so that the order of merging does not matter. */
function isLater(a: Fold, b: Fold): boolean {
  assert(a.last !== null && b.last !== null)
  const compared = compareLast(a.last, b.last)
  return compared === 0 ? a.value > b.value : compared > 0
}

/**
 * The usage that a fold stands for. No events are 0, also for max and last. [meters#aggregation]
 */
export const usageOf = (fold: Fold): Usage => (fold.events === 0 ? usage(0n) : fold.value)

export const compareLast = (a: LastKey, b: LastKey): number =>
  a.at - b.at || a.received - b.received || compareText(a.eventId, b.eventId)

/**
 * Compares texts in the order of their UTF-8 bytes, which is that of PostgreSQL's collation "C".
 * The order of UTF-16 code units differs where a surrogate pair meets U+E000–U+FFFF.
 */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index += 1) {
    const [left, right] = [a.charCodeAt(index), b.charCodeAt(index)]
    if (left !== right) return rank(left) - rank(right)
  }
  return a.length - b.length
}

/** Puts surrogates above all other code units. */
const rank = (unit: number): number => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x2800 : unit)
