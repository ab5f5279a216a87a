import { addToFold, emptyFold } from '../../../src/rules/meter/fold.ts'
import type { AggregationType } from '../../../src/rules/meter/meter.ts'
import type { DefaultLinks, SubscriptionRoute } from '../../../src/rules/meter/route.ts'
import { usage } from '../../../src/rules/meter/route.ts'
import { targetsAt } from '../../../src/rules/meter/target.ts'
import { powerOfTen } from '../../../src/std/decimal.ts'
import { hour } from '../../../src/std/instant.ts'
import type { MeterName } from '../../model/billing/program.ts'
import type { ModelEvent } from '../../model/billing/state.ts'
import { eventIdOf, meterIds, microseconds } from './catalog.ts'
import type { Counted, Shelf } from './shelf.ts'

interface Counting {
  readonly key: Shelf['scope'] & { readonly customerId: string }
  readonly routes: readonly SubscriptionRoute[]
  readonly links: readonly DefaultLinks[]
  readonly aggregations: Readonly<Record<MeterName, AggregationType>>
}

/** What measuring makes of events: each one's part of every row of usage that it goes to. */
export const countedOf = (
  events: readonly ModelEvent[],
  { key, routes, links, aggregations }: Counting,
): readonly Counted[] =>
  events.flatMap((event): readonly Counted[] => {
    const { businessId, mode, customerId } = key
    const aggregation = aggregations[event.meter]
    const meterId = meterIds[event.meter]
    const group = { businessId, mode, customerId, meterId, aggregation }
    const [timestamp, received] = [microseconds(event.timestamp), microseconds(event.received)]
    const eventId = eventIdOf(event.id)
    const quantity = usage(BigInt(event.quantity) * powerOfTen(18))
    const sample = { at: timestamp, received, eventId, quantity }
    const fold = addToFold(emptyFold(aggregation), sample)
    const backfilledAt = received - timestamp > hour ? received : undefined
    const moment = { timestamp, receivedAt: received, backfilledAt }
    const targets = targetsAt({ group, routes, links }, moment)
    return targets.map((target) => ({ eventId, meterId, target, fold }))
  })
