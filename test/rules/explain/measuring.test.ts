import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { verdicts } from '../../../src/rules/archive/line.ts'
import { outcomeOf } from '../../../src/rules/explain/meter-outcome.ts'
import { routeChoices } from '../../../src/rules/explain/route-choice.ts'
import type { PastRouting } from '../../../src/rules/explain/routing.ts'
import { routingThroughTime } from '../../../src/rules/explain/routing.ts'
import type { PlacedEvent } from '../../../src/rules/explain/usage-so-far.ts'
import { contributions, segmentFolds } from '../../../src/rules/explain/usage-so-far.ts'
import { assign } from '../../../src/rules/meter/assign.ts'
import { compileCatalogs } from '../../../src/rules/meter/catalog.ts'
import { mergeFolds, usageOf } from '../../../src/rules/meter/fold.ts'
import { measure } from '../../../src/rules/meter/measure.ts'
import type { SubscriptionRoute } from '../../../src/rules/meter/route.ts'
import { groupBy } from '../../../src/std/group.ts'
import { hour, minute } from '../../../src/std/instant.ts'
import type { ModelEvent } from '../../model/usage.ts'
import { runs } from '../../support/run/runs.ts'
import {
  at,
  catalog,
  defaultLinks,
  defaultsOf,
  link,
  meters,
  modelEvents,
  noon,
  numbering,
  recordsOf,
  routes,
} from '../meter/arbitraries.ts'

const measured = (events: readonly ModelEvent[]) =>
  measure(
    { slices: [{ partition: 0, records: recordsOf(events) }] },
    numbering,
    compileCatalogs([catalog()]),
  )

const ids = new Set(meters.map(({ meterId }) => meterId))

describe('an explanation measures as measuring does', () => {
  it('each event and meter: matched here if, and only if, there', () => {
    fc.assert(
      fc.property(modelEvents, (events) => {
        const { rows, groups } = measured(events)
        const there = new Set(
          Array.from(
            { length: rows.count },
            (_, row) => `${rows.event[row]} ${groups[rows.group[row] ?? 0]?.meterId}`,
          ),
        )
        const here = events.flatMap((event, index) =>
          meters
            .filter((meter) => meter.eventName === event.eventName)
            .filter((meter) => {
              const { receivedAt } = event
              const outcome = outcomeOf(meter, { event, receivedAt, existed: true })
              return outcome.kind === 'matched'
            })
            .map(({ meterId }) => `${index} ${meterId}`),
        )
        expect(new Set(here)).toEqual(there)
      }),
      runs(300),
    )
  })

  it('each row of usage: the same count and value, from the events alone', () => {
    fc.assert(
      fc.property(modelEvents, routes, defaultLinks, (events, given, links) => {
        const routing: PastRouting = { meterIds: ids, routes: given, links: defaultsOf(links) }
        const result = measured(events)
        const { usage, billed } = assign({
          result,
          fresh: new Uint8Array(events.length).fill(1),
          routesOf: () => given,
          linksOf: () => routing.links,
        })
        const rows = groupBy(usage, (row) =>
          [row.customerId, row.meterId, row.routeId, row.entitlementId, row.cycleAt].join(),
        )
        for (const parts of rows.values()) expectSame(parts, { events, billed, routing })
      }),
      runs(200),
    )
  })

  it('whoever took an event is named as taken, and nobody else', () => {
    fc.assert(
      fc.property(modelEvents, routes, defaultLinks, (events, given, links) => {
        const routing: PastRouting = { meterIds: ids, routes: given, links: defaultsOf(links) }
        for (const moment of events) {
          for (const meter of meters) {
            const { targets, choices } = routeChoices(meter, routing, moment)
            const taken = choices.filter((choice) => choice.taken)
            expect(taken.map((one) => `${one.routeId} ${one.entitlementId}`).toSorted()).toEqual(
              targets.map((one) => `${one.routeId} ${one.entitlementId}`).toSorted(),
            )
          }
        }
      }),
      runs(100),
    )
  })
})

type Rows = ReturnType<typeof assign>['usage']

