import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { catalogCache, compileCatalogs } from '../../../src/rules/meter/catalog.ts'
import { measure } from '../../../src/rules/meter/measure.ts'
import type { BusinessCatalog, MeasureSlice } from '../../../src/rules/meter/measure-types.ts'
import { createFingerprinter } from '../../../src/std/fingerprint.ts'
import { hour, parseInstant } from '../../../src/std/instant.ts'
import run from '../../../workers/measure.ts'
import type { ModelEvent } from '../../model/usage.ts'
import { runs } from '../../support/run/runs.ts'
import {
  at,
  bytes,
  catalog,
  catalogMeter,
  line,
  modelEvents,
  numbering,
  one,
  recordsOf,
} from './arbitraries.ts'

const event = (number: number, rest: Partial<ModelEvent> = {}): ModelEvent => ({
  eventId: `evt_${number}`,
  customerId: 'cus_1',
  eventName: 'call',
  timestamp: at(number),
  receivedAt: at(0),
  metadata: { n: number },
  ...rest,
})

const record = (value: string | Uint8Array, events: number, offset = 0) => ({
  offset,
  at: at(0),
  events,
  value: typeof value === 'string' ? bytes(value) : value,
})

const slice = (...records: MeasureSlice['records']): MeasureSlice => ({ partition: 0, records })

const sum = catalogMeter('mtr_sum', { aggregation: 'sum', aggregationKey: 'n' })
const last = catalogMeter('mtr_last', { aggregation: 'last', aggregationKey: 'n' })

const measured = (slices: readonly MeasureSlice[], ...catalogs: readonly BusinessCatalog[]) =>
  measure({ slices }, numbering, compileCatalogs(catalogs))

describe('measuring', () => {
  it('numbers events in log order over slices and records', () => {
    const slices = [
      slice(record(line(event(1)) + line(event(2)), 2)),
      slice(),
      slice(record(line(event(3)), 1), record(line(event(4)), 1, 1)),
    ]
    const result = measured(slices, catalog())
    expect(result.events).toBe(4)
    expect([...result.sliceStarts]).toEqual([0, 2, 2, 4])
    expect([...result.fingerprints]).toEqual([0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0])
    expect([...result.receivedAt]).toEqual([at(0), at(0), at(0), at(0)])
    expect(result.catalogs).toEqual([{ businessId: 'bus_1', mode: 'test', version: 1 }])
  })

  it('feeds each meter that an event matches [meters#late-usage]', () => {
    const meters = [sum, last, catalogMeter('mtr_calls'), catalogMeter('mtr_x', { eventName: 'x' })]
    const result = measured([slice(record(line(event(7)), 1))], catalog(meters))
    expect(result.groups.map(({ meterId }) => meterId)).toEqual([
      'mtr_sum',
      'mtr_last',
      'mtr_calls',
    ])
    expect([...result.rows.group]).toEqual([0, 1, 2])
    expect([...result.rows.quantity]).toEqual([7, 7, 1])
    expect([...result.rows.timestamp]).toEqual([at(7), at(7), at(7)])
    expect([...result.rows.eventIds]).toEqual([[1, 'evt_7']])
  })

  it('keeps what is not a safe integer exactly, beside its row', () => {
    const lines = [1, '0.5', 'no', 3].map((n, index) => line(event(index, { metadata: { n } })))
    const { rows } = measured([slice(record(lines.join(''), 4))], catalog([sum]))
    expect([...rows.event]).toEqual([0, 1, 3])
    expect([...rows.quantity]).toEqual([1, Number.NaN, 3])
    expect([...rows.exact]).toEqual([[1, one / 2n]])
  })

  it('counts nothing that was received while the meter was archived [meters#late-usage]', () => {
    const away = { ...sum, archived: [{ from: at(0), to: at(hour) }] }
    const records = [at(-1), at(0), at(hour - 1), at(hour)].map((received, offset) => ({
      ...record(line(event(offset)), 1, offset),
      at: received,
    }))
    expect([...measured([slice(...records)], catalog([away])).rows.event]).toEqual([0, 3])
  })

  it('keeps businesses and modes apart', () => {
    const lines = [{}, { mode: 'live' }, { business_id: 'bus_2' }, {}].map((more) =>
      line(event(1), more),
    )
    const slices = [slice(record(lines.join(''), 4))]
    const catalogs = [
      catalog([sum]),
      { ...catalog([last]), mode: 'live' as const },
      { ...catalog([]), businessId: 'bus_2', version: 9 },
    ]
    const result = measured(slices, ...catalogs)
    expect(result.groups.map(({ mode, meterId }) => [mode, meterId])).toEqual([
      ['test', 'mtr_sum'],
      ['live', 'mtr_last'],
    ])
    expect([...result.rows.event]).toEqual([0, 1, 3])
    expect(result.catalogs.map(({ version }) => version)).toEqual([1, 1, 9])
    expect([...result.fingerprints]).toEqual([0, 1, 0, 1, 1, 0, 0, 1, 0, 0, 1, 0])
  })

  it('names every business that the catalog does not hold, and nothing else', () => {
    const lines = [{}, { mode: 'live' }, { business_id: 'bus_2' }, { mode: 'live' }]
    const text = lines.map((more) => line(event(1), more)).join('')
    const result = measured([slice(record(text, 4), record('?', 1, 1))], catalog())
    expect(result.missing).toEqual([
      { businessId: 'bus_1', mode: 'live' },
      { businessId: 'bus_2', mode: 'test' },
    ])
    expect([result.events, result.rows.count, result.groups.length]).toEqual([0, 0, 0])
    expect(result.unreadable).toEqual([])
    expect([...result.sliceStarts]).toEqual([0, 0])
  })

  it('gives the same columns for the same slices, in one go or slice by slice', () => {
    fc.assert(
      fc.property(modelEvents, fc.nat(), (events, cut) => {
        const records = recordsOf(events)
        const middle = records.length === 0 ? 0 : cut % records.length
        const parts = [records.slice(0, middle), records.slice(middle)].map((of) => slice(...of))
        const whole = measured([slice(...records)], catalog())
        expect(measured([slice(...records)], catalog())).toEqual(whole)
        const { sliceStarts: _, ...split } = measured(parts, catalog())
        expect(split).toEqual({ ...whole, sliceStarts: undefined })
      }),
    )
  })

  it('knows no customer whose id the store could not hold', () => {
    const lines = ['cus\u0000', 'cus\ud800'].map((customerId) => line(event(1, { customerId })))
    const result = measured([slice(record(lines.join(''), 2))], catalog([sum]))
    expect([result.events, result.rows.count]).toEqual([2, 0])
  })
})

