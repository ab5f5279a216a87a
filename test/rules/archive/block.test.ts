import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MeasuredRecord } from '../../../src/rules/archive/block.ts'
import {
  blockDrafts,
  blockEventsMax,
  blockOf,
  receivedAt,
  recordsOf,
  roomFrom,
} from '../../../src/rules/archive/block.ts'
import { probesOf, wordsOf } from '../../../src/rules/archive/bloom.ts'
import { mayHoldAll, ndjsonLines, parseLine, timestampIn } from '../../../src/rules/archive/line.ts'
import { packPlaces, unpackPlaces } from '../../../src/rules/archive/places.ts'
import type { LogLine, Metadata } from '../../../src/rules/meter/usage-event.ts'
import type { Fingerprint } from '../../../src/std/fingerprint.ts'
import { formatInstant, instantOf } from '../../../src/std/instant.ts'
import { storable } from '../../../src/std/text.ts'
import { testFingerprint } from '../../support/measuring/measured-log.ts'
import { runs } from '../../support/run/runs.ts'
import { mayHold } from '../../support/store/may-hold.ts'

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
const metadata: fc.Arbitrary<Metadata> = fc.dictionary(text, fc.jsonValue({ maxDepth: 2 }))
const line = fc.record({
  business_id: fc.constantFrom('bus_a', 'bus_b'),
  mode: fc.constantFrom('test' as const, 'live' as const),
  event_id: text,
  customer_id: fc.constantFrom('cus_1', 'cus_2', 'cus_3', 'cüs', 'c"s', 'c\\s', ''),
  event_name: text,
  timestamp: fc.integer({ min: 0, max: 4e15 }).map((at) => formatInstant(instantOf(at))),
  metadata: fc.option(metadata),
})

