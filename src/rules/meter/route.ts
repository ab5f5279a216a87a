import { limits } from '../../limits.ts'
import type { Cycle, Frequency } from '../../std/calendar.ts'
import { cycleAt } from '../../std/calendar.ts'
import type { Quantity } from '../../std/decimal.ts'
import type { Instant } from '../../std/instant.ts'
import { after, instantOf, laterOf } from '../../std/instant.ts'
import type { LogTimeRange } from './meter.ts'

/** A quantity of meter units, scaled by 10^18. */
export type Usage = Quantity<'usage'>

export const usage = (scaled: bigint): Usage => scaled as Usage

/**
 * How usage of a meter becomes credits or, with entitlementId null, money. [resources#prices,
 * meters#worth]
 */
export interface Link {
  readonly meterId: string
  readonly entitlementId: string | null
  /** Meter units per credit, scaled by 10^18; null when not tied to credits. */
  readonly unitsPerCredit: bigint | null
  /** Units per cycle that are free. */
  readonly freeThreshold: Usage
  /** Price per unit in the currency's smallest unit, as sent; null when tied to credits. */
  readonly pricePerUnit: string | null
}

/** Constant terms from `from` on. A trial is a stretch of its own, with its own cycle. */
export interface Stretch {
  readonly from: Instant
  /** The moment from which cycles are counted; stretches of one cycle have the same one. */
  readonly anchor: Instant
  readonly frequency: Frequency
  readonly links: readonly Link[]
  /**
   * The one cycle that the stretch lies in, where that cycle's end was moved. Absent: anchor and
   * frequency say.
   */
  readonly cycle?: Cycle
  /**
   * Terms that were to hold in its place and were taken back, as far as usage may have been
   * measured under them ahead of its time. Absent: there are none. See keepingTerms().
   */
  readonly withdrawn?: readonly Link[]
}

/** A subscription as measuring and settling see it. Stretches are ordered by `from`. */
export interface SubscriptionRoute {
  readonly routeId: string
  readonly activatedAt: Instant
  /** Log time; what is received later does not count into it. Null while it lives. */
  readonly ended: Instant | null
  /** What is received (log time) inside one of these counts nothing. Absent: never paused. */
  readonly pauses?: readonly LogTimeRange[]
  readonly stretches: readonly Stretch[]
}

/** A part of one cycle with constant terms. `start` identifies it. */
export interface Segment {
  readonly cycle: Cycle
  readonly start: Instant
  readonly end: Instant
  readonly links: readonly Link[]
}

/**
 * The segment of a subscription into which an event with this `timestamp` falls; null: before its
 * life. Up to five minutes before the first stretch still count into it. [meters#worth,
 * meters#who-takes-the-usage]
 */
export function segmentAt(stretches: readonly Stretch[], timestamp: Instant): Segment | null {
  const [first] = stretches
  if (first === undefined || timestamp < first.from - limits.eventLeadMax) return null
  const at = laterOf(timestamp, first.from)
  let index = stretches.findLastIndex((stretch) => stretch.from <= at)
  if (index < 0) index = 0
  const stretch = stretches[index] ?? first
  const next = stretches[index + 1]
  const cycle = cycleOf(stretches, index, at)
  return {
    cycle,
    start: laterOf(cycle.start, stretch.from),
    end: next !== undefined && next.from < cycle.end ? next.from : cycle.end,
    links: stretch.links,
  }
}

/** A stretch's cycles go on until a stretch with another anchor begins. */
function cycleOf(stretches: readonly Stretch[], index: number, at: Instant): Cycle {
  const stretch = stretches[index]
  if (stretch === undefined) return { start: at, end: after(at, 1) }
  const { start, end } = stretch.cycle ?? cycleAt(stretch.anchor, stretch.frequency, at)
  const next = stretches.slice(index + 1).find((later) => later.anchor !== stretch.anchor)
  return { start, end: next !== undefined && next.from < end ? next.from : end }
}

/**
 * The terms under which a segment's usage was measured: those of its stretch, or where a change has
 * replaced that stretch, those of the last stretch before it that has the meter, or had it when it
 * was still to come.
 */
export function linkAt(
  stretches: readonly Stretch[],
  segmentStart: Instant,
  of: { readonly meterId: string; readonly entitlementId: string | null },
): Link | undefined {
  const ties = (link: Link): boolean =>
    link.meterId === of.meterId && link.entitlementId === of.entitlementId
  return (
    segmentAt(stretches, segmentStart)?.links.find(ties) ??
    stretches
      .filter((stretch) => stretch.from <= segmentStart)
      .flatMap(({ links, withdrawn = [] }) => [...withdrawn, ...links])
      .findLast(ties)
  )
}

/**
 * An entitlement's default links through time, for customers without a subscription that carries
 * the entitlement. Their cycle is the calendar month in UTC. [meters#who-takes-the-usage]
 */
export interface DefaultLinks {
  readonly entitlementId: string
  readonly stretches: readonly Stretch[]
}

