import type { Instant } from '../../std/instant.ts'
import type { LogTimeRange } from '../meter/meter.ts'
import type { EventPlace, Positions } from '../meter/place.ts'
import { isCovered } from '../meter/place.ts'
import type { DefaultLinks, Stretch, SubscriptionRoute } from '../meter/route.ts'

/** The creation of a meter, or new links of an entitlement or a subscription at some moment. */
export interface RoutingChange {
  readonly kind: 'meter' | 'links' | 'subscription'
  readonly subjectId: string
  /** What was measured when the change was made; all of that was measured without it. */
  readonly measured: Positions
  readonly stretches: readonly Stretch[]
  /** For a subscription; null until it was first active. */
  readonly activatedAt: Instant | null
  readonly ended: Instant | null
  /** For a subscription, in log time. */
  readonly pauses?: readonly LogTimeRange[]
}

/** The routing with which an event was measured. */
export interface PastRouting {
  readonly meterIds: ReadonlySet<string>
  readonly routes: readonly SubscriptionRoute[]
  readonly links: readonly DefaultLinks[]
}

/**
 * The routing that held for an event when it was measured. A new link or meter acts on everything
 * not yet measured, and on nothing else, so only the event's place in the log decides.
 * [machines#the-catalogue-while-it-changes]
 *
 * `changes` are in the order in which they were made. Few events have different routing, so answers
 * are shared.
 */
export function routingThroughTime(
  changes: readonly RoutingChange[],
): (place: Pick<EventPlace, 'partition' | 'offset'>) => PastRouting {
  const known = new Map<string, PastRouting>()
  return (place) => {
    const held = changes.map((change) => !isCovered(place, change.measured))
    const key = held.map(Number).join('')
    const found = known.get(key) ?? routingOf(changes.filter((_, index) => held[index]))
    known.set(key, found)
    return found
  }
}

function routingOf(changes: readonly RoutingChange[]): PastRouting {
  const latest = new Map(changes.map((change) => [`${change.kind} ${change.subjectId}`, change]))
  const held = [...latest.values()]
  return {
    meterIds: new Set(held.flatMap(({ kind, subjectId }) => (kind === 'meter' ? subjectId : []))),
    routes: held.flatMap(({ kind, subjectId, activatedAt, ended, pauses = [], stretches }) =>
      kind === 'subscription' && activatedAt !== null
        ? [{ routeId: subjectId, activatedAt, ended, pauses, stretches }]
        : [],
    ),
    links: held.flatMap(({ kind, subjectId, stretches }) =>
      kind === 'links' && stretches.length > 0 ? [{ entitlementId: subjectId, stretches }] : [],
    ),
  }
}
