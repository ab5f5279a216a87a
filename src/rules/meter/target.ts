import { limits } from '../../limits.ts'
import { hourOf } from '../../std/calendar.ts'
import type { Instant } from '../../std/instant.ts'
import { hour } from '../../std/instant.ts'
import { openUntil, segmentTaking, ties } from './late-usage.ts'
import type { MeasureGroup } from './measure-types.ts'
import type { DefaultLinks, Segment, Stretch, SubscriptionRoute } from './route.ts'
import { isHeldBack, routeFor, segmentAt } from './route.ts'

/** What decides which rows a group's usage goes to. */
export interface Routing {
  readonly group: MeasureGroup
  readonly routes: readonly SubscriptionRoute[]
  /** The default links of the business's entitlements, for this meter and others. */
  readonly links: readonly DefaultLinks[]
}

export interface RoutedMoment {
  readonly timestamp: Instant
  readonly receivedAt: Instant
  /** As its line has it (LogLine.backfilled_at): the business's time. */
  readonly backfilledAt?: Instant | undefined
}

/** A route and segment that takes the usage of one moment. */
export interface Target {
  readonly routeId: string
  readonly entitlementId: string | null
  readonly segment: Segment
  readonly logHour: number
}

/**
 * Where a group's usage of one moment goes: one target for each entitlement (null: money only) that
 * a subscription of the customer, or a default link, ties to the meter. The timestamp decides who
 * takes it, and into which cycle while that takes late usage.
 * [meters#who-takes-the-usage, meters#late-usage]
 */
export function targetsAt(
  { group, routes, links }: Routing,
  moment: RoutedMoment,
): readonly Target[] {
  const logHour = hasLogHour(group) ? hourOf(moment.receivedAt) : 0
  const { backfilledAt } = moment
  const targets: Target[] = []
  for (const entitlementId of entitlementsOf({ group, routes, links })) {
    const of = { meterId: group.meterId, entitlementId }
    const routed = routeFor(routes, group.meterId, entitlementId, moment)
    if (routed !== null) {
      const { routeId, stretches } = routed.route
      const segment = segmentTaking(stretches, { own: routed.segment, of, backfilledAt })
      targets.push({ routeId, entitlementId, segment, logHour })
      continue
    }
    if (isHeldBack(routes, of, moment)) continue
    const { stretches } = links.find((link) => link.entitlementId === entitlementId) ?? nobody
    const own = segmentAt(stretches, moment.timestamp)
    if (own === null || entitlementId === null || !ties(own, of)) continue
    const segment = segmentTaking(stretches, { own, of, backfilledAt })
    targets.push({ routeId: entitlementId, entitlementId, segment, logHour })
  }
  return targets
}

const nobody: Pick<DefaultLinks, 'stretches'> = { stretches: [] }

/** Max and last have a fold for each hour of log time. */
const hasLogHour = ({ aggregation }: MeasureGroup): boolean =>
  aggregation === 'max' || aggregation === 'last'

function entitlementsOf({ group, routes, links }: Routing): ReadonlySet<string | null> {
  const carried = [...routes, ...links].flatMap(({ stretches }) =>
    stretches.flatMap((stretch) => stretch.links),
  )
  const ofMeter = carried.filter((link) => link.meterId === group.meterId)
  return new Set(ofMeter.map((link) => link.entitlementId))
}

/** Moments with the same targets; half-open in all times. */
export interface Window {
  readonly from: number
  readonly to: number
  readonly receivedFrom: number
  readonly receivedTo: number
  /** Null: it holds moments that were not backfilled, and no others. */
  readonly backfilled: Span | null
}

/**
 * The window around a moment in which `targetsAt` cannot change: it holds no beginning of a
 * segment, month or hour, and no end or pause of a route.
 */
export function windowAt({ group, routes, links }: Routing, moment: RoutedMoment): Window {
  const { timestamp, receivedAt } = moment
  const lives = [...routes, ...links].map(({ stretches }) => stretches)
  const spans = lives.map((stretches) => spanAt(stretches, timestamp))
  const ends = routes.flatMap(edgesOf)
  const passed = ends.filter((ended) => ended <= receivedAt)
  const coming = ends.filter((ended) => ended > receivedAt)
  if (hasLogHour(group)) {
    const start = hourOf(receivedAt) * hour
    passed.push(start as Instant)
    coming.push((start + hour) as Instant)
  }
  return {
    from: Math.max(...spans.map((span) => span.from)),
    to: Math.min(...spans.map((span) => span.to)),
    receivedFrom: Math.max(...passed),
    receivedTo: Math.min(...coming),
    backfilled: backfilledSpan(lives, moment),
  }
}

/** The times of receipt around this one that find every route's own cycle open, or another. */
function backfilledSpan(
  lives: readonly (readonly Stretch[])[],
  { timestamp, backfilledAt }: RoutedMoment,
): Span | null {
  if (backfilledAt === undefined) return null
  const spans = lives.map((stretches): Span => {
    const own = segmentAt(stretches, timestamp)
    if (own === null) return always
    const open = openUntil(own.cycle)
    if (backfilledAt <= open) return { ...always, to: open + 1 }
    const { from, to } = spanAt(stretches, backfilledAt)
    return { from: Math.max(open + 1, from), to }
  })
  return {
    from: Math.max(...spans.map(({ from }) => from)),
    to: Math.min(...spans.map(({ to }) => to)),
  }
}

/** The moments of log time at which a route stops, or starts again, to take usage. */
const edgesOf = ({ ended, pauses = [] }: SubscriptionRoute): readonly Instant[] =>
  [ended, ...pauses.flatMap(({ from, to }) => [from, to])].filter((edge) => edge !== null)

export const holds = (window: Window, moment: RoutedMoment): boolean =>
  moment.timestamp >= window.from &&
  moment.timestamp < window.to &&
  moment.receivedAt >= window.receivedFrom &&
  moment.receivedAt < window.receivedTo &&
  holdsBackfilled(window, moment.backfilledAt)

const holdsBackfilled = ({ backfilled }: Window, at: Instant | undefined): boolean =>
  at === undefined || backfilled === null
    ? at === undefined && backfilled === null
    : at >= backfilled.from && at < backfilled.to

interface Span {
  readonly from: number
  readonly to: number
}

const always: Span = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }

/** The timestamps around this one that fall into the same segment, or into none. */
function spanAt(stretches: readonly Stretch[], timestamp: Instant): Span {
  const [first] = stretches
  if (first === undefined) return always
  const lead = first.from - limits.eventLeadMax
  if (timestamp < lead) return { ...always, to: lead }
  // These are early events, which the first segment takes; a plan change may end it at its very
  // start.
  if (timestamp < first.from) return { from: lead, to: first.from }
  const segment = segmentAt(stretches, timestamp)
  return segment === null ? { from: timestamp, to: timestamp + 1 } : around(segment, timestamp)
}

/** A first cycle that begins at a later anchor also takes earlier timestamps. */
const around = ({ start, end }: Segment, timestamp: Instant): Span => ({
  from: start <= timestamp ? start : timestamp,
  to: end,
})