const beginning = instantOf(0)
const calendarMonths = { anchor: beginning, frequency: { count: 1, interval: 'Month' } } as const

/**
 * The stretches of default links when `links` hold from `at` on. A meter that is linked for the
 * first time counts everything that is not yet measured, whatever its timestamp.
 * [machines#the-catalogue-while-it-changes]
 */
export function relinked(
  stretches: readonly Stretch[],
  links: readonly Link[],
  at: Instant,
): readonly Stretch[] {
  const linkedBefore = stretches.some((stretch) => stretch.links.length > 0)
  if (!linkedBefore) {
    return links.length === 0 ? [] : [{ from: beginning, ...calendarMonths, links }]
  }
  return [
    ...stretches.filter((stretch) => stretch.from < at),
    { from: at, ...calendarMonths, links },
  ]
}

/** Stretches into which events may still fall, and those that are over. */
export interface Folded {
  readonly stretches: readonly Stretch[]
  /** Each with the moment at which the next stretch began. */
  readonly over: readonly { readonly stretch: Stretch; readonly end: Instant }[]
}

/**
 * Takes stretches that had been replaced by `before` out of the default links: nothing that is
 * measured from now on has an earlier timestamp. The first stretch stays: should such an event come
 * all the same, it would count into that one.
 */
export function folded(stretches: readonly Stretch[], before: Instant): Folded {
  const ends = stretches.map((_, index) => stretches[index + 1]?.from ?? never)
  const isOver = (index: number): boolean => index > 0 && (ends[index] ?? never) <= before
  return {
    stretches: stretches.filter((_, index) => !isOver(index)),
    over: stretches.flatMap((stretch, index) =>
      isOver(index) ? [{ stretch, end: ends[index] ?? never }] : [],
    ),
  }
}

/**
 * The same for a subscription. What was replaced stays until the cycle in which it ended is over
 * too, because changes of the plan build on all that the open cycle has been.
 */
export function foldedCycles(stretches: readonly Stretch[], before: Instant): Folded {
  const over = stretches.flatMap((stretch, index) => {
    const end = stretches[index + 1]?.from
    if (index === 0 || end === undefined || end > before) return []
    return cycleOf(stretches, index, after(end, -1)).end > before ? [] : [{ stretch, end }]
  })
  const gone = new Set(over.map(({ stretch }) => stretch))
  return { stretches: stretches.filter((stretch) => !gone.has(stretch)), over }
}

/**
 * The subscription that takes the usage of (meter, entitlement) for an event: the
 * earliest-activated one that lives at `receivedAt` (log time) and carries the meter at
 * `timestamp`. [meters#who-takes-the-usage]
 */
export function routeFor(
  routes: readonly SubscriptionRoute[],
  meterId: string,
  entitlementId: string | null,
  moment: { readonly timestamp: Instant; readonly receivedAt: Instant },
): { readonly route: SubscriptionRoute; readonly segment: Segment } | null {
  for (const route of inActivationOrder(routes)) {
    if (!livesAt(route, moment.receivedAt) || isPausedAt(route, moment.receivedAt)) continue
    const segment = segmentAt(route.stretches, moment.timestamp)
    if (segment !== null && carries(segment, meterId, entitlementId)) return { route, segment }
  }
  return null
}

/**
 * Whether a paused subscription carries the meter. Then usage that no other subscription takes
 * counts nothing: default links are for customers without a subscription, and a paused one lives.
 * [resources#subscriptions, meters#who-takes-the-usage]
 */
export function isHeldBack(
  routes: readonly SubscriptionRoute[],
  link: { readonly meterId: string; readonly entitlementId: string | null },
  { timestamp, receivedAt }: { readonly timestamp: Instant; readonly receivedAt: Instant },
): boolean {
  const { meterId, entitlementId } = link
  return routes.some((route) => {
    if (!livesAt(route, receivedAt) || !isPausedAt(route, receivedAt)) return false
    const segment = segmentAt(route.stretches, timestamp)
    return segment !== null && carries(segment, meterId, entitlementId)
  })
}

const livesAt = ({ ended }: SubscriptionRoute, receivedAt: Instant): boolean =>
  ended === null || receivedAt < ended

export const isPausedAt = ({ pauses = [] }: SubscriptionRoute, receivedAt: Instant): boolean =>
  pauses.some(({ from, to }) => receivedAt >= from && (to === null || receivedAt < to))

const carries = (segment: Segment, meterId: string, entitlementId: string | null): boolean =>
  segment.links.some((link) => link.meterId === meterId && link.entitlementId === entitlementId)

export function inActivationOrder(
  routes: readonly SubscriptionRoute[],
): readonly SubscriptionRoute[] {
  return routes.toSorted(
    (a, b) => a.activatedAt - b.activatedAt || (a.routeId < b.routeId ? -1 : 1),
  )
}

export const never = instantOf(Number.MAX_SAFE_INTEGER)