describe('timestamps of lines [events#times]', () => {
  it('read as every other date-time does', () => {
    const micro = fc.nat(3_000_000_000).map((offset) => line(event(offset)))
    const odd = fc
      .constantFrom(
        '2026-01-31T23:59:60.000000Z',
        '2026-01-31T12:00:00+01:00',
        '2026-01-31t01:02:03z',
      )
      .map((timestamp) => line(event(1), { timestamp }))
    fc.assert(
      fc.property(fc.array(fc.oneof(micro, odd), { maxLength: 8 }), (lines) => {
        const { rows } = measured([slice(record(lines.join(''), lines.length))], catalog([sum]))
        const expected = lines.map((text) => parseInstant(JSON.parse(text).timestamp))
        expect([...rows.timestamp]).toEqual(expected)
      }),
    )
  })

  it('are refused where parseInstant refuses them', () => {
    for (const timestamp of [
      '2026-02-30T12:00:00.000000Z',
      '2026-01-31T24:00:00.000000Z',
      '2026-01-31T12:00:61.000000Z',
      '2026-01-31T12:00:0x.000000Z',
      '2026-01-31T12:00:00.00000xZ',
      '2026-01-31T12:00:0/.000000Z',
      '2026-01-31T12:00:0:.000000Z',
      '2026-01-31T12:00:00.000000+',
      '2026-01-31T12:00:00,000000Z',
      'yesterday',
    ]) {
      const { unreadable } = measured([slice(record(line(event(1), { timestamp }), 1))], catalog())
      expect(unreadable.map(({ reason }) => reason)).toEqual([
        'Line 1 has a timestamp that is not an RFC 3339 date-time.',
      ])
    }
  })
})

