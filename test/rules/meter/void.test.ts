import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assign } from '../../../src/rules/meter/assign.ts'
import { compileCatalogs } from '../../../src/rules/meter/catalog.ts'
import { measure } from '../../../src/rules/meter/measure.ts'
import { markAt, markOf, routeMarks } from '../../../src/rules/meter/route-mark.ts'
import {
  catalogVersionIn,
  eventIdOf,
  eventKey,
  lateForVoid,
  measuredInto,
} from '../../../src/rules/meter/void.ts'
import { day, hour, instantOf } from '../../../src/std/instant.ts'
import { isStorable } from '../../../src/std/text.ts'
import { mergeUsage } from '../../support/measuring/merge-usage.ts'
import {
  at,
  catalog,
  defaultLinks,
  defaultsOf,
  line,
  meters,
  modelEvents,
  numbering,
  recordsOf,
  routes,
} from './arbitraries.ts'

describe('what an event was measured into', () => {
  it('is, event by event, what all of them were measured into together', () => {
    fc.assert(
      fc.property(modelEvents, routes, defaultLinks, (events, ofCustomer, links) => {
        const task = { slices: [{ partition: 0, records: recordsOf(events) }] }
        const result = measure(task, numbering, compileCatalogs([catalog()]))
        const defaults = defaultsOf(links)
        const together = assign({
          result,
          fresh: new Uint8Array(result.events).fill(1),
          routesOf: () => ofCustomer,
          linksOf: () => defaults,
        })
        const under = { meters, routes: ofCustomer, links: defaults }
        const apart = events.map((event) => {
          const lines = [line(event).trimEnd()]
          const { receivedAt } = event
          return measuredInto({ businessId: 'bus_1', mode: 'test', lines, receivedAt }, under)
        })
        expect(mergeUsage(apart)).toEqual(together.usage)
        for (const deltas of apart) {
          expect(deltas.every(({ fold }) => fold.events === 1)).toBe(true)
        }
      }),
    )
  })
})

describe('the time for a void', () => {
  const month = { count: 1, interval: 'Month' } as const
  const stretch = (from: number, anchor: number) => ({
    from: at(from),
    anchor: at(anchor),
    frequency: month,
    links: [],
  })
  const usage = [{ routeId: 'sub_1', segmentAt: at(0) }]

  it('ends an hour after the cycle', () => {
    const now = () => [stretch(0, 0)]
    // A month after 31 January 23:00 is 28 February 23:00.
    const end = at(28 * day)
    expect(lateForVoid(usage, now, instantOf(end + hour))).toBeNull()
    expect(lateForVoid(usage, now, instantOf(end + hour + 1))).toContain(
      'ended at 2026-02-28T23:00:00.000000Z',
    )
  })

  it('ends earlier when a change of plans ended the cycle', () => {
    const now = () => [stretch(0, 0), stretch(day, day)]
    expect(lateForVoid(usage, now, at(day + hour))).toBeNull()
    expect(lateForVoid(usage, now, at(day + hour + 1))).not.toBeNull()
    // Other terms in the same cycle end nothing.
    expect(lateForVoid(usage, () => [stretch(0, 0), stretch(day, 0)], at(3 * day))).toBeNull()
  })

  it('is that of the first cycle to end, and never over for what was in none', () => {
    const both = [...usage, { routeId: 'sub_2', segmentAt: at(0) }]
    const now = (routeId: string) => [
      stretch(0, 0),
      ...(routeId === 'sub_2' ? [stretch(day, day)] : []),
    ]
    expect(lateForVoid(both, now, at(2 * day))).not.toBeNull()
    expect(lateForVoid([], now, at(900 * day))).toBeNull()
    expect(lateForVoid(usage, () => [], at(900 * day))).toBeNull()
  })
})

describe('a mark of routes', () => {
  it('stands for the version, as long as it is among the last 65 535', () => {
    const version = fc.integer({ min: 1, max: 1_000_000 })
    fc.assert(
      fc.property(version, fc.integer({ min: 0, max: 65_534 }), (used, since) => {
        const mark = markOf(used)
        expect(mark).toBeGreaterThan(0)
        expect(mark).toBeLessThan(2 ** 16)
        const newest = used + since
        expect(newest - ((newest - mark) % 65_535)).toBe(used)
      }),
    )
  })

  it('is written beside every event that has a row', () => {
    const events = { count: 3, event: [0, 0, 2], group: [0, 1, 2] }
    const group = { businessId: 'bus_1', mode: 'test', aggregation: 'count' } as const
    const bytes = routeMarks(
      {
        events: 4,
        groups: ['cus_1', 'cus_1', 'cus_2'].map((customerId) => ({
          ...group,
          customerId,
          meterId: 'mtr_1',
        })),
        rows: {
          count: events.count,
          event: Uint32Array.from(events.event),
          group: Uint32Array.from(events.group),
          timestamp: new Float64Array(3),
          quantity: new Float64Array(3),
          exact: new Map(),
          eventIds: new Map(),
          backfilledAt: new Map(),
        },
      },
      ({ customerId }) => (customerId === 'cus_1' ? 700 : null),
    )
    expect([0, 1, 2, 3].map((event) => markAt(bytes, event))).toEqual([700, 0, 0, 0])
    expect(markAt(new Uint8Array(0), 5)).toBe(0)
  })
})

describe('the key of an event id', () => {
  it('is one that a text column can hold, and no other id has', () => {
    const id = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1 }),
      fc.constantFrom('a\u0000', '"a"', '"a\\u0000"', '\ud83d', '"'),
    )
    fc.assert(
      fc.property(id, (eventId) => {
        const key = eventKey(eventId)
        expect(isStorable(key)).toBe(true)
        expect(eventIdOf(key)).toBe(eventId)
      }),
    )
  })
})

describe('the catalog version of a batch', () => {
  const used = [
    { business_id: 'bus_1', mode: 'live', version: 3 },
    { business_id: 'bus_1', mode: 'test', version: 4 },
  ]
  it.each([
    [used, 4],
    [used.slice(0, 1), null],
    [[], null],
    [{ at: 0 }, null],
    [undefined, null],
  ])('of %j is %j', (catalogs, version) => {
    expect(catalogVersionIn(catalogs, { businessId: 'bus_1', mode: 'test' })).toBe(version)
  })
})
