import { limits } from '../../../limits.ts'
import type { Cycle } from '../../../std/calendar.ts'
import { largerOf, parseDecimal, powerOfTen } from '../../../std/decimal.ts'
import { groupBy } from '../../../std/group.ts'
import type { Instant } from '../../../std/instant.ts'
import { earlierOf, instantOf, laterOf } from '../../../std/instant.ts'
import type { Fold } from '../../meter/fold.ts'
import { mergeFolds, usageOf } from '../../meter/fold.ts'
import type { Link, Stretch, Usage } from '../../meter/route.ts'
import { linkAt, segmentAt, usage } from '../../meter/route.ts'
import { endOf } from '../billing-dates.ts'
import type { Subscription } from './subscription.ts'

/** What was measured of one meter in one segment; several rows of a segment add up. */
export interface MeasuredUsage {
  readonly meterId: string
  readonly entitlementId: string | null
  readonly cycleAt: Instant
  readonly segmentAt: Instant
  readonly fold: Fold
}

/** One billing period. [resources#prices] */
export interface UsagePeriod {
  readonly start: Instant
  readonly end: Instant
  readonly meters: readonly MeterPeriod[]
}

export interface MeterPeriod {
  readonly meterId: string
  readonly consumed: Usage
  /** Free units of the period, by the last terms in it. */
  readonly freeThreshold: Usage
  readonly chargeable: Usage
  /**
   * Decimal text; "0" for a meter that is tied to credits, since it costs no money. [meters#worth]
   */
  readonly pricePerUnit: string
  /** In the currency's smallest unit, rounded half up once; null: more than a number can hold. */
  readonly totalPrice: number | null
}

type Life = Pick<
  Subscription,
  'status' | 'cancelledAt' | 'expiresAt' | 'nextBillingDate' | 'stretches'
>

/** Every billing period that has begun, newest first, with what each of its meters measured. */
export function usageHistory(
  subscription: Life,
  measured: readonly MeasuredUsage[],
  at: Instant,
): readonly UsagePeriod[] {
  const { stretches } = subscription
  const cycles = cyclesUntil(stretches, untilOf(subscription, measured, at))
  const rows = groupBy(measured, (row) => cycles.findLastIndex(({ start }) => start <= row.cycleAt))
  const last = stoppedAt(subscription)
  return cycles
    .map((cycle, index) => ({
      start: cycle.start,
      end: last === null ? cycle.end : earlierOf(cycle.end, laterOf(last, cycle.start)),
      meters: metersOf(stretches, cycle, rows.get(index) ?? []),
    }))
    .toReversed()
}

function cyclesUntil(stretches: readonly Stretch[], until: Instant): readonly Cycle[] {
  const cycles: Cycle[] = []
  let at = stretches[0]?.from
  while (at !== undefined && at < until) {
    const cycle = segmentAt(stretches, at)?.cycle
    if (cycle === undefined || cycle.end <= at) break
    cycles.push(cycle)
    at = cycle.end
  }
  return cycles
}

/** Events may be five minutes early, so the next period may have usage before it begins. */
function untilOf(subscription: Life, measured: readonly MeasuredUsage[], at: Instant): Instant {
  const until = stoppedAt(subscription) ?? instantOf(at + 1)
  return measured.reduce((latest, row) => laterOf(latest, instantOf(row.cycleAt + 1)), until)
}

function stoppedAt(subscription: Life): Instant | null {
  const { status, cancelledAt } = subscription
  return status === 'expired' ? endOf(subscription) : cancelledAt
}

/** The meters that the period's terms name, used or not, in the order of the terms. */
function metersOf(
  stretches: readonly Stretch[],
  cycle: Cycle,
  rows: readonly MeasuredUsage[],
): readonly MeterPeriod[] {
  const linked = stretches.flatMap(({ from, links }, index) => {
    const next = stretches[index + 1]
    return from < cycle.end && (next === undefined || next.from > cycle.start) ? links : []
  })
  const byMeter = groupBy(rows, (row) => row.meterId)
  const meterIds = new Set([...linked.map((link) => link.meterId), ...byMeter.keys()])
  return [...meterIds].map((meterId) => {
    const terms = linked.findLast((link) => link.meterId === meterId)
    return meterPeriod(stretches, { meterId, terms, rows: byMeter.get(meterId) ?? [] })
  })
}

/**
 * As with credits, terms act on what each segment adds: Σ f_s(F(s)) − f_s(F(s−1)). So threshold and
 * rounding act once per period, and a change of terms reprices nothing. [meters#worth]
 */
function meterPeriod(
  stretches: readonly Stretch[],
  of: {
    readonly meterId: string
    readonly terms: Link | undefined
    readonly rows: readonly MeasuredUsage[]
  },
): MeterPeriod {
  const segments = [...groupBy(of.rows, (row) => row.segmentAt)].toSorted(([a], [b]) => a - b)
  let folded: Fold | null = null
  let { terms } = of
  let [chargeable, cost] = [0n, 0n]
  for (const [start, rows] of segments) {
    const link = rows.map((row) => linkAt(stretches, start, row)).find((each) => each !== undefined)
    const before: Usage = folded === null ? usage(0n) : usageOf(folded)
    for (const { fold } of rows) folded = folded === null ? fold : mergeFolds(folded, fold)
    if (link === undefined || folded === null) continue
    const added = above(usageOf(folded), link) - above(before, link)
    chargeable += added
    cost += added * priceOf(link)
    terms ??= link
  }
  return {
    meterId: of.meterId,
    consumed: folded === null ? usage(0n) : usageOf(folded),
    freeThreshold: terms?.freeThreshold ?? usage(0n),
    chargeable: usage(largerOf(0n, chargeable)),
    pricePerUnit: terms === undefined || isLinked(terms) ? '0' : (terms.pricePerUnit ?? '0'),
    totalPrice: roundedHalfUp(cost),
  }
}

const isLinked = (link: Link): boolean => link.entitlementId !== null

const above = (used: Usage, link: Link): bigint => largerOf(0n, used - link.freeThreshold)

/** Prices are scaled by 10^12, the finest that they may be. [requests#numbers] */
const priceScale = 12
const priceOf = (link: Link): bigint =>
  isLinked(link) ? 0n : (parseDecimal(link.pricePerUnit ?? '0', priceScale) ?? 0n)

function roundedHalfUp(cost: bigint): number | null {
  const whole = powerOfTen(limits.usageScale + priceScale)
  const rounded = Number((largerOf(0n, cost) + whole / 2n) / whole)
  return Number.isSafeInteger(rounded) ? rounded : null
}
