import type { DefaultLinks, SubscriptionRoute } from './route.ts'
import type { RoutedMoment, Routing, Target, Window } from './target.ts'
import { holds, targetsAt, windowAt } from './target.ts'

/** Where the usage of a window's moments goes. */
export interface Targeted {
  readonly window: Window
  readonly targets: readonly NamedTarget[]
}

/** `name` tells the rows of usage of one group apart. */
export interface NamedTarget {
  readonly target: Target
  readonly name: string
}

/** Answers for any moment in the window that it answers with. */
export type Targeting = (routing: Routing, moment: RoutedMoment) => Targeted

export const targetedAt: Targeting = (routing, moment) => ({
  window: windowAt(routing, moment),
  targets: targetsAt(routing, moment).map((target) => ({ target, name: nameOf(target) })),
})

const nameOf = ({ routeId, entitlementId, segment, logHour }: Target): string =>
  JSON.stringify([routeId, entitlementId, segment.start, logHour])

/** Of a group more would be old hours, or backfilled months. */
const windowsMax = 8

/** What was found for one meter of a customer, under these routes and links. */
interface Found {
  readonly links: readonly DefaultLinks[]
  readonly windows: Targeted[]
}

/**
 * Remembers what it found, because most events fall where the events of the last batch fell: for
 * `groupsMax` groups of a customer and a meter, and some 500 bytes each. Lists of routes and links
 * must not change; what has changed must come as another list.
 */
export function knownWindows(groupsMax = 16_384): Targeting {
  let known = new Map<readonly SubscriptionRoute[], Map<string, Found>>()
  let groups = 0
  return (routing, moment) => {
    const windows = windowsOf(routing)
    const found = windows.find(({ window }) => holds(window, moment))
    if (found !== undefined) return found
    const targeted = targetedAt(routing, moment)
    if (windows.length >= windowsMax) windows.length = 0
    windows.push(targeted)
    return targeted
  }

  function windowsOf({ group, links, routes }: Routing): Targeted[] {
    const name = `${group.meterId} ${group.aggregation}`
    const found = known.get(routes)?.get(name)
    if (found?.links === links) return found.windows
    // Forgetting everything is crude, rare and safe: what is needed is found again.
    if (groups >= groupsMax) {
      known = new Map()
      groups = 0
    }
    const ofRoutes = known.get(routes) ?? new Map<string, Found>()
    const windows: Targeted[] = []
    known.set(routes, ofRoutes.set(name, { links, windows }))
    groups += 1
    return windows
  }
}
