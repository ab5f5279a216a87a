import fc from 'fast-check'
import type { IdFingerprinter } from '../../../src/rules/meter/measure.ts'
import type {
  BusinessCatalog,
  CatalogMeter,
  MeasureSlice,
} from '../../../src/rules/meter/measure-types.ts'
import type {
  DefaultLinks,
  Link,
  Stretch,
  SubscriptionRoute,
} from '../../../src/rules/meter/route.ts'
import { relinked, usage } from '../../../src/rules/meter/route.ts'
import { groupBy } from '../../../src/std/group.ts'
import type { Instant } from '../../../src/std/instant.ts'
import {
  day,
  formatInstant,
  hour,
  instantOf,
  minute,
  parseInstant,
} from '../../../src/std/instant.ts'
import type { ModelEvent } from '../../model/usage.ts'

export const noon = parseInstant('2026-01-31T23:00:00Z') ?? instantOf(0)
export const at = (offset: number): Instant => instantOf(noon + offset)
export const one = 10n ** 18n

/** Numbers ids in place of hashing them, which is enough to see that each event has its own. */
export const numbering: IdFingerprinter = {
  fingerprints: (_business, mode, ids) =>
    Uint32Array.from(
      ids.flatMap((id) => [mode === 'live' ? 1 : 0, Number(/\d+/.exec(id)?.[0] ?? 0), 0]),
    ),
}

export const catalogMeter = (meterId: string, rest: Partial<CatalogMeter> = {}): CatalogMeter => ({
  meterId,
  eventName: 'call',
  aggregation: 'count',
  aggregationKey: null,
  filter: null,
  archived: [],
  ...rest,
})

export const meters: readonly CatalogMeter[] = [
  catalogMeter('mtr_count'),
  catalogMeter('mtr_sum', { aggregation: 'sum', aggregationKey: 'n' }),
  catalogMeter('mtr_max', { aggregation: 'max', aggregationKey: 'n' }),
  catalogMeter('mtr_last', { aggregation: 'last', aggregationKey: 'n' }),
  catalogMeter('mtr_big', {
    aggregation: 'sum',
    aggregationKey: 'n',
    filter: { conjunction: 'and', clauses: [{ key: 'n', operator: 'greater_than', value: 2 }] },
  }),
  catalogMeter('mtr_away', { archived: [{ from: at(0), to: at(hour) }] }),
  catalogMeter('mtr_store', { eventName: 'store', aggregation: 'last', aggregationKey: 'n' }),
]

export const catalog = (of: readonly CatalogMeter[] = meters, version = 1): BusinessCatalog => ({
  businessId: 'bus_1',
  mode: 'test',
  version,
  meters: of,
})

const quantity = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: -5, max: 9 }) },
  fc.constantFrom('3.5', '-0.000000000000000001', '12345678901234567890', 2 ** 53 - 1, -0.1),
  fc.constantFrom(null, 'none', true, [1], 1e30, undefined),
)

/**
 * The business's time of receipt, as long after an event's own as backfilling may make it; mostly
 * none, because few events are backfilled.
 */
export const backfillDelay: fc.Arbitrary<number | null> = fc.option(
  fc.integer({ min: 7, max: 300 }).map((tens) => tens * 10 * minute),
)

/** Such a time by itself, days around the moments of a test. */
export const backfilledAt: fc.Arbitrary<Instant | undefined> = fc.option(
  fc.integer({ min: -30, max: 300 }).map((tens) => at(tens * 10 * minute)),
  { nil: undefined },
)

/**
 * Around a month's end, an hour to both sides; ids that sort differently in UTF-16 and in UTF-8.
 */
export const modelEvents: fc.Arbitrary<readonly ModelEvent[]> = fc
  .array(
    fc.record({
      mark: fc.constantFrom('', '\uffee', '😀'),
      customerId: fc.constantFrom('cus_1', 'cus_2'),
      eventName: fc.constantFrom('call', 'call', 'store', 'other'),
      timestamp: fc.integer({ min: -6, max: 12 }).map((step) => at(step * 10 * minute)),
      receivedAt: fc.integer({ min: -1, max: 5 }).map((step) => at(step * 30 * minute)),
      backfilled: backfillDelay,
      n: quantity,
    }),
    { maxLength: 30 },
  )
  .map((events) =>
    events.map(({ mark, n, backfilled, ...rest }, index) => ({
      ...rest,
      ...(backfilled === null ? {} : { backfilledAt: instantOf(rest.timestamp + backfilled) }),
      eventId: `${mark}evt_${index}`,
      metadata: n === undefined ? null : { n },
    })),
  )

