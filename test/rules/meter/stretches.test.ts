import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Stretch } from '../../../src/rules/meter/route.ts'
import { isHeldBack, linkAt, routeFor, segmentAt } from '../../../src/rules/meter/route.ts'
import {
  continued,
  endingAt,
  followedBy,
  keepingTerms,
  restarted,
  retermed,
} from '../../../src/rules/meter/stretches.ts'
import { holds, targetsAt, windowAt } from '../../../src/rules/meter/target.ts'
import type { Cycle } from '../../../src/std/calendar.ts'
import type { Instant } from '../../../src/std/instant.ts'
import { day, formatInstant, instantOf, minute, parseInstant } from '../../../src/std/instant.ts'
import { runs } from '../../support/run/runs.ts'
import { at, backfilledAt, defaultLinks, defaultsOf, link, meters, routes } from './arbitraries.ts'

const on = (text: string): Instant => parseInstant(`${text}T00:00:00Z`) ?? instantOf(0)
const date = (instant: Instant): string => formatInstant(instant).slice(0, 10)
const month = { count: 1, interval: 'Month' } as const
const sum = link('mtr_sum', 'cde_1')
const max = link('mtr_max', 'cde_1')

const life: readonly Stretch[] = [
  { from: on('2026-01-31'), anchor: on('2026-01-31'), frequency: month, links: [sum] },
]
const open: Cycle = { start: on('2026-02-28'), end: on('2026-03-31') }

/** [cycle start, cycle end, segment start, meters] */
const found = (stretches: readonly Stretch[], text: string) => {
  const segment = segmentAt(stretches, on(text))
  if (segment === null) return null
  const { cycle, start, links } = segment
  return [cycle.start, cycle.end, start].map(date).concat(links.map((of) => of.meterId))
}

describe('a change of a subscription', () => {
  it('restarts the cycle, which cuts the one before', () => {
    const changed = restarted(life, on('2026-03-10'), { frequency: month, links: [max] })
    expect(found(changed, '2026-03-09')).toEqual([
      ...['2026-02-28', '2026-03-10', '2026-02-28', 'mtr_sum'],
    ])
    expect(found(changed, '2026-03-10')).toEqual([
      ...['2026-03-10', '2026-04-10', '2026-03-10', 'mtr_max'],
    ])
  })

  it('has new terms inside its cycle, and keeps the anchor where cycles stay as long', () => {
    const terms = { frequency: month, links: [max] }
    const changed = retermed(life, open, { at: on('2026-03-10'), terms })
    expect(found(changed, '2026-03-09')?.[3]).toBe('mtr_sum')
    expect(found(changed, '2026-03-10')).toEqual([
      ...['2026-02-28', '2026-03-31', '2026-03-10', 'mtr_max'],
    ])
    // Still counted from the 31st.
    expect(found(changed, '2026-05-01')).toEqual([
      ...['2026-04-30', '2026-05-31', '2026-04-30', 'mtr_max'],
    ])
  })

  it('has cycles of another length from the open one on', () => {
    const terms = { frequency: { count: 1, interval: 'Week' } as const, links: [max] }
    const changed = retermed(life, open, { at: on('2026-03-10'), terms })
    expect(found(changed, '2026-02-28')).toEqual([
      ...['2026-02-28', '2026-03-31', '2026-02-28', 'mtr_sum'],
    ])
    expect(found(changed, '2026-03-30')).toEqual([
      ...['2026-02-28', '2026-03-31', '2026-03-10', 'mtr_max'],
    ])
    expect(found(changed, '2026-03-31')).toEqual([
      ...['2026-03-31', '2026-04-07', '2026-03-31', 'mtr_max'],
    ])
    expect(found(changed, '2026-02-27')?.slice(0, 2)).toEqual(['2026-01-31', '2026-02-28'])
  })

  it.each(['2026-03-20', '2026-04-15', '2026-07-01'])('ends its cycle on %s instead', (end) => {
    const moved = endingAt(life, open, on(end))
    const last = date(instantOf(on(end) - day))
    expect(found(moved, last)).toEqual(['2026-02-28', end, '2026-02-28', 'mtr_sum'])
    expect(found(moved, end)?.[0]).toBe(end)
    expect(found(moved, '2026-02-01')?.slice(0, 2)).toEqual(['2026-01-31', '2026-02-28'])
    // A moved end can be moved again, and a moved cycle can be cut.
    const again = endingAt(moved, { start: open.start, end: on(end) }, on('2026-03-25'))
    expect(found(again, '2026-03-24')?.slice(0, 2)).toEqual(['2026-02-28', '2026-03-25'])
    expect(found(again, '2026-03-25')?.slice(0, 2)).toEqual(['2026-03-25', '2026-04-25'])
    const cut = restarted(moved, on('2026-03-10'), { frequency: month, links: [max] })
    expect(found(cut, '2026-03-01')?.slice(0, 2)).toEqual(['2026-02-28', '2026-03-10'])
    expect(cut).toHaveLength(3)
  })

  it('schedules other terms for the end of the cycle, and takes them back', () => {
    const terms = { frequency: { count: 1, interval: 'Year' } as const, links: [max] }
    const scheduled = followedBy(life, open, terms)
    expect(found(scheduled, '2026-03-30')).toEqual([
      ...['2026-02-28', '2026-03-31', '2026-02-28', 'mtr_sum'],
    ])
    expect(found(scheduled, '2026-04-01')).toEqual([
      ...['2026-03-31', '2027-03-31', '2026-03-31', 'mtr_max'],
    ])
    expect(continued(scheduled, open, month)).toEqual(life)
    const moved = endingAt(scheduled, open, on('2026-04-15'))
    expect(found(moved, '2026-04-15')).toEqual([
      ...['2026-04-15', '2027-04-15', '2026-04-15', 'mtr_max'],
    ])
    const back = continued(moved, { start: open.start, end: on('2026-04-15') }, month)
    expect(found(back, '2026-04-15')).toEqual([
      ...['2026-04-15', '2026-05-15', '2026-04-15', 'mtr_sum'],
    ])
  })

  it('leaves no usage without terms that were to follow', () => {
    const terms = { frequency: month, links: [max] }
    const ahead = followedBy(life, open, terms)
    const of = { meterId: 'mtr_max', entitlementId: 'cde_1' }
    const just = instantOf(open.end - 2 * minute)
    const [longer, shorter] = [on('2026-04-15'), instantOf(open.end - minute)]
    for (const changed of [
      continued(ahead, open, month),
      restarted(ahead, just, { frequency: month, links: [sum] }),
      retermed(ahead, open, { at: just, terms: { frequency: month, links: [sum] } }),
      followedBy(ahead, open, { frequency: month, links: [] }),
      endingAt(ahead, open, longer),
      endingAt(ahead, open, shorter),
    ]) {
      const kept = keepingTerms(ahead, changed, just)
      expect(linkAt(kept, open.end, of)).toEqual(max)
      const bare = kept.map(({ withdrawn: _, ...stretch }) => stretch)
      expect(bare).toEqual(changed)
      // Taken back for good, however often there are changes.
      expect(linkAt(keepingTerms(kept, restarted(kept, just, terms), just), open.end, of)).toEqual(
        max,
      )
      expect(keepingTerms(kept, kept, just)).toEqual(kept)
    }
    const early = continued(ahead, open, month)
    expect(keepingTerms(ahead, early, instantOf(open.end - 7 * minute))).toEqual(life)
  })

  it('leaves no usage without its terms', () => {
    // Measured just before the change with a timestamp of the cycle to come.
    const changed = restarted(life, on('2026-03-30'), { frequency: month, links: [max] })
    const of = { meterId: 'mtr_sum', entitlementId: 'cde_1' }
    expect(linkAt(changed, on('2026-03-31'), of)).toEqual(sum)
    expect(linkAt(changed, on('2026-03-31'), { ...of, meterId: 'mtr_last' })).toBe(undefined)
  })
})

