import { instantOf } from '../../std/instant.ts'
import { storedEventId } from './fold.ts'
import type { MeasureResult } from './measure-types.ts'
import type { Mode } from './meter.ts'
import type { Moment, Place, Routing, Window } from './placement.ts'
import { holds, placesAt, windowAt } from './placement.ts'
import type { DefaultLinks, SubscriptionRoute } from './route.ts'
import type { Tally } from './tally.ts'
import { foldOfTally, newTally, tallyLast, tallyQuantity } from './tally.ts'
import type { UsageDelta } from './usage-delta.ts'
import { compareUsage } from './usage-delta.ts'

export interface Assignment {
  readonly result: MeasureResult
  /** One byte an event: 1 to count it, 0 for a repeat. */
  readonly fresh: Uint8Array
  readonly routesOf: (
    businessId: string,
    mode: Mode,
    customerId: string,
  ) => readonly SubscriptionRoute[]
  /** Default links of the business's entitlements. */
  readonly linksOf: (businessId: string, mode: Mode) => readonly DefaultLinks[]
}

export interface Assigned {
  /** One delta a row of `usage`, in the order in which rows are locked. */
  readonly usage: readonly UsageDelta[]
  /** One byte an event: 1 if some route took it. What matched a meter but no route stays 0. */
  readonly billed: Uint8Array
}

/** Folds the rows of fresh events into the usage of the routes that take them. [ruling 15, design 2] */
export function assign({ result, fresh, routesOf, linksOf }: Assignment): Assigned {
  const { rows } = result
  const billed = new Uint8Array(result.events)
  const groups = result.groups.map((group) => {
    const { businessId, mode, customerId } = group
    const routes = routesOf(businessId, mode, customerId)
    return targetsOf({ group, routes, links: linksOf(businessId, mode) })
  })
  for (let row = 0; row < rows.count; row += 1) {
    const event = rows.event[row] ?? 0
    const group = groups[rows.group[row] ?? 0]
    if (fresh[event] !== 1 || group === undefined) continue
    const tallies = group.at({
      timestamp: instantOf(rows.timestamp[row] ?? 0),
      receivedAt: instantOf(result.receivedAt[event] ?? 0),
    })
    if (tallies.length === 0) continue
    billed[event] = 1
    for (const tally of tallies) addRow(tally, result, row)
  }
  return { usage: groups.flatMap((group) => group.deltas()).toSorted(compareUsage), billed }
}

function addRow(tally: Tally, { rows, receivedAt }: MeasureResult, row: number): void {
  const whole = rows.quantity[row] ?? Number.NaN
  const quantity = Number.isNaN(whole) ? (rows.exact.get(row) ?? 0n) : whole
  if (tally.aggregation !== 'last') {
    tallyQuantity(tally, quantity)
    return
  }
  const key = {
    at: instantOf(rows.timestamp[row] ?? 0),
    received: instantOf(receivedAt[rows.event[row] ?? 0] ?? 0),
    eventId: storedEventId(rows.eventIds.get(row) ?? ''),
  }
  tallyLast(tally, key, quantity)
}

/** The rows of usage that a group feeds. Most of its events fall into the window of the one before. */
function targetsOf(routing: Routing) {
  const targets = new Map<string, { readonly place: Place; readonly tally: Tally }>()
  const windows: { readonly window: Window; readonly tallies: readonly Tally[] }[] = []
  let last: (typeof windows)[number] | undefined
  return { at, deltas }

  function at(moment: Moment): readonly Tally[] {
    if (last !== undefined && holds(last.window, moment)) return last.tallies
    last = windows.find(({ window }) => holds(window, moment))
    if (last === undefined) {
      const tallies = placesAt(routing, moment).map(tallyAt)
      last = { window: windowAt(routing, moment), tallies }
      windows.push(last)
    }
    return last.tallies
  }

  function tallyAt(place: Place): Tally {
    const { routeId, entitlementId, segment, logHour } = place
    const key = JSON.stringify([routeId, entitlementId, segment.start, logHour])
    const known = targets.get(key)
    if (known !== undefined) return known.tally
    const tally = newTally(routing.group.aggregation)
    targets.set(key, { place, tally })
    return tally
  }

  function deltas(): UsageDelta[] {
    const { businessId, mode, customerId, meterId, aggregation } = routing.group
    return [...targets.values()].map(({ place, tally }) => ({
      businessId,
      mode,
      customerId,
      routeId: place.routeId,
      entitlementId: place.entitlementId,
      meterId,
      cycleAt: place.segment.cycle.start,
      segmentAt: place.segment.start,
      logHour: place.logHour,
      aggregation,
      fold: foldOfTally(tally),
    }))
  }
}
