import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Stretch } from '../../../src/rules/meter/route.ts'
import { relinked, segmentAt } from '../../../src/rules/meter/route.ts'
import { holds, targetsAt, windowAt } from '../../../src/rules/meter/target.ts'
import type { Instant } from '../../../src/std/instant.ts'
import { day, formatInstant, instantOf, minute, parseInstant } from '../../../src/std/instant.ts'
import { runs } from '../../support/run/runs.ts'
import { at, backfilledAt, defaultLinks, defaultsOf, link, meters, routes } from './arbitraries.ts'

const on = (text: string): Instant => parseInstant(`${text}T00:00:00Z`) ?? instantOf(0)
const date = (instant: Instant): string => formatInstant(instant).slice(0, 10)

const stretch = (from: string, rest: Partial<Stretch> = {}): Stretch => ({
  from: on(from),
  anchor: on(from),
  frequency: { count: 1, interval: 'Month' },
  links: [],
  ...rest,
})

const segment = (stretches: readonly Stretch[], timestamp: Instant) => {
  const found = segmentAt(stretches, timestamp)
  if (found === null) return null
  const { cycle, start, end } = found
  return [cycle.start, cycle.end, start, end].map(date)
}

describe('segments [meters#worth, meters#who-takes-the-usage]', () => {
  it('are cycles where terms are constant', () => {
    const life = [stretch('2026-01-31')]
    expect(segment(life, on('2026-02-10'))).toEqual([
      '2026-01-31',
      '2026-02-28',
      '2026-01-31',
      '2026-02-28',
    ])
    expect(segment(life, on('2026-02-28'))?.[0]).toBe('2026-02-28')
    expect(segment(life, on('2026-03-31'))?.[0]).toBe('2026-03-31')
  })

  it('are cut where terms change inside a cycle, which goes on', () => {
    const life = [stretch('2026-01-01'), stretch('2026-01-10', { anchor: on('2026-01-01') })]
    expect(segment(life, on('2026-01-09'))).toEqual([
      '2026-01-01',
      '2026-02-01',
      '2026-01-01',
      '2026-01-10',
    ])
    expect(segment(life, on('2026-01-10'))).toEqual([
      '2026-01-01',
      '2026-02-01',
      '2026-01-10',
      '2026-02-01',
    ])
  })

  it('end with their cycle where another anchor begins', () => {
    const life = [stretch('2026-01-01'), stretch('2026-01-15')]
    expect(segment(life, on('2026-01-03'))?.slice(0, 2)).toEqual(['2026-01-01', '2026-01-15'])
    expect(segment(life, on('2026-02-01'))?.slice(0, 2)).toEqual(['2026-01-15', '2026-02-15'])
  })

  it('begin five minutes early, once', () => {
    const life = [stretch('2026-01-10')]
    const first = on('2026-01-10')
    expect(segment(life, instantOf(first - 5 * minute))?.[2]).toBe('2026-01-10')
    expect(segment(life, instantOf(first - 5 * minute - 1))).toBe(null)
    expect(segment([], first)).toBe(null)
  })

  it('of a default link are UTC calendar months', () => {
    const stretches = relinked([], [link('mtr_sum', 'cde_1')], on('2028-02-15'))
    const segment = segmentAt(stretches, on('2028-02-29'))
    expect([segment?.cycle.start, segment?.cycle.end].map((end) => date(end ?? at(0)))).toEqual([
      '2028-02-01',
      '2028-03-01',
    ])
    expect(segment?.links).toHaveLength(1)
  })

  it('of default links act at once on everything not yet measured, and change by timestamp', () => {
    const [first, second] = [link('mtr_sum', 'cde_1'), link('mtr_max', 'cde_1')]
    const once = relinked(relinked([], [], on('2028-02-01')), [first], on('2028-02-15'))
    const twice = relinked(once, [second], on('2028-02-20'))
    expect(segmentAt(once, on('2028-02-02'))?.links).toEqual([first])
    expect(segmentAt(twice, on('2028-02-19'))?.links).toEqual([first])
    expect(segmentAt(twice, on('2028-02-20'))?.links).toEqual([second])
    expect(date(segmentAt(twice, on('2028-02-21'))?.cycle.start ?? at(0))).toBe('2028-02-01')
  })

  it('tile a life: every moment is in its own segment, and the next begins where it ends', () => {
    const moment = fc.integer({ min: -30 * day, max: 30 * day }).map(at)
    fc.assert(
      fc.property(routes, moment, (list, timestamp) => {
        for (const { stretches } of list) {
          const found = segmentAt(stretches, timestamp)
          const [first] = stretches
          if (found === null || first === undefined || timestamp < first.from) continue
          expect(found.start <= timestamp && timestamp < found.end).toBe(true)
          expect(found.cycle.start <= found.start && found.end <= found.cycle.end).toBe(true)
          expect(segmentAt(stretches, found.start)).toEqual(found)
          expect(segmentAt(stretches, instantOf(found.end - 1))).toEqual(found)
          expect(segmentAt(stretches, found.end)?.start).toBe(found.end)
        }
      }),
      runs(500),
    )
  })
})

describe('windows', () => {
  it('hold moments whose targets are the same', () => {
    const moment = fc.record({
      timestamp: fc.integer({ min: -300, max: 300 }).map((minutes) => at(minutes * minute)),
      receivedAt: fc.integer({ min: -60, max: 200 }).map((minutes) => at(minutes * minute)),
      backfilledAt,
    })
    const ofMeter = fc.constantFrom(...meters)
    fc.assert(
      fc.property(
        routes,
        defaultLinks,
        ofMeter,
        moment,
        moment,
        (list, links, meter, one, other) => {
          const { meterId, aggregation } = meter
          const group = {
            businessId: 'bus_1',
            mode: 'test' as const,
            customerId: 'cus_1',
            meterId,
            aggregation,
          }
          const routing = {
            group,
            routes: list,
            links: defaultsOf(links),
          }
          const window = windowAt(routing, one)
          expect(holds(window, one)).toBe(true)
          const shared = holds(window, other)
          if (shared) expect(targetsAt(routing, other)).toEqual(targetsAt(routing, one))
        },
      ),
      runs(1_000),
    )
  })
})