function expectSame(
  rows: Rows,
  {
    events,
    billed,
    routing,
  }: {
    readonly events: readonly ModelEvent[]
    readonly billed: Uint8Array
    readonly routing: PastRouting
  },
): void {
  const [row] = rows
  const meter = meters.find(({ meterId }) => meterId === row?.meterId)
  if (row === undefined || meter === undefined) throw new Error('A row without a meter.')
  const { routeId, entitlementId, cycleAt } = row
  const usage = { meter, routeId, entitlementId, cycleAt }
  const contribute = contributions(usage, () => routing)
  const tally = segmentFolds(usage)
  for (const [index, event] of events.entries()) {
    if (event.customerId !== row.customerId) continue
    const placed = placedOf(
      event,
      index,
      billed[index] === 1 ? verdicts.billed : verdicts.unmatched,
    )
    const part = contribute(placed)
    if (part !== null) tally.add(placed, part)
    expect(contribute({ ...placed, verdict: verdicts.duplicate })).toBeNull()
  }
  const segments = groupBy(rows, ({ segmentAt }) => segmentAt)
  expect([...tally.folds.keys()].toSorted()).toEqual([...segments.keys()].toSorted())
  for (const [start, parts] of segments) {
    const fold = parts.map((part) => part.fold).reduce(mergeFolds)
    const own = tally.folds.get(start)
    expect(own?.events).toBe(fold.events)
    expect(own === undefined ? null : usageOf(own)).toBe(usageOf(fold))
  }
}

const placedOf = (event: ModelEvent, index: number, verdict: number): PlacedEvent => ({
  event,
  place: { partition: 0, offset: 0, index, receivedAt: event.receivedAt },
  verdict,
})

describe('routing through time', () => {
  const subscription: SubscriptionRoute = {
    routeId: 'sub_1',
    activatedAt: noon,
    ended: null,
    stretches: [
      {
        from: noon,
        anchor: noon,
        frequency: { count: 1, interval: 'Month' },
        links: [link('mtr_count', 'cde_1')],
      },
    ],
  }
  const change = {
    kind: 'subscription' as const,
    subjectId: 'sub_1',
    measured: { '0': 5, '1': 7 },
    stretches: subscription.stretches,
    activatedAt: noon,
    ended: null,
  }
  const changes = [
    { ...change, kind: 'meter' as const, subjectId: 'mtr_count', stretches: [], measured: {} },
    change,
    { ...change, measured: { '0': 9, '1': 9 }, ended: at(hour) },
  ]
  const routingAt = routingThroughTime(changes)

  it.each([
    [0, 4, []],
    [0, 5, [null]],
    [1, 6, []],
    [1, 7, [null]],
    [0, 9, [at(hour)]],
    [2, 0, [at(hour)]],
  ])('partition %i, offset %i', (partition, offset, ended) => {
    const { routes: held, meterIds } = routingAt({ partition, offset })
    expect(held.map((route) => route.ended)).toEqual(ended)
    expect([...meterIds]).toEqual(['mtr_count'])
  })

  it('says of each route that did not take an event why', () => {
    const meter = { meterId: 'mtr_count', aggregation: 'count' as const }
    const second = { ...subscription, routeId: 'sub_2', activatedAt: at(1) }
    const gone = { ...subscription, routeId: 'sub_0', activatedAt: at(-1), ended: at(2 * minute) }
    const other = {
      ...subscription,
      routeId: 'sub_9',
      stretches: subscription.stretches.map((stretch) => ({ ...stretch, links: [] })),
    }
    const routing = {
      meterIds: ids,
      routes: [gone, subscription, second, other],
      links: defaultsOf([link('mtr_count', 'cde_1')]),
    }
    const moment = { timestamp: at(minute), receivedAt: at(3 * minute) }
    const { choices } = routeChoices(meter, routing, moment)
    expect(choices.map(({ routeId, taken }) => [routeId, taken])).toEqual([
      ['sub_0', false],
      ['sub_1', true],
      ['sub_9', false],
      ['sub_2', false],
      ['cde_1', false],
    ])
    const [ended, , without, later, links] = choices.map(({ sentence }) => sentence)
    expect(ended).toContain('had ended')
    expect(without).toContain('does not carry the meter')
    expect(later).toContain('sub_1 was activated earlier')
    expect(links).toContain('subscription sub_1 carries the meter')
    const early = routeChoices(meter, routing, { ...moment, timestamp: at(-hour) })
    expect(early.choices[1]?.sentence).toContain('more than 5 minutes')
  })
})
