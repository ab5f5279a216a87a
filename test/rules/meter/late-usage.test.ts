import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DefaultLinks, Stretch, SubscriptionRoute } from '../../../src/rules/meter/route.ts'
import { relinked, segmentAt } from '../../../src/rules/meter/route.ts'
import { restarted, retermed } from '../../../src/rules/meter/stretches.ts'
import { targetsAt } from '../../../src/rules/meter/target.ts'
import type { Instant } from '../../../src/std/instant.ts'
import { formatInstant, hour, instantOf, minute, parseInstant } from '../../../src/std/instant.ts'
import { runs } from '../../support/run/runs.ts'
import { at, backfillDelay, defaultLinks, defaultsOf, link, meters, routes } from './arbitraries.ts'

const on = (text: string): Instant =>
  parseInstant(text.includes('T') ? `${text}:00Z` : `${text}T00:00:00Z`) ?? instantOf(0)
const text = (instant: Instant): string => formatInstant(instant).slice(0, 16)
const month = { count: 1, interval: 'Month' } as const
const sum = link('mtr_sum', 'cde_1')
const max = link('mtr_max', 'cde_1')
const life: readonly Stretch[] = [
  { from: on('2026-01-15'), anchor: on('2026-01-15'), frequency: month, links: [sum] },
]
const group = {
  businessId: 'bus_1',
  mode: 'test' as const,
  customerId: 'cus_1',
  meterId: 'mtr_sum',
  aggregation: 'sum' as const,
}

interface Late {
  readonly stretches?: readonly Stretch[]
  readonly route?: Partial<SubscriptionRoute>
  readonly links?: readonly DefaultLinks[]
}

/** [route, cycle, segment] of usage of one moment that came in at another. */
function placed(timestamp: string, received: string, { stretches, route, links = [] }: Late = {}) {
  const own = {
    routeId: 'sub_1',
    activatedAt: on('2026-01-15'),
    ended: null,
    stretches: stretches ?? life,
    ...route,
  }
  const moment = { timestamp: on(timestamp), receivedAt: on(received), backfilledAt: on(received) }
  const routing = { group, routes: stretches?.length === 0 ? [] : [own], links }
  return targetsAt(routing, moment).map(({ routeId, segment }) => [
    ...[routeId, text(segment.cycle.start), text(segment.start)],
  ])
}

const january = ['sub_1', '2026-01-15T00:00', '2026-01-15T00:00']
const february = ['sub_1', '2026-02-15T00:00', '2026-02-15T00:00']

describe('usage that is backfilled [meters#late-usage]', () => {
  it('counts into the cycle of its timestamp for an hour after its end, then into the present one', () => {
    expect(placed('2026-02-01', '2026-02-10')).toEqual([january])
    expect(placed('2026-02-14T23:00', '2026-02-15T00:30')).toEqual([january])
    expect(placed('2026-02-14T22:00', '2026-02-15T01:00')).toEqual([january])
    expect(placed('2026-02-14T22:00', '2026-02-15T01:01')).toEqual([february])
    expect(placed('2026-01-20', '2026-04-20')).toEqual([
      ['sub_1', '2026-04-15T00:00', '2026-04-15T00:00'],
    ])
  })

  it('counts by the terms of the moment at which it came in', () => {
    const open = { start: on('2026-02-15'), end: on('2026-03-15') }
    const terms = { frequency: month, links: [{ ...sum, unitsPerCredit: 7n }] }
    const stretches = retermed(life, open, { at: on('2026-02-20'), terms })
    expect(placed('2026-02-14', '2026-02-19', { stretches })).toEqual([february])
    expect(placed('2026-02-14', '2026-02-21', { stretches })).toEqual([
      ['sub_1', '2026-02-15T00:00', '2026-02-20T00:00'],
    ])
  })

  it('finds the present cycle where a plan change has begun one', () => {
    const terms = { frequency: month, links: [sum] }
    const stretches = restarted(life, on('2026-01-20'), terms)
    expect(placed('2026-01-19T20:00', '2026-01-20T00:50', { stretches })).toEqual([january])
    expect(placed('2026-01-19T20:00', '2026-01-20T02:00', { stretches })).toEqual([
      ['sub_1', '2026-01-20T00:00', '2026-01-20T00:00'],
    ])
  })

  it('stays in its own cycle where the present terms do not tie its meter', () => {
    const stretches = restarted(life, on('2026-01-20'), { frequency: month, links: [max] })
    expect(placed('2026-01-19', '2026-01-25', { stretches })).toEqual([january])
  })

  it('goes to nobody else than by its timestamp, and to nobody who has ended or rests', () => {
    const route = { ended: on('2026-03-01') }
    expect(placed('2026-02-01', '2026-02-28', { route })).toEqual([february])
    expect(placed('2026-02-01', '2026-03-01', { route })).toEqual([])
    const paused = { pauses: [{ from: on('2026-02-20'), to: null }] }
    expect(placed('2026-02-01', '2026-02-21', { route: paused })).toEqual([])
    const links = [{ entitlementId: 'cde_1', stretches: relinked([], [sum], on('2026-01-01')) }]
    // Before the subscription began nobody but the default link took it.
    expect(placed('2026-01-10', '2026-01-20', { links })).toEqual([
      ['cde_1', '2026-01-01T00:00', '2026-01-01T00:00'],
    ])
    expect(placed('2026-01-10', '2026-02-01T02:00', { links })).toEqual([
      ['cde_1', '2026-02-01T00:00', '2026-02-01T00:00'],
    ])
    expect(placed('2025-12-31T23:00', '2026-01-01T01:01', { links, stretches: [] })).toEqual([
      ['cde_1', '2026-01-01T00:00', '2026-01-01T00:00'],
    ])
  })

  it('goes where a slow search finds room for it, and otherwise stays where it always was', () => {
    const moment = fc.record({
      timestamp: fc.integer({ min: -60, max: 60 }).map((tens) => at(tens * 10 * minute)),
      receivedAt: fc.integer({ min: -60, max: 200 }).map((minutes) => at(minutes * minute)),
      delay: backfillDelay,
    })
    const property = fc.property(
      ...([routes, defaultLinks, fc.constantFrom(...meters), moment] as const),
      (list, links, meter, { timestamp, receivedAt, delay }) => {
        const defaults = defaultsOf(links)
        const routing = { group: { ...group, ...meter }, routes: list, links: defaults }
        const inTime = targetsAt(routing, { timestamp, receivedAt })
        const backfilledAt = delay === null ? undefined : instantOf(timestamp + delay)
        const found = targetsAt(routing, { timestamp, receivedAt, backfilledAt })
        const expected = inTime.map((target) => {
          const { routeId, entitlementId, segment } = target
          const lives = [
            ...list.map(({ routeId: id, stretches }) => ({ id, stretches })),
            ...defaults.map(({ entitlementId: id, stretches }) => ({ id, stretches })),
          ]
          const { stretches } = lives.find(({ id }) => id === routeId) ?? { stretches: [] }
          if (delay === null || timestamp + delay - segment.cycle.end <= hour) return target
          // Walks on, segment by segment, to the one that is open at receipt.
          let present = segment
          while (present.end <= timestamp + delay) {
            const next = segmentAt(stretches, present.end)
            if (next === null) throw new Error('a life has no gaps')
            present = next
          }
          const tied = present.links.some(
            (of) => of.meterId === meter.meterId && of.entitlementId === entitlementId,
          )
          return tied ? { ...target, segment: present } : target
        })
        expect(found).toEqual(expected)
      },
    )
    fc.assert(property, runs(2_000))
  })
})
