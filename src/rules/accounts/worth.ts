import assert from 'node:assert/strict'
import { limits } from '../../limits.ts'
import { divideTruncated, powerOfTen } from '../../std/decimal.ts'
import type { Instant } from '../../std/instant.ts'
import type { Fold } from '../meter/fold.ts'
import { mergeFolds, usageOf } from '../meter/fold.ts'
import type { Link, Usage } from '../meter/route.ts'
import { usage } from '../meter/route.ts'
import type { Credits } from './credits.ts'
import { credits } from './credits.ts'

/** The usage of one segment of a cycle, and its terms. */
export interface SegmentUsage {
  readonly start: Instant
  readonly fold: Fold
  readonly link: Pick<Link, 'unitsPerCredit' | 'freeThreshold'>
}

/**
 * The credits that the usage of one meter in one cycle amounts to, scaled by 10^precision: the sum
 * over segments s of f_s(F(s)) − f_s(F(s−1)), where F(s) is the fold of the segments up to s. So
 * threshold and rounding act once per cycle, remainders stay in the fold, and a change of terms
 * reprices nothing. The worth falls when usage falls, and a part of it may be negative where a
 * costlier segment takes back what a cheaper one used. A segment that is not tied to credits adds
 * none. [meters#worth]
 */
export function worthOfCycle(segments: readonly SegmentUsage[], precision: number): Credits {
  assert(precision >= 0 && precision <= limits.precisionMax)
  let worth = 0n
  let folded: Fold | null = null
  for (const { fold, link } of segments.toSorted((a, b) => a.start - b.start)) {
    const before: Usage = folded === null ? usage(0n) : usageOf(folded)
    folded = folded === null ? fold : mergeFolds(folded, fold)
    worth += worthOf(usageOf(folded), link, precision) - worthOf(before, link, precision)
  }
  return credits(worth)
}

/** f(x) = trunc(max(0, x − threshold) ÷ units per credit, precision). */
export function worthOf(used: Usage, link: SegmentUsage['link'], precision: number): Credits {
  const { unitsPerCredit, freeThreshold } = link
  if (unitsPerCredit === null) return credits(0n)
  assert(unitsPerCredit > 0n)
  const chargeable = used - freeThreshold
  if (chargeable <= 0n) return credits(0n)
  // Usage and rate have the same scale, so the division cancels it.
  return credits(divideTruncated(chargeable * powerOfTen(precision), unitsPerCredit))
}
