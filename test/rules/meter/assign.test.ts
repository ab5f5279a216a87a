import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Assigned } from '../../../src/rules/meter/assign.ts'
import { assign } from '../../../src/rules/meter/assign.ts'
import { compileCatalogs } from '../../../src/rules/meter/catalog.ts'
import { knownWindows, targetedAt } from '../../../src/rules/meter/known-windows.ts'
import { measure } from '../../../src/rules/meter/measure.ts'
import type { DefaultLinks, Link, SubscriptionRoute } from '../../../src/rules/meter/route.ts'
import type { UsageDelta } from '../../../src/rules/meter/usage-delta.ts'
import { compareUsage } from '../../../src/rules/meter/usage-delta.ts'
import { day, hour, minute } from '../../../src/std/instant.ts'
import type { ModelEvent } from '../../model/usage.ts'
import { modelUsage, rowName } from '../../model/usage.ts'
import { mergeUsage } from '../../support/measuring/merge-usage.ts'
import { runs } from '../../support/run/runs.ts'
import {
  at,
  catalog,
  defaultLinks,
  defaultsOf,
  link,
  meters,
  modelEvents,
  numbering,
  one,
  recordsOf,
  routes,
} from './arbitraries.ts'

interface Terms {
  readonly routes: readonly SubscriptionRoute[]
  readonly links: readonly Link[]
}

/** Measures and assigns events in this order; only the first of each id counts. */
function run(
  events: readonly ModelEvent[],
  terms: Terms,
  seen = new Set<string>(),
  targeting = targetedAt,
): Assigned {
  const slices = [{ partition: 0, records: recordsOf(events) }]
  const result = measure({ slices }, numbering, compileCatalogs([catalog()]))
  const fresh = Uint8Array.from(events, ({ eventId }) => {
    const repeated = seen.has(eventId)
    seen.add(eventId)
    return repeated ? 0 : 1
  })
  const links = linksOf(terms)
  const routesOf = (_business: string, _mode: string, customerId: string) =>
    customerId === 'cus_1' ? terms.routes : []
  return assign({ result, fresh, routesOf, linksOf: () => links }, targeting)
}

/** The same list each time, as measuring has it. */
function linksOf({ links }: Terms): readonly DefaultLinks[] {
  const lists = listed.get(links) ?? defaultsOf(links)
  listed.set(links, lists)
  return lists
}

const listed = new WeakMap<readonly Link[], readonly DefaultLinks[]>()