const records = fc
  .array(
    fc.record({
      lines: fc.array(line, { minLength: 1, maxLength: 6 }),
      gap: fc.integer({ min: 0, max: 300 }),
      at: fc.integer({ min: 0, max: 4e15 }),
      catalog: fc.constantFrom({ a: 1 }, { a: 2 }),
      verdict: fc.constantFrom(0, 1, 2),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((drafts) => {
    let offset = 0
    return drafts.map(({ lines, gap, at, catalog, verdict }) => {
      offset += gap + 1
      return recordOf(lines, { offset, at, catalog, verdict })
    })
  })

describe('places', () => {
  it('survive packing, whatever way log time steps', () => {
    const places = fc.array(
      fc.record({
        offset: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
        at: fc.integer({ min: 0, max: 4e15 }).map(instantOf),
        events: fc.integer({ min: 0, max: 1e6 }),
      }),
    )
    fc.assert(
      fc.property(places, (some) => {
        const rising = some.toSorted((a, b) => a.offset - b.offset)
        expect(unpackPlaces(packPlaces(rising))).toEqual(rising)
      }),
    )
  })
})

describe('block', () => {
  it('gives back its records as they were', () => {
    fc.assert(
      fc.property(records, (some) => {
        const last = some.at(-1)?.offset ?? 0
        const block = blockOf(some, 0, last + 1)
        const back = recordsOf(block, identityOf)
        expect(back.map(plain)).toEqual(some.map(plain))
        expect(blockOf(back, 0, last + 1)).toEqual(block)
        const times = some.flatMap((record) =>
          Array.from({ length: record.events }, () => record.at),
        )
        expect(times.map((_, event) => receivedAt(block.places, event))).toEqual(times)
      }),
      runs(50),
    )
  })

  it('has a filter that holds every event of it', () => {
    fc.assert(
      fc.property(records, (some) => {
        const block = blockOf(some, 0, 1e6)
        for (const own of ndjsonLines(block.ndjson)) {
          const [hi, lo] = identityOf(own)
          expect(mayHold(block.ids, probesOf(hi, lo))).toBe(true)
        }
      }),
    )
  })

  it('sums up what each business has in it, without repeats', () => {
    fc.assert(
      fc.property(records, (some) => {
        const block = blockOf(some, 0, 1e6)
        const shown = ndjsonLines(block.ndjson)
          .filter((_, index) => block.verdicts[index] !== 2)
          .map(parseLine)
        const owners = new Set(shown.map((own) => `${own.mode}/${own.business_id}`))
        expect(block.summaries.length).toBe(owners.size)
        for (const summary of block.summaries) {
          const own = shown.filter(
            (event) => event.business_id === summary.businessId && event.mode === summary.mode,
          )
          const times = own.map((event) => event.timestamp).sort()
          expect(summary.events).toBe(own.length)
          expect(formatInstant(summary.firstAt)).toBe(times[0])
          expect(formatInstant(summary.lastAt)).toBe(times.at(-1))
          const names = new Set(own.map((event) => storable(event.event_name)))
          expect(summary.names).toEqual(names.size > 64 ? [] : [...names])
          for (const event of own) {
            expect(mayHold(summary.customers, probesOf(...wordsOf(event.customer_id)))).toBe(true)
          }
        }
      }),
    )
  })

  it('ends before it grows too large, and the blocks of a run cover it without a gap', () => {
    const own = parseLine(
      '{"business_id":"b","mode":"test","event_id":"e","customer_id":"c","event_name":"n","timestamp":"2026-01-01T00:00:00.000000Z"}',
    )
    const sizes = [1_000, 3_000, 97, 5_000, 1, 1]
    const some = sizes.map((size, index) =>
      recordOf(
        Array.from({ length: size }, () => own),
        { offset: 10 + index * 2 },
      ),
    )
    const blocks = blockDrafts(some, 7, 30)
    expect(roomFrom(some)).toBe(18)
    expect(roomFrom(some.slice(0, 2))).toBeNull()
    expect(blocks.map((block) => block.verdicts.length)).toEqual([4_000, 97, 5_000, 2])
    expect(blocks.map((block) => [block.start, block.end])).toEqual([
      [7, 14],
      [14, 16],
      [16, 18],
      [18, 30],
    ])
    expect(blockEventsMax).toBe(4_096)
    expect(blockDrafts([], 7, 30)).toEqual([])
    expect(roomFrom([])).toBeNull()
  })
})

describe('a line', () => {
  it('is never ruled out when it holds what is asked for', () => {
    fc.assert(
      fc.property(line, (own) => {
        const written = JSON.stringify(own)
        const escaped = written.replace(/[\u0080-\uffff]/g, (unit) => {
          return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
        })
        const texts = [own.business_id, own.event_id, own.event_name]
        expect(mayHoldAll(written, texts)).toBe(true)
        expect(mayHoldAll(escaped, texts)).toBe(true)
      }),
    )
  })

  it('tells its timestamp without being parsed, or not at all', () => {
    const fields = fc.oneof(
      line,
      line.map((own) => ({ ...own, metadata: { timestamp: 'x' } })),
    )
    fc.assert(
      fc.property(fields, (own) => {
        const written = JSON.stringify(own)
        const plainly = !written.includes('\\') && own.metadata?.['timestamp'] === undefined
        expect(timestampIn(written)).toBe(plainly ? own.timestamp : null)
      }),
    )
  })

  it('does not quote itself in an error', () => {
    expect(() => parseLine('secret')).toThrow('A measured line of the log is not JSON.')
  })
})

interface Draft {
  readonly offset: number
  readonly at?: number
  readonly catalog?: unknown
  readonly verdict?: number
}

function recordOf(lines: readonly LogLine[], draft: Draft): MeasuredRecord {
  const texts = lines.map((own) => JSON.stringify(own))
  return {
    offset: draft.offset,
    at: instantOf(draft.at ?? 0),
    events: lines.length,
    value: Buffer.from(texts.map((own) => `${own}\n`).join('')),
    verdicts: Uint8Array.from(lines, (_, index) => (index === 0 ? (draft.verdict ?? 0) : 0)),
    fingerprints: Uint32Array.from(texts.flatMap(identityOf)),
    routeMarks: Uint8Array.from(texts.flatMap((_, index) => [draft.verdict ?? 0, index % 256])),
    catalog: draft.catalog ?? {},
  }
}

function identityOf(written: string): Fingerprint {
  const own = parseLine(written)
  return testFingerprint(own.business_id, own.mode, own.event_id)
}

const plain = (record: MeasuredRecord): unknown => ({
  ...record,
  value: Buffer.from(record.value).toString(),
  verdicts: [...record.verdicts],
  routeMarks: [...record.routeMarks],
})
