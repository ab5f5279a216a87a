import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { headReader } from '../../../src/rules/archive/head.ts'
import { parseLine } from '../../../src/rules/archive/line.ts'
import { runs } from '../../support/run/runs.ts'

// What could end a text early, or look like the next field.
const nasty = fc.constantFrom(
  ...['"', '\\', '\\"', '\n', '","customer_id":"x', '","timestamp":"', '}', '\u2028', 'ü', ''],
)
const text = fc
  .array(fc.oneof(nasty, fc.string({ unit: 'grapheme', maxLength: 6 })), { maxLength: 4 })
  .map((parts) => parts.join(''))
const line = fc.record({
  business_id: fc.constantFrom('bus_a', 'bus_b', 'bus_"'),
  mode: fc.constantFrom('test', 'live'),
  event_id: text,
  customer_id: text,
  event_name: text,
  timestamp: fc.constantFrom('2026-01-31T12:00:00.000000Z', '2026-01-31T12:00:00+01:00'),
})
const metadata = fc.option(fc.dictionary(text, text))

describe('heads of lines', () => {
  it('are what parsing says, whatever the texts hold and whoever comes in between', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(line, metadata), { maxLength: 12 }), (made) => {
        const headOf = headReader()
        for (const [own, more] of made) {
          const written = JSON.stringify(more === null ? own : { ...own, metadata: more })
          expect(headOf(written)).toEqual(expected(written))
        }
      }),
      runs(500),
    )
  })

  it('are read from lines with other blanks and another order, too', () => {
    const headOf = headReader()
    const own = {
      timestamp: '2026-01-31T12:00:00.000000Z',
      event_name: 'call',
      customer_id: 'cus_1',
      event_id: 'a',
      mode: 'test',
      business_id: 'bus_a',
    }
    const { timestamp, event_name, customer_id, event_id, mode, business_id } = own
    const usual = { business_id, mode, event_id, customer_id, event_name, timestamp }
    for (const written of [usual, own, usual].flatMap((one) => [
      JSON.stringify(one),
      JSON.stringify(one, null, 1).replaceAll('\n', ''),
    ])) {
      expect(headOf(written)).toEqual(expected(written))
    }
  })

  it('refuses what is no line at all', () => {
    expect(() => headReader()('{"business_id":"bus_a"')).toThrow('not JSON')
  })
})

function expected(written: string) {
  const parsed = parseLine(written)
  return {
    businessId: parsed.business_id,
    mode: parsed.mode,
    eventId: parsed.event_id,
    customerId: parsed.customer_id,
    eventName: parsed.event_name,
    timestamp: parsed.timestamp,
  }
}