describe('a paused subscription', () => {
  const pauses = [{ from: on('2026-02-10'), to: on('2026-02-20') }]
  const one = { routeId: 'sub_1', activatedAt: on('2026-01-31'), ended: null, stretches: life }
  const paused = { ...one, pauses }
  const moment = (text: string) => ({ timestamp: on('2026-02-09'), receivedAt: on(text) })

  it('takes nothing that is received meanwhile, and default links do not step in', () => {
    for (const [text, taken] of [
      ['2026-02-09', true],
      ['2026-02-10', false],
      ['2026-02-19', false],
      ['2026-02-20', true],
    ] as const) {
      expect(routeFor([paused], 'mtr_sum', 'cde_1', moment(text)) !== null).toBe(taken)
      expect(
        isHeldBack([paused], { meterId: 'mtr_sum', entitlementId: 'cde_1' }, moment(text)),
      ).toBe(!taken)
    }
    expect(
      isHeldBack([paused], { meterId: 'mtr_max', entitlementId: 'cde_1' }, moment('2026-02-10')),
    ).toBe(false)
    const ended = { ...paused, ended: on('2026-02-12') }
    expect(
      isHeldBack([ended], { meterId: 'mtr_sum', entitlementId: 'cde_1' }, moment('2026-02-12')),
    ).toBe(false)
  })

  it('leaves its usage to another one that lives', () => {
    const other = { ...one, routeId: 'sub_2', activatedAt: on('2026-02-01') }
    const routed = routeFor([paused, other], 'mtr_sum', 'cde_1', moment('2026-02-15'))
    expect(routed?.route.routeId).toBe('sub_2')
  })

  it('keeps windows true', () => {
    const times = fc.record({
      timestamp: fc.integer({ min: -300, max: 300 }).map((minutes) => at(minutes * minute)),
      receivedAt: fc.integer({ min: -60, max: 200 }).map((minutes) => at(minutes * minute)),
      backfilledAt,
    })
    const edge = fc.integer({ min: -60, max: 200 }).map((minutes) => at(minutes * minute))
    const pause = fc.record({ from: edge, to: fc.option(edge) })
    const property = fc.property(
      ...([routes, defaultLinks, fc.constantFrom(...meters), times, times, pause] as const),
      (list, links, { meterId, aggregation }, first, second, range) => {
        const routing = {
          group: {
            businessId: 'bus_1',
            mode: 'test' as const,
            customerId: 'cus_1',
            meterId,
            aggregation,
          },
          routes: list.map((route, index) => (index === 0 ? { ...route, pauses: [range] } : route)),
          links: defaultsOf(links),
        }
        const window = windowAt(routing, first)
        expect(holds(window, first)).toBe(true)
        if (!holds(window, second)) return
        expect(targetsAt(routing, second)).toEqual(targetsAt(routing, first))
      },
    )
    fc.assert(property, runs(1_000))
  })
})
