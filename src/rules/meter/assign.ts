import assert from 'node:assert/strict'
import { instantOf } from '../../std/instant.ts'
import { storable } from '../../std/text.ts'
import type { NamedTarget, Targeted, Targeting } from './known-windows.ts'
import { targetedAt } from './known-windows.ts'
import type { MeasureResult } from './measure-types.ts'
import type { Mode } from './meter.ts'
import type { DefaultLinks, SubscriptionRoute } from './route.ts'
import type { Tally } from './tally.ts'
import { foldOfTally, newTally, tallyLast, tallyQuantity } from './tally.ts'
import type { RoutedMoment, Routing, Target } from './target.ts'
import { holds } from './target.ts'
import type { UsageDelta } from './usage-delta.ts'
import { compareUsage } from './usage-delta.ts'

export interface Assignment {
  readonly result: MeasureResult
  /** One byte per event: 1 counts it, 0 for a repeat. */
  readonly fresh: Uint8Array
  readonly routesOf: (
    businessId: string,
    mode: Mode,
    customerId: string,
  ) => readonly SubscriptionRoute[]
  /** The default links of the business's entitlements. */
  readonly linksOf: (businessId: string, mode: Mode) => readonly DefaultLinks[]
}

export interface Assigned {
  /** One delta per row of `usage`, in the order in which rows are locked. */
  readonly usage: readonly UsageDelta[]
  /**
   * One byte per event: 1 if some route took it. It stays 0 for an event that matched a meter but
   * no route.
   */
  readonly billed: Uint8Array
}

/**
 * Folds the rows of fresh events into the usage of the routes that take them.
 * [meters#who-takes-the-usage, machines#settling]
 *
 * @param targeting May remember what earlier batches have found.
 */
export function assign(
  { result, fresh, routesOf, linksOf }: Assignment,
  targeting: Targeting = targetedAt,
): Assigned {
  const { rows } = result
  const billed = new Uint8Array(result.events)
  const groups = result.groups.map((group) => {
    const { businessId, mode, customerId } = group
    const routes = routesOf(businessId, mode, customerId)
    return tallying({ group, routes, links: linksOf(businessId, mode) }, targeting)
  })
  for (let row = 0; row < rows.count; row += 1) {
    const event = rows.event[row] ?? 0
    const group = groups[rows.group[row] ?? 0]
    if (fresh[event] !== 1 || group === undefined) continue
    const fed = group.at({
      timestamp: instantOf(rows.timestamp[row] ?? 0),
      receivedAt: instantOf(result.receivedAt[event] ?? 0),
      backfilledAt: rows.backfilledAt.get(row),
    })
    if (fed.length === 0) continue
    billed[event] = 1
    for (const tally of fed) addRow(tally, result, row)
  }
  return { usage: groups.flatMap((group) => group.deltas()).toSorted(compareUsage), billed }
}

function addRow(tally: Tally, { rows, receivedAt }: MeasureResult, row: number): void {
  const whole = rows.quantity[row] ?? Number.NaN
  const quantity = Number.isNaN(whole) ? rows.exact.get(row) : whole
  assert(quantity !== undefined, 'every row has a quantity')
  if (tally.aggregation !== 'last') {
    tallyQuantity(tally, quantity)
    return
  }
  const key = {
    at: instantOf(rows.timestamp[row] ?? 0),
    received: instantOf(receivedAt[rows.event[row] ?? 0] ?? 0),
    eventId: storable(rows.eventIds.get(row) ?? ''),
  }
  tallyLast(tally, key, quantity)
}

/**
 * Finds the rows of usage that a group's events go to. Remembers the last window, since most events
 * fall into the window of the event before.
 */
function tallying(routing: Routing, targeting: Targeting) {
  const rows = new Map<string, { readonly target: Target; readonly tally: Tally }>()
  const found: { readonly at: Targeted; readonly tallies: readonly Tally[] }[] = []
  let last: (typeof found)[number] | undefined
  return { at, deltas }

  function at(moment: RoutedMoment): readonly Tally[] {
    if (last !== undefined && holds(last.at.window, moment)) return last.tallies
    last = found.find((each) => holds(each.at.window, moment))
    if (last === undefined) {
      const targeted = targeting(routing, moment)
      last = { at: targeted, tallies: targeted.targets.map(tallyOf) }
      found.push(last)
    }
    return last.tallies
  }

  function tallyOf({ name, target }: NamedTarget): Tally {
    const known = rows.get(name)
    if (known !== undefined) return known.tally
    const tally = newTally(routing.group.aggregation)
    rows.set(name, { target, tally })
    return tally
  }

  function deltas(): UsageDelta[] {
    const { businessId, mode, customerId, meterId, aggregation } = routing.group
    return [...rows.values()].map(({ target, tally }) => ({
      businessId,
      mode,
      customerId,
      routeId: target.routeId,
      entitlementId: target.entitlementId,
      meterId,
      cycleAt: target.segment.cycle.start,
      segmentAt: target.segment.start,
      logHour: target.logHour,
      aggregation,
      fold: foldOfTally(tally),
    }))
  }
}
