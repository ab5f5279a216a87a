import type { Instant } from '../../std/instant.ts'
import type { LogTimeRange } from '../meter/meter.ts'
import type { EventPlace, Positions } from '../meter/place.ts'
import { isCovered } from '../meter/place.ts'
import type { DefaultLinks, Stretch, SubscriptionRoute } from '../meter/route.ts'

/** A meter's beginning, or what an entitlement's links or a subscription became at some moment. */
export interface RoutingChange {
  readonly kind: 'meter' | 'links' | 'subscription'
  readonly subjectId: string
  /** What was measured when it was made: all of that without it. */
  readonly measured: Positions
  readonly stretches: readonly Stretch[]
  /** Of a subscription: null until it was ever active. */
  readonly activatedAt: Instant | null
  readonly ended: Instant | null
  /** Of a subscription, in log time. */
  readonly pauses?: readonly LogTimeRange[]
}

/** What an event was measured with. */
export interface PastRouting {
  readonly meterIds: ReadonlySet<string>
  readonly routes: readonly SubscriptionRoute[]
  readonly links: readonly DefaultLinks[]
}

/**
 * What held for an event, as the event was measured: what is created acts on everything not yet
 * measured and on nothing else, so only the place in the log tells.
 * [machines#the-catalogue-while-it-changes]
 *
 * `changes` in the order in which they were made. Few events differ, so that answers are shared.
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
