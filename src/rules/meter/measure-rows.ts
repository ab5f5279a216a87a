import type { Instant } from '../../std/instant.ts'
import { isStorable } from '../../std/text.ts'
import type { CompiledCatalog, CompiledMeter } from './catalog.ts'
import { doubles, words } from './column.ts'
import type { MeasureGroup, MeasureResult } from './measure-types.ts'
import { countsAt } from './meter.ts'
import { readQuantity } from './quantity.ts'
import type { RoutedMoment } from './target.ts'
import type { LogLine } from './usage-event.ts'
import { propertyOf } from './usage-event.ts'

/** What one task knows of a business. */
export interface KnownBusiness {
  readonly catalog: CompiledCatalog
  readonly names: Map<string, NameGroups>
}

/**
 * The meters of an event name, and for each customer its group in each of them: −1 until the first
 * row.
 */
interface NameGroups {
  readonly meters: readonly CompiledMeter[]
  /** Null: the customer's id cannot be stored, so there is no such customer. */
  readonly customers: Map<string, Int32Array | null>
}

interface EventMoment extends RoutedMoment {
  readonly event: number
}

/** Matches events to meters and collects a row for each match. */
export function measureRows() {
  const groups: MeasureGroup[] = []
  const columns = { event: words(), group: words(), timestamp: doubles(), quantity: doubles() }
  const exact = new Map<number, bigint>()
  const eventIds = new Map<number, string>()
  const backfilledAt = new Map<number, Instant>()
  let count = 0
  return { match, groups, done }

  /** Makes a row for each meter that the event matches with a quantity. [meters#aggregation] */
  function match(line: LogLine, business: KnownBusiness, moment: EventMoment): void {
    const named = namedOf(business, line.event_name)
    if (named === null) return
    const { meters } = named
    for (let index = 0; index < meters.length; index += 1) {
      const meter = meters[index]
      if (meter === undefined) continue
      if (meter.archived.length > 0 && !countsAt(meter, moment.receivedAt)) continue
      if (meter.matches !== null && !meter.matches(line.metadata)) continue
      const quantity = quantityOf(meter, line)
      if (quantity === null) continue
      const group = groupOf(named, index, line)
      if (group < 0) continue
      if (meter.aggregation === 'last') eventIds.set(count, line.event_id)
      if (typeof quantity === 'bigint') exact.set(count, quantity)
      if (moment.backfilledAt !== undefined) backfilledAt.set(count, moment.backfilledAt)
      columns.event.push(moment.event)
      columns.group.push(group)
      columns.timestamp.push(moment.timestamp)
      columns.quantity.push(typeof quantity === 'bigint' ? Number.NaN : quantity)
      count += 1
    }
  }

  function groupOf(named: NameGroups, index: number, line: LogLine): number {
    let numbers = named.customers.get(line.customer_id)
    if (numbers === undefined) {
      numbers = isStorable(line.customer_id) ? new Int32Array(named.meters.length).fill(-1) : null
      named.customers.set(line.customer_id, numbers)
    }
    const meter = named.meters[index]
    if (numbers === null || meter === undefined) return -1
    const known = numbers[index] ?? -1
    if (known >= 0) return known
    const { business_id: businessId, mode, customer_id: customerId } = line
    const { meterId, aggregation } = meter
    numbers[index] = groups.length
    return groups.push({ businessId, mode, customerId, meterId, aggregation }) - 1
  }

  function done(): MeasureResult['rows'] {
    const { event, group, timestamp, quantity } = columns
    return {
      count,
      event: event.done(),
      group: group.done(),
      timestamp: timestamp.done(),
      quantity: quantity.done(),
      exact,
      eventIds,
      backfilledAt,
    }
  }
}

function namedOf({ catalog, names }: KnownBusiness, eventName: string): NameGroups | null {
  const known = names.get(eventName)
  if (known !== undefined) return known
  const meters = catalog.byName.get(eventName)
  // Names without a meter are not remembered, because senders may invent any number of them.
  if (meters === undefined) return null
  const named = { meters, customers: new Map() }
  names.set(eventName, named)
  return named
}

/**
 * What an event adds to a meter that it matches; null: nothing. [meters#aggregation,
 * meters#quantities]
 */
function quantityOf({ aggregation, aggregationKey }: CompiledMeter, line: LogLine) {
  if (aggregation === 'count') return 1
  return aggregationKey === null ? null : readQuantity(propertyOf(line.metadata, aggregationKey))
}
