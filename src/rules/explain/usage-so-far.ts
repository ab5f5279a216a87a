import type { Instant } from '../../std/instant.ts'
import { storable } from '../../std/text.ts'
import { verdicts } from '../archive/line.ts'
import type { Matches } from '../meter/filter.ts'
import { compileFilter } from '../meter/filter.ts'
import type { Fold } from '../meter/fold.ts'
import { addToFold, emptyFold } from '../meter/fold.ts'
import type { CatalogMeter } from '../meter/measure-types.ts'
import { countsAt } from '../meter/meter.ts'
import type { EventPlace } from '../meter/place.ts'
import { readQuantity, scaledQuantity } from '../meter/quantity.ts'
import type { Segment, Usage } from '../meter/route.ts'
import { targetsAt } from '../meter/target.ts'
import type { UsageEvent } from '../meter/usage-event.ts'
import { propertyOf } from '../meter/usage-event.ts'
import type { PastRouting } from './routing.ts'

/** A measured event, as the archive has it. */
export interface PlacedEvent {
  readonly event: UsageEvent
  readonly place: EventPlace
  readonly verdict: number
}

/** One cycle's usage of a meter through one route. */
export interface CycleUsage {
  readonly meter: CatalogMeter
  readonly routeId: string
  /** Null: worth money only. */
  readonly entitlementId: string | null
  /** Start of the cycle. */
  readonly cycleAt: Instant
}

/** Whether an event was voided. */
export type IsVoided = (event: UsageEvent) => boolean

/** What an event adds to a cycle's usage, and to which segment. */
export interface Contribution {
  readonly quantity: Usage
  readonly segment: Segment
}

/**
 * Says what an event added to this cycle's usage, by the steps of measuring; null: nothing.
 * Repeats, voided events and events that no route took add nothing, whatever they would match.
 */
export function contributions(
  { meter, routeId, entitlementId, cycleAt }: CycleUsage,
  routingAt: (place: EventPlace) => PastRouting,
  isVoided: IsVoided = () => false,
): (placed: PlacedEvent) => Contribution | null {
  const matches: Matches = meter.filter === null ? () => true : compileFilter(meter.filter)
  return ({ event, place, verdict }) => {
    if (verdict !== verdicts.billed || event.eventName !== meter.eventName) return null
    const { meterIds, routes, links } = routingAt(place)
    if (!meterIds.has(meter.meterId) || !countsAt(meter, place.receivedAt)) return null
    if (!matches(event.metadata) || isVoided(event)) return null
    const quantity = quantityOf(meter, event)
    if (quantity === null) return null
    const group = { ...nobody, meterId: meter.meterId, aggregation: meter.aggregation }
    const { timestamp, backfilledAt } = event
    const moment = { timestamp, receivedAt: place.receivedAt, backfilledAt }
    const target = targetsAt({ group, routes, links }, moment).find(
      (each) => each.routeId === routeId && each.entitlementId === entitlementId,
    )
    return target?.segment.cycle.start === cycleAt ? { quantity, segment: target.segment } : null
  }
}

/** Stands for any customer, since routing looks only at the meter. */
const nobody = { businessId: '', mode: 'test', customerId: '' } as const

function quantityOf({ aggregation, aggregationKey }: CatalogMeter, { metadata }: UsageEvent) {
  if (aggregation === 'count') return scaledQuantity(1)
  const read = aggregationKey === null ? null : readQuantity(propertyOf(metadata, aggregationKey))
  return read === null ? null : scaledQuantity(read)
}

/** Folds of usage by the start of their segment. */
export type SegmentFolds = ReadonlyMap<Instant, Fold>

/** Collects the usage of some of a cycle's events. */
export function segmentFolds({ meter }: CycleUsage) {
  const folds = new Map<Instant, Fold>()
  return { folds: folds as SegmentFolds, add }

  function add({ event, place }: PlacedEvent, { quantity, segment }: Contribution): void {
    const fold = folds.get(segment.start) ?? emptyFold(meter.aggregation)
    const sample = {
      quantity,
      at: event.timestamp,
      received: place.receivedAt,
      eventId: storable(event.eventId),
    }
    folds.set(segment.start, addToFold(fold, sample))
  }
}