export const line = (event: ModelEvent, more: Readonly<Record<string, unknown>> = {}): string =>
  `${JSON.stringify({
    business_id: 'bus_1',
    mode: 'test',
    event_id: event.eventId,
    customer_id: event.customerId,
    event_name: event.eventName,
    timestamp: formatInstant(event.timestamp),
    ...(event.backfilledAt === undefined
      ? {}
      : { backfilled_at: formatInstant(event.backfilledAt) }),
    ...(event.metadata === null ? {} : { metadata: event.metadata }),
    ...more,
  })}\n`

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

type MeasureRecord = MeasureSlice['records'][number]

/** Neighbours of one log time share a record. */
export function recordsOf(events: readonly ModelEvent[]): readonly MeasureRecord[] {
  const records: MeasureRecord[] = []
  for (const event of events) {
    const last = records.at(-1)
    const same = last !== undefined && last.at === event.receivedAt
    const value = Buffer.concat([same ? last.value : bytes(''), bytes(line(event))])
    const record = { at: event.receivedAt, events: (same ? last.events : 0) + 1, value }
    if (same) records[records.length - 1] = { ...record, offset: last.offset }
    else records.push({ ...record, offset: records.length })
  }
  return records
}

export const link = (meterId: string, entitlementId: string | null): Link => ({
  meterId,
  entitlementId,
  unitsPerCredit: entitlementId === null ? null : one,
  freeThreshold: usage(0n),
  pricePerUnit: entitlementId === null ? '1' : null,
})

const someLinks = fc
  .uniqueArray(
    fc.tuple(
      fc.constantFrom(...meters.map(({ meterId }) => meterId)),
      fc.constantFrom('cde_1', 'cde_2', null),
    ),
    { maxLength: 8, selector: (pair) => pair.join() },
  )
  .map((pairs) => pairs.map(([meterId, entitlementId]) => link(meterId, entitlementId)))

const stretches: fc.Arbitrary<readonly Stretch[]> = fc
  .array(
    fc.record({
      from: fc.integer({ min: -8, max: 20 }).map((step) => at(step * 7 * minute)),
      keepsAnchor: fc.boolean(),
      interval: fc.constantFrom<'Day' | 'Month'>('Day', 'Month'),
      links: someLinks,
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((list) => {
    const ordered = list.toSorted((a, b) => a.from - b.from)
    const anchor = instantOf((ordered[0]?.from ?? noon) - 3 * day + 10 * minute)
    return ordered.map(({ from, keepsAnchor, interval, links }) => ({
      from,
      anchor: keepsAnchor ? anchor : from,
      frequency: { count: 1, interval },
      links,
    }))
  })

export const routes: fc.Arbitrary<readonly SubscriptionRoute[]> = fc
  .array(
    fc.record({
      activatedAt: fc.integer({ min: 0, max: 2 }).map(at),
      ended: fc.option(fc.integer({ min: -1, max: 5 }).map((step) => at(step * 30 * minute))),
      stretches,
    }),
    { maxLength: 3 },
  )
  .map((list) => list.map((route, index) => ({ ...route, routeId: `sub_${index}` })))

/** Default links, at most one for a meter and entitlement; never without an entitlement. */
export const defaultLinks = someLinks.map((links) =>
  links.filter((candidate) => candidate.entitlementId !== null),
)

/** The same links as the entitlements hold them: linked once, for all time. */
export const defaultsOf = (links: readonly Link[]): readonly DefaultLinks[] =>
  [...groupBy(links, (of) => of.entitlementId ?? '')].map(([entitlementId, own]) => ({
    entitlementId,
    stretches: relinked([], own, at(0)),
  }))