const readable = (usage: readonly UsageDelta[]): Map<string, string> => {
  const rows = usage.map((delta): [string, string] => {
    const { customerId, routeId, meterId, entitlementId, cycleAt, segmentAt, logHour } = delta
    const parts = [customerId, routeId, meterId, entitlementId, cycleAt, segmentAt, logHour]
    return [rowName(parts), `${delta.fold.events} ${delta.fold.value}`]
  })
  return new Map(rows.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

const modelOf = (events: readonly ModelEvent[], terms: Terms) =>
  modelUsage(events, meters, {
    routesOf: (customerId) => (customerId === 'cus_1' ? terms.routes : []),
    linksOf: () => terms.links,
  })

const terms = fc.record({ routes, links: defaultLinks })

describe('usage is a fold that commutes [machines#settling, guarantees#determinism]', () => {
  it('is what the model says, event by event', () => {
    fc.assert(
      fc.property(modelEvents, terms, (events, given) => {
        expect(readable(run(events, given).usage)).toEqual(modelOf(events, given))
      }),
      runs(500),
    )
  })

  it('is the same for any order, split and repetition of the same events', () => {
    const cases = modelEvents.chain((events) =>
      fc.record({
        events: fc.constant(events),
        order: fc.shuffledSubarray([...events], { minLength: events.length }),
        cuts: fc.array(fc.nat(events.length), { maxLength: 3 }),
        repeated: fc.subarray([...events]),
      }),
    )
    fc.assert(
      fc.property(cases, terms, ({ events, order, cuts, repeated }, given) => {
        const sent = [...order, ...repeated]
        const edges = [0, ...cuts.toSorted((a, b) => a - b), sent.length]
        const seen = new Set<string>()
        const parts = edges
          .slice(1)
          .map((end, index) => run(sent.slice(edges[index], end), given, seen).usage)
        const merged = mergeUsage(parts)
        expect(readable(merged)).toEqual(modelOf(events, given))
        expect(merged.toSorted(compareUsage)).toEqual(merged)
      }),
      runs(300),
    )
  })

  it('is the same where windows are known from before, under the same terms and others', () => {
    const cases = fc.record({
      parts: fc.array(fc.tuple(modelEvents, fc.boolean(), fc.boolean()), { maxLength: 6 }),
      first: terms,
      second: terms,
      groupsMax: fc.constantFrom(1, 3, 100),
    })
    fc.assert(
      fc.property(cases, ({ parts, first, second, groupsMax }) => {
        const targeting = knownWindows(groupsMax)
        // Their routes and their links change apart from each other.
        for (const [events, ofFirst, linksOfFirst] of parts) {
          const { routes } = ofFirst ? first : second
          const given = { routes, links: (linksOfFirst ? first : second).links }
          expect(run(events, given, new Set(), targeting)).toEqual(run(events, given))
        }
      }),
      runs(200),
    )
  })

  it('looks for a window once, until routes or links change', () => {
    const given: Terms = { routes: [subscription('sub_1')], links: [all] }
    const [moved, relinked] = [
      { ...given, routes: [...given.routes] },
      { ...given, links: [all] },
    ]
    const known = knownWindows()
    const asked = [given, given, moved, moved, relinked, given].map((of) => {
      const [routing, moment] = [routingOf(of), { timestamp: at(minute), receivedAt: at(minute) }]
      return known(routing, moment)
    })
    const isNew = asked.map((found, index) => !asked.slice(0, index).includes(found))
    expect(isNew).toEqual([true, false, true, false, true, true])
  })

  it('counts no repeat', () => {
    const event = call(0)
    const { usage, billed } = run([event, event, event], { routes: [], links: [all] })
    expect(usage.map(({ fold }) => fold.events)).toEqual([1])
    expect([...billed]).toEqual([1, 0, 0])
  })
})

const call = (offset: number, rest: Partial<ModelEvent> = {}): ModelEvent => ({
  eventId: `evt_${offset}`,
  customerId: 'cus_1',
  eventName: 'call',
  timestamp: at(offset),
  receivedAt: at(offset),
  metadata: { n: 4 },
  ...rest,
})

const all = link('mtr_count', 'cde_1')

const routingOf = (given: Terms) => ({
  group: {
    businessId: 'bus_1',
    mode: 'test' as const,
    customerId: 'cus_1',
    meterId: 'mtr_count',
    aggregation: 'count' as const,
  },
  routes: given.routes,
  links: linksOf(given),
})

const subscription = (
  routeId: string,
  rest: Partial<SubscriptionRoute> = {},
): SubscriptionRoute => ({
  routeId,
  activatedAt: at(0),
  ended: null,
  stretches: [
    { from: at(0), anchor: at(0), frequency: { count: 1, interval: 'Month' }, links: [all] },
  ],
  ...rest,
})

describe('who takes usage [meters#who-takes-the-usage]', () => {
  const routeIds = (given: Terms, event = call(minute)): readonly string[] =>
    run([event], given).usage.map(({ routeId }) => routeId)

  it('is the earliest-activated live subscription that carries the meter', () => {
    const early = subscription('sub_b', { activatedAt: at(-day) })
    const late = subscription('sub_a')
    expect(routeIds({ routes: [late, early], links: [all] })).toEqual(['sub_b'])
    const ended = { ...early, ended: at(minute) }
    expect(routeIds({ routes: [late, ended], links: [all] })).toEqual(['sub_a'])
    expect(routeIds({ routes: [late, ended], links: [all] }, call(minute - 1))).toEqual(['sub_b'])
  })

  it('is nobody while the only one that carries it is paused, not even the default link', () => {
    const paused = subscription('sub_a', { pauses: [{ from: at(0), to: at(hour) }] })
    expect(routeIds({ routes: [paused], links: [all] })).toEqual([])
    expect(routeIds({ routes: [paused], links: [all] }, call(hour))).toEqual(['sub_a'])
    const still = subscription('sub_a', { pauses: [{ from: at(0), to: null }] })
    expect(routeIds({ routes: [still], links: [all] }, call(day))).toEqual([])
    const other = subscription('sub_b')
    expect(routeIds({ routes: [still, other], links: [all] })).toEqual(['sub_b'])
    expect(routeIds({ routes: [{ ...still, ended: at(0) }], links: [all] })).toEqual(['cde_1'])
  })

  it('is else the default link, whose cycle is the UTC calendar month', () => {
    const { usage } = run([call(0), call(2 * hour)], { routes: [], links: [all] })
    const months = ['2026-01-01', '2026-02-01'].map((date) => Date.parse(`${date}T00:00Z`) * 1_000)
    expect(usage.map(({ routeId }) => routeId)).toEqual(['cde_1', 'cde_1'])
    expect(usage.map(({ cycleAt }) => cycleAt)).toEqual(months)
    expect(usage.map(({ segmentAt }) => segmentAt)).toEqual(months)
  })

  it('is nobody without either: the event matched, and is not billed', () => {
    const { usage, billed } = run([call(0), call(1, { eventName: 'other' })], {
      routes: [],
      links: [],
    })
    expect(usage).toEqual([])
    expect([...billed]).toEqual([0, 0])
  })

  it('may be one for each entitlement, and one for money', () => {
    const links = [link('mtr_count', null), link('mtr_count', 'cde_2')]
    const stretch = {
      from: at(0),
      anchor: at(0),
      frequency: { count: 1, interval: 'Day' },
    } as const
    const route = subscription('sub_1', { stretches: [{ ...stretch, links }] })
    const { usage } = run([call(minute)], { routes: [route], links: [all] })
    expect(usage.map(({ routeId, entitlementId }) => [routeId, entitlementId])).toEqual([
      ['cde_1', 'cde_1'],
      ['sub_1', null],
      ['sub_1', 'cde_2'],
    ])
  })

  it('counts five minutes before the start into the first cycle, and no more [meters#who-takes-the-usage]', () => {
    const given = { routes: [subscription('sub_1')], links: [] }
    const { usage, billed } = run([call(-5 * minute), call(-5 * minute - 1), call(0)], given)
    expect([...billed]).toEqual([1, 0, 1])
    expect(usage.map(({ segmentAt, fold }) => [segmentAt, fold.events])).toEqual([[at(0), 2]])
  })
})

describe('rows [machines#settling]', () => {
  it('keep max and last by hour of log time, count and sum in one', () => {
    const links = meters.map(({ meterId }) => link(meterId, 'cde_1'))
    const events = [call(0), call(minute, { receivedAt: at(hour + 1) })]
    const { usage } = run(events, { routes: [subscription('sub_1')], links })
    const hours = (meterId: string) =>
      usage.filter((row) => row.meterId === meterId && row.routeId !== '').map((row) => row.logHour)
    const first = Math.floor(at(0) / hour)
    expect(hours('mtr_sum')).toEqual([0])
    expect(hours('mtr_max')).toEqual([first, first + 1])
    expect(hours('mtr_last')).toEqual([first, first + 1])
    expect(usage.find(({ meterId }) => meterId === 'mtr_sum')?.fold.value).toBe(8n * one)
  })
})
