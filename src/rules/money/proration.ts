import assert from 'node:assert/strict'
import type { Duration } from '../../std/instant.ts'
import { scaled } from './rounding.ts'

/** The whole of a percentage in basis points: 540 is 5.4 %. */
export const wholeBasisPoints = 10_000

/** So many basis points of an amount, rounded half up. [resources#money] */
export const percentOf = (amount: number, basisPoints: number): number =>
  scaled(amount, basisPoints, wholeBasisPoints)

/**
 * What an amount for a whole stretch of time is worth for a part of it, rounded half up.
 * [resources#money]
 */
export function prorated(amount: number, part: Duration, whole: Duration): number {
  assert(0 <= part && part <= whole && whole > 0, 'A part of a stretch of time is within it.')
  return scaled(amount, part, whole)
}