describe('records that cannot be read [machines#the-log]', () => {
  const good = line(event(1))
  const reasonOf = (value: string | Uint8Array, events = 1): string => {
    const result = measured([slice(record(value, events, 5), record(good, 1, 6))], catalog([sum]))
    expect(result.events).toBe(1)
    expect(result.rows.count).toBe(1)
    const [unreadable] = result.unreadable
    expect(unreadable).toMatchObject({ slice: 0, offset: 5 })
    return unreadable?.reason ?? ''
  }

  it('are left out whole, with a reason', () => {
    expect(reasonOf(good + good, 1)).toBe('The record has 2 lines, and 1 were announced.')
    expect(reasonOf(good, 2)).toBe('The record has 1 lines, and 2 were announced.')
    expect(reasonOf(good, Number.NaN)).toMatch(/announced/)
    expect(reasonOf('', 1)).toMatch(/has 0 lines/)
    expect(reasonOf(`${good}{`, 2)).toBe('Line 2 is not JSON.')
    expect(reasonOf(`${good}\n${good}`, 3)).toBe('Line 2 is not JSON.')
    expect(reasonOf('[1]')).toBe('Line 1 is not an object.')
    expect(reasonOf('null')).toBe('Line 1 is not an object.')
    expect(reasonOf(Uint8Array.of(0xff, 0x0a))).toBe('The record is not UTF-8.')
    expect(reasonOf(`\ufeff${good}`)).toBe('Line 1 is not JSON.')
    expect(reasonOf('['.repeat(200_000))).toBe('Line 1 is not JSON.')
  })

  it('lack a field, or have another type in it', () => {
    const fields = ['business_id', 'event_id', 'customer_id', 'event_name', 'timestamp']
    for (const field of fields)
      for (const value of [undefined, null, 5, [], {}])
        expect(reasonOf(line(event(1), { [field]: value }))).toBe(`Line 1 has no ${field}.`)
    expect(reasonOf(line(event(1), { mode: 'prod' }))).toBe('Line 1 has no mode.')
    for (const metadata of ['x', 5, [], true])
      expect(reasonOf(line(event(1), { metadata }))).toMatch(/metadata that is not an object/)
    expect(reasonOf(`{"__proto__":${good.trim()}}\n`)).toBe('Line 1 has no business_id.')
  })

  it('are read without a last newline, and may be empty', () => {
    const records = [record(good.trim(), 1), record('', 0, 1)]
    const result = measured([slice(...records)], catalog())
    expect([result.events, result.unreadable.length]).toEqual([1, 0])
  })

  it('never throw, and repeat nothing of what they hold', () => {
    const text = fc.string({ unit: 'binary' }).map(bytes)
    const damaged = fc
      .tuple(fc.nat(good.length - 1), fc.nat(255))
      .map(([index, byte]) => bytes(good).with(index, byte))
    const value = fc.oneof(fc.uint8Array(), text, damaged, fc.json().map(bytes))
    fc.assert(
      fc.property(value, fc.nat(3), (given, events) => {
        const result = measured([slice(record(given, events))], catalog())
        for (const { reason } of result.unreadable)
          expect(reason).toMatch(/^(The record|Line \d) (is not|has)[\w ,.-]*\.$/)
      }),
      runs(1_000),
    )
  })
})

describe('catalogs', () => {
  it('are compiled again only where a version moved', () => {
    const json = (...of: readonly BusinessCatalog[]) => bytes(JSON.stringify(of))
    const cache = catalogCache()
    const one = cache({ version: 1, json: json(catalog()) })
    expect(cache({ version: 1, json: bytes('not read') })).toBe(one)
    const changed = { ...catalog([]), mode: 'live' as const }
    const two = cache({ version: 2, json: json(catalog(), changed) })
    expect(two('bus_1', 'test')).toBe(one('bus_1', 'test'))
    expect(two('bus_1', 'live')?.byName.size).toBe(0)
    const three = cache({ version: 3, json: json(catalog([sum], 2)) })
    expect(three('bus_1', 'test')?.byName.get('call')).toHaveLength(1)
    expect(three('bus_1', 'live')).toBe(null)
  })
})

describe('the worker', () => {
  it('measures plain data, with the catalog in shared memory', () => {
    const text = bytes(JSON.stringify([catalog([sum])]))
    const json = new Uint8Array(new SharedArrayBuffer(text.length))
    json.set(text)
    const fingerprintKey = new Uint8Array(16).fill(3)
    const slices = [slice(record(line(event(1)) + line(event(2)), 2))]
    const result = run({ slices, catalog: { version: 1, json }, fingerprintKey })
    const ids = ['evt_1', 'evt_2']
    const expected = createFingerprinter(fingerprintKey).fingerprints('bus_1', 'test', ids)
    expect(result.fingerprints).toEqual(expected)
    expect([...result.rows.quantity]).toEqual([1, 2])
    expect(structuredClone(result)).toEqual(result)
    expect(result.fingerprints.buffer.byteLength).toBe(result.fingerprints.byteLength)
  })
})
