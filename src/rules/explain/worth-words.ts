import assert from 'node:assert/strict'
import { limits } from '../../limits.ts'
import { formatDecimal } from '../../std/decimal.ts'
import type { Instant } from '../../std/instant.ts'
import type { Credits } from '../accounts/credits.ts'
import { credits, formatCredits, minus } from '../accounts/credits.ts'
import type { SegmentUsage } from '../accounts/worth.ts'
import { worthOf, worthOfCycle } from '../accounts/worth.ts'
import type { Fold } from '../meter/fold.ts'
import { mergeFolds, usageOf } from '../meter/fold.ts'
import type { Usage } from '../meter/route.ts'
import { usage } from '../meter/route.ts'

/** One segment's part of a cycle's worth; decimals as text. */
export interface WorthStep {
  readonly segmentAt: Instant
  readonly unitsPerCredit: string | null
  readonly freeThreshold: string
  /** The cycle's usage before this segment's own, and with it. */
  readonly usageBefore: string
  readonly usageAfter: string
  readonly worth: string
  readonly sentence: string
}

export interface ExplainedWorth {
  readonly worth: Credits
  readonly usage: Usage
  readonly steps: readonly WorthStep[]
}

/**
 * The worth of a cycle's usage with its arithmetic spelled out. [meters#worth]
 */
export function explainWorth(segments: readonly SegmentUsage[], precision: number): ExplainedWorth {
  const steps: WorthStep[] = []
  let folded: Fold | null = null
  let total = 0n
  for (const segment of segments.toSorted((a, b) => a.start - b.start)) {
    const before: Usage = folded === null ? usage(0n) : usageOf(folded)
    folded = folded === null ? segment.fold : mergeFolds(folded, segment.fold)
    const step = stepOf(segment, { before, after: usageOf(folded), precision })
    total += step.worth
    steps.push(step.words)
  }
  const worth = worthOfCycle(segments, precision)
  assert(worth === total, 'an explanation adds up to the bill')
  return { worth, usage: folded === null ? usage(0n) : usageOf(folded), steps }
}

interface Span {
  readonly before: Usage
  readonly after: Usage
  readonly precision: number
}

function stepOf({ start, link }: SegmentUsage, { before, after, precision }: Span) {
  const to = worthOf(after, link, precision)
  const from = worthOf(before, link, precision)
  const worth = minus(to, from)
  const units = link.unitsPerCredit === null ? null : text(link.unitsPerCredit)
  const free = text(link.freeThreshold)
  const formula = (of: Usage, is: Credits): string =>
    `trunc(max(0, ${text(of)} − ${free}) ÷ ${units}, ${precision}) = ${formatCredits(is, precision)}`
  const whole = formula(after, to)
  const sentence =
    units === null
      ? 'The meter is not tied to credits here, so its usage is worth none.'
      : before === 0n
        ? whole
        : `${whole}; less ${formula(before, from)} of the segments before`
  const words: WorthStep = {
    segmentAt: start,
    unitsPerCredit: units,
    freeThreshold: free,
    usageBefore: text(before),
    usageAfter: text(after),
    worth: formatCredits(worth, precision),
    sentence,
  }
  return { worth: credits(worth), words }
}

const text = (scaled: bigint): string => formatDecimal(scaled, limits.usageScale)
