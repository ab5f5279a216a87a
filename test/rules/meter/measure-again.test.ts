import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assign } from '../../../src/rules/meter/assign.ts'
import { compileCatalogs } from '../../../src/rules/meter/catalog.ts'
import { measure } from '../../../src/rules/meter/measure.ts'
import { measureAgain, withMeasuredAgain } from '../../../src/rules/meter/measure-again.ts'
import type {
  BusinessCatalog,
  MeasureResult,
  MeasureSlice,
} from '../../../src/rules/meter/measure-types.ts'
import { runs } from '../../support/run/runs.ts'
import {
  at,
  bytes,
  catalog,
  catalogMeter,
  line,
  meters,
  modelEvents,
  numbering,
} from './arbitraries.ts'

const of = (businessId: string, mode: 'test' | 'live', rest: Partial<BusinessCatalog> = {}) => ({
  ...catalog(meters),
  businessId,
  mode,
  ...rest,
})

const before = [of('bus_1', 'test'), of('bus_1', 'live'), of('bus_2', 'test')]

/** What matters of a result, without the order of its rows and the numbers of its groups. */
function essence(result: MeasureResult) {
  const { rows, groups } = result
  const of = Array.from({ length: rows.count }, (_, row) => [
    rows.event[row],
    groups[rows.group[row] ?? 0],
    rows.timestamp[row],
    rows.quantity[row],
    rows.exact.get(row)?.toString(),
    rows.eventIds.get(row),
    rows.backfilledAt.get(row),
  ])
  const sorted = (values: readonly unknown[]) => values.map((one) => JSON.stringify(one)).toSorted()
  return { ...result, groups: null, rows: sorted(of), catalogs: sorted(result.catalogs) }
}

const measured = (slices: readonly MeasureSlice[], catalogs: readonly BusinessCatalog[]) =>
  measure({ slices }, numbering, compileCatalogs(catalogs))

const records = fc
  .array(
    fc.record({
      events: modelEvents,
      broken: fc.boolean(),
      mixed: fc.integer({ min: 1, max: 5 }),
    }),
    { maxLength: 5 },
  )
  .map((all) =>
    all.map(({ events, broken, mixed }, offset) => {
      const lines = events.map((event, index) =>
        line(event, {
          business_id: (index + offset) % mixed === 0 ? 'bus_1' : 'bus_2',
          mode: index % 4 === 3 && (index + offset) % mixed === 0 ? 'live' : 'test',
        }),
      )
      const text = lines.join('') + (broken ? 'broken\n' : '')
      return { offset, at: at(0), events: events.length + (broken ? 1 : 0), value: bytes(text) }
    }),
  )

describe('measuring a business again', () => {
  it('makes what measuring all of it under the new catalogs would have made', () => {
    fc.assert(
      fc.property(records, fc.boolean(), (all, both) => {
        const slices = [
          { partition: 0, records: all.slice(0, 2) },
          { partition: 1, records: all.slice(2) },
        ]
        const moved = [
          of('bus_1', 'test', { version: 2, meters: meters.slice(2) }),
          ...(both ? [of('bus_2', 'test', { version: 7, meters: [catalogMeter('mtr_new')] })] : []),
        ]
        const first = measured(slices, before)
        const catalogs = bytes(JSON.stringify(moved))
        const again = measureAgain({ slices, unreadable: first.unreadable, catalogs })
        const rest = before.filter((one) => !moved.some((two) => isSame(one, two)))
        const whole = measured(slices, [...rest, ...moved])
        const names = whole.catalogs.map(({ businessId, mode }) => `${mode} ${businessId}`)
        const result = withMeasuredAgain(first, again)
        // A business that had no event in it cannot have moved under it.
        const seen = result.catalogs.filter((used) =>
          names.includes(`${used.mode} ${used.businessId}`),
        )
        expect(essence({ ...result, catalogs: seen })).toEqual(essence(whole))
      }),
      runs(300),
    )
  })

  it('reads a line that is written in another way, and passes over those of others', () => {
    const event = {
      eventId: 'evt_1',
      customerId: 'cus_1',
      eventName: 'call',
      timestamp: at(0),
      receivedAt: at(0),
      metadata: { n: 1 },
    }
    const own = line(event).replace('bus_1', '\\u0062us_1')
    const value = bytes(line(event, { business_id: 'bus_2' }) + own)
    const slices = [{ partition: 0, records: [{ offset: 0, at: at(0), events: 2, value }] }]
    const catalogs = bytes(JSON.stringify([of('bus_1', 'test')]))
    const { rows, groups } = measureAgain({ slices, unreadable: [], catalogs })
    expect([...new Set(rows.event)]).toEqual([1])
    expect(new Set(groups.map(({ businessId }) => businessId))).toEqual(new Set(['bus_1']))
  })

  it('leaves nothing of a meter that is gone', () => {
    const event = {
      eventId: 'evt_1',
      customerId: 'cus_1',
      eventName: 'call',
      timestamp: at(0),
      receivedAt: at(0),
      metadata: { n: 1 },
    }
    const value = bytes(line(event))
    const slices = [{ partition: 0, records: [{ offset: 0, at: at(0), events: 1, value }] }]
    const first = measured(slices, before)
    const catalogs = bytes(JSON.stringify([of('bus_1', 'test', { version: 2, meters: [] })]))
    const again = measureAgain({ slices, unreadable: [], catalogs })
    const result = withMeasuredAgain(first, again)
    const { usage, billed } = assign({
      result,
      fresh: new Uint8Array([1]),
      routesOf: () => [],
      linksOf: () => [],
    })
    expect([first.rows.count > 0, result.rows.count, usage, [...billed]]).toEqual([
      true,
      0,
      [],
      [0],
    ])
    expect(result.catalogs).toEqual([{ businessId: 'bus_1', mode: 'test', version: 2 }])
  })
})

const isSame = (one: BusinessCatalog, two: BusinessCatalog): boolean =>
  one.businessId === two.businessId && one.mode === two.mode
