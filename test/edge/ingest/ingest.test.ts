import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { byteBudget } from '../../../src/edge/http/budget.ts'
import { loadHttpEngine } from '../../../src/edge/http/uws.ts'
import { knownCustomers } from '../../../src/edge/ingest/customers.ts'
import { ingestRoute } from '../../../src/edge/ingest/ingest.ts'
import { packer } from '../../../src/edge/ingest/packer.ts'
import { Fault } from '../../../src/faults.ts'
import {
  day,
  formatInstant,
  hour,
  instantOf,
  minute,
  parseInstant,
} from '../../../src/std/instant.ts'
import { decodePosition } from '../../../src/std/position.ts'
import type { TestServer } from '../../support/edge.ts'
import { bearer, keys, manualClock, noon, testServer } from '../../support/edge.ts'
import { memoryDedupe, simpleFingerprinter } from '../../support/memory-dedupe.ts'
import { memoryEventLog } from '../../support/memory-event-log.ts'

const log = memoryEventLog()
const dedupe = memoryDedupe()
const budget = byteBudget(64 * 1024 * 1024)
const counted = new Map<string, number>()
const storeAway = { gone: false }
let answered: number[] = []
let namespace: string | null = 'n1'
let at: TestServer

const customers = knownCustomers({
  async existing(_businessId, _mode, ids) {
    if (storeAway.gone) throw new Fault('UNAVAILABLE', 'Away.', { retryAfterSeconds: 1 })
    return new Set(ids.filter((id) => id.startsWith('cus')))
  },
})

beforeAll(async () => {
  const clock = manualClock()
  const route = ingestRoute({
    log,
    packer: packer({ log, budget, clock, appended: () => undefined }),
    dedupe,
    namespaceOf: () => namespace,
    fingerprinter: simpleFingerprinter,
    customers,
    metrics: {
      request: (status) => void answered.push(status),
      events: (result, count) => void counted.set(result, (counted.get(result) ?? 0) + count),
    },
  })
  at = await testServer(loadHttpEngine(), [route], { clock, budget })
})

beforeEach(() => {
  log.clear()
  counted.clear()
  answered = []
  storeAway.gone = false
  namespace = 'n1'
})

afterAll(() => at.server.stop(1_000))

let serial = 0
const event = (changes: Record<string, unknown> = {}): Record<string, unknown> => {
  serial += 1
  return { event_id: `evt_${serial}`, customer_id: 'cus_1', event_name: 'call', ...changes }
}

interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly body: Record<string, unknown>
}

async function send(body: string | Uint8Array, headers: Record<string, string> = {}) {
  const answer = await fetch(`${at.url}/events/ingest`, {
    method: 'POST',
    headers: { ...bearer(keys.write), 'Content-Type': 'application/json', ...headers },
    body,
  })
  const { status } = answer
  return { status, headers: answer.headers, body: await answer.json() } as Answered
}

const ingest = (...events: readonly unknown[]) => send(JSON.stringify({ events }))

/** Refused, with this; and nothing stored, and the next request served. */
async function expectRefusal(
  answer: Promise<Answered>,
  status: number,
  code: string,
  says: string,
) {
  const { body, headers, status: actual } = await answer
  expect({ status: actual, ...body }).toMatchObject({ status, code })
  expect(body['message']).toContain(says)
  expect(headers.get('x-should-retry')).toBe('false')
  expect(headers.has('sluice-position')).toBe(false)
  expect(log.lines()).toEqual([])
  expect((await ingest(event())).status).toBe(200)
  log.clear()
}

describe('an accepted request', () => {
  it('is one line an event, complete in itself', async () => {
    const metadata = {
      tokens: 1.5,
      model: 'a"\\\n ü😀',
      cached: false,
      none: null,
      list: [1, { a: 1 }],
    }
    const one = event({ timestamp: '2026-11-21T13:30:00.1234567+01:30', metadata, extra: 1 })
    const two = event({ metadata: null, timestamp: null })
    const three = event({ event_id: 'quo"te\\\u0001', customer_id: 'cus_ü', event_name: '😀' })
    const answer = await ingest(one, two, three)
    expect(answer.body).toEqual({ ingested_count: 3 })
    const lines = new Map(log.lines().map((line) => [line['event_id'], line]))
    const common = { business_id: 'bus_1', mode: 'test', timestamp: formatInstant(noon) }
    expect(lines.get(one['event_id'])).toEqual({
      ...common,
      event_id: one['event_id'],
      customer_id: 'cus_1',
      event_name: 'call',
      timestamp: '2026-11-21T12:00:00.123456Z',
      metadata,
    })
    expect(lines.get(two['event_id'])).toEqual({ ...common, ...two, timestamp: common.timestamp })
    expect(lines.get(three['event_id'])).toEqual({ ...common, ...three })
    expect(lines.get(three['event_id'])).not.toHaveProperty('metadata')
    expect(answered).toEqual([200])
    expect(counted.get('accepted')).toBe(3)
  })

  it('names the position after its events', async () => {
    const answer = await ingest(...Array.from({ length: 20 }, () => event()))
    const text = answer.headers.get('sluice-position') ?? ''
    expect(text).not.toContain(',')
    const position = decodePosition(text, log)
    expect([...(position?.keys() ?? [])].toSorted()).toEqual([0, 1, 2, 3])
    const again = await ingest(event(), event())
    const both = `${text}, ${again.headers.get('sluice-position')}`
    expect(decodePosition(both, log)?.size).toBe(4)
  })

  it('puts each event where its fingerprint says', async () => {
    await ingest(...Array.from({ length: 50 }, () => event()))
    for (const record of log.records) {
      const text = Buffer.from(record.value).toString('utf8')
      for (const line of text.split('\n').slice(0, -1)) {
        const { event_id: id } = JSON.parse(line) as { event_id: string }
        const [hi = 0, lo = 0] = simpleFingerprinter.fingerprints('bus_1', 'test', [id])
        expect(simpleFingerprinter.partitionOf(hi, lo, 4)).toBe(record.partition)
      }
    }
  })

  it('keeps __proto__ and constructor as data', async () => {
    const id = 'evt_proto'
    const text = '{"__proto__":{"a":1},"constructor":"x","toString":2,"hasOwnProperty":true}'
    const body =
      `{"__proto__":{"events":[]},"events":[{"__proto__":{"event_id":"no"},"event_id":"${id}",` +
      `"customer_id":"cus_1","event_name":"call","metadata":${text}}]}`
    expect((await send(body)).status).toBe(200)
    const [record] = log.records
    expect(Buffer.from(record?.value ?? []).toString()).toContain(`"metadata":${text}}\n`)
    expect({}).not.toHaveProperty('a')
  })

  it('does not take inherited names for fields', async () => {
    const body =
      '{"events":[{"__proto__":{"event_id":"a","customer_id":"cus_1","event_name":"x"}}]}'
    await expectRefusal(send(body), 422, 'INVALID_REQUEST_BODY', 'events[0].event_id is required')
  })

  it('takes 1 000 events, ids of 255 characters, and metadata at its bounds', async () => {
    const many = Array.from({ length: 1_000 }, () => event())
    expect((await ingest(...many)).body).toEqual({ ingested_count: 1_000 })
    const long = '😀'.repeat(255)
    const keysMax = Object.fromEntries(Array.from({ length: 50 }, (_, key) => [`k${key}`, key]))
    const metadata = { ...keysMax, k0: 'é'.repeat(500), k1: { b: { c: [1] } } }
    const named = { customer_id: `cus${long.slice(0, 504)}`, event_name: long }
    expect((await ingest(event({ ...named, event_id: long, metadata }))).status).toBe(200)
    const longest = { ['k'.repeat(100)]: Number.MAX_SAFE_INTEGER, n: -Number.MAX_SAFE_INTEGER }
    expect((await ingest(event({ metadata: longest }))).status).toBe(200)
    expect((await ingest(event({ metadata: { n: 0.1, tiny: 1e-300 } }))).status).toBe(200)
  })

  it('takes gzip', async () => {
    const body = gzipSync(JSON.stringify({ events: [event()] }))
    expect((await send(body, { 'Content-Encoding': 'gzip' })).body).toEqual({ ingested_count: 1 })
  })

  it('is in the log before it is answered', async () => {
    log.hold()
    let over = false
    const answer = ingest(event()).finally(() => {
      over = true
    })
    while (log.appends === 0) await new Promise((resolve) => setImmediate(resolve))
    expect(over).toBe(false)
    log.release()
    expect((await answer).status).toBe(200)
  })
})

describe('ids known from before', () => {
  it('are ignored, whatever else their repeat says', async () => {
    dedupe.remember('old_1', 'old_2')
    const late = event({
      event_id: 'old_1',
      timestamp: '2020-01-01T00:00:00Z',
      customer_id: 'nobody',
    })
    const huge = event({ event_id: 'old_2', metadata: { n: 2 ** 60 } })
    const fresh = event()
    expect((await ingest(late, fresh, huge)).body).toEqual({ ingested_count: 1 })
    expect(log.lines().map((line) => line['event_id'])).toEqual([fresh['event_id']])
    expect(counted.get('duplicate')).toBe(2)
    log.clear()
    const none = await ingest(late, huge)
    expect(none.body).toEqual({ ingested_count: 0 })
    expect(decodePosition(none.headers.get('sluice-position') ?? '', log)).toEqual(new Map())
    expect(log.records).toEqual([])
  })

  it('still need the shape of an event, and to come once', async () => {
    dedupe.remember('old_3')
    const repeated = ingest(event({ event_id: 'old_3' }), event({ event_id: 'old_3' }))
    await expectRefusal(repeated, 400, 'DUPLICATE_EVENT_IDS', 'events[1].event_id')
    const shapeless = ingest(event({ event_id: 'old_3', customer_id: '' }))
    await expectRefusal(shapeless, 422, 'INVALID_REQUEST_BODY', 'events[0].customer_id')
  })

  it('are not filtered before the checkpoint names a namespace', async () => {
    dedupe.remember('old_4')
    namespace = null
    expect((await ingest(event({ event_id: 'old_4' }))).body).toEqual({ ingested_count: 1 })
  })
})

describe('the shape (422)', () => {
  const long = 'x'.repeat(256)
  it.each<[string, unknown, string]>([
    ['no events', {}, 'events is required'],
    ['events of another type', { events: {} }, 'events must be an array'],
    ['0 events', { events: [] }, 'events must hold at least 1 items'],
    ['1 001 events', { events: Array.from({ length: 1_001 }, () => event()) }, 'at most 1000'],
    ['a body that is no object', [], 'must be an object'],
    ['an event that is no object', { events: [event(), 1] }, 'events[1] must be an object'],
    ['no event_id', { events: [event({ event_id: undefined })] }, 'events[0].event_id is required'],
    ['an empty event_id', { events: [event(), event({ event_id: '' })] }, 'events[1].event_id'],
    ['a long event_id', { events: [event({ event_id: long })] }, 'events[0].event_id'],
    ['a numeric event_id', { events: [event({ event_id: 1 })] }, 'must be a string'],
    ['no customer_id', { events: [event({ customer_id: undefined })] }, 'customer_id is required'],
    ['a long customer_id', { events: [event({ customer_id: long })] }, 'events[0].customer_id'],
    ['a null event_name', { events: [event({ event_name: null })] }, 'events[0].event_name'],
    ['a long event_name', { events: [event({ event_name: long })] }, 'events[0].event_name'],
    ['a NUL in an id', { events: [event({ event_id: 'a\0' })] }, 'events[0].event_id'],
    ['half a pair', { events: [event({ customer_id: 'cus\ud800' })] }, 'events[0].customer_id'],
    [
      'half a pair in a name',
      { events: [event({ event_name: '\udc00' })] },
      'events[0].event_name',
    ],
    ['a numeric timestamp', { events: [event({ timestamp: 1 })] }, 'events[0].timestamp'],
    ['an unreadable timestamp', { events: [event({ timestamp: 'now' })] }, 'events[0].timestamp'],
    ['no such day', { events: [event({ timestamp: '2026-02-30T00:00:00Z' })] }, 'RFC 3339'],
    [
      'a timestamp without offset',
      { events: [event({ timestamp: '2026-11-21T12:00:00' })] },
      'RFC',
    ],
    ['metadata that is no object', { events: [event({ metadata: 'x' })] }, 'events[0].metadata'],
    ['metadata that is a list', { events: [event({ metadata: [] })] }, 'events[0].metadata'],
    [
      '51 keys',
      {
        events: [
          event({ metadata: Object.fromEntries(Array.from({ length: 51 }, (_, key) => [key, 1])) }),
        ],
      },
      'at most 50 keys',
    ],
    [
      'a long key',
      { events: [event({ metadata: { ['k'.repeat(101)]: 1 } })] },
      'a key must not be longer',
    ],
    [
      'a long value',
      { events: [event({ metadata: { note: 'x'.repeat(501) } })] },
      'events[0].metadata.note',
    ],
    [
      'a long list',
      { events: [event({ metadata: { list: Array.from({ length: 300 }, () => 1) } })] },
      'events[0].metadata.list',
    ],
    [
      'five levels',
      { events: [event({ metadata: { a: { b: { c: { d: {} } } } } })] },
      'nested too deep',
    ],
    [
      'five levels of lists',
      { events: [event({ metadata: { a: [[[[]]]] } })] },
      'events[0].metadata.a',
    ],
  ])('refuses %s', async (_, body, says) => {
    await expectRefusal(send(JSON.stringify(body)), 422, 'INVALID_REQUEST_BODY', says)
  })

  it('refuses depth bombs of any size, closed or not', async () => {
    for (const levels of [1_000, 100_000, 1_000_000]) {
      const nested = `${'['.repeat(levels)}${']'.repeat(levels)}`
      const metadata = send(
        `{"events":[{"event_id":"a","customer_id":"cus_1","event_name":"x","metadata":{"a":${nested}}}]}`,
      )
      await expectRefusal(metadata, 422, 'INVALID_REQUEST_BODY', 'nested')
      const objects = (await send('{"a":'.repeat(levels / 5))).status
      expect([400, 422]).toContain(objects)
    }
  })
})

describe('the refusals after the shape', () => {
  it('names the event and the customer that does not exist', async () => {
    const answer = ingest(event(), event({ customer_id: 'nobody' }))
    await expectRefusal(
      answer,
      404,
      'NOT_FOUND',
      "events[1].customer_id: there is no customer 'nobody'",
    )
    expect(counted.get('rejected')).toBe(2)
  })

  it('refuses an id that comes twice, naming both', async () => {
    const one = event()
    await expectRefusal(
      ingest(one, event(), one),
      400,
      'DUPLICATE_EVENT_IDS',
      'that of events[0] too',
    )
  })

  it.each([
    '9007199254740992',
    '-9007199254740992',
    '9007199254740993',
    '1e21',
    '1e400',
    '-1e999',
    '123456789012345678901234567890',
  ])('refuses the integer %s anywhere in metadata', async (number) => {
    for (const metadata of [`{"n":${number}}`, `{"a":{"b":[1,${number}]}}`]) {
      const body = `{"events":[{"event_id":"e","customer_id":"cus_1","event_name":"x","metadata":${metadata}}]}`
      await expectRefusal(send(body), 400, 'INVALID_REQUEST_PARAMETERS', 'send it as a string')
    }
  })

  it('takes timestamps from exactly an hour before to exactly five minutes after receipt', async () => {
    for (const offset of [-hour, 5 * minute]) {
      const edge = formatInstant(instantOf(noon + offset))
      expect((await ingest(event({ timestamp: edge }))).status).toBe(200)
      log.clear()
      const outside = formatInstant(instantOf(noon + offset + Math.sign(offset)))
      const answer = ingest(event(), event({ timestamp: outside }))
      await expectRefusal(answer, 400, 'EVENT_TIMESTAMP_OUT_OF_RANGE', 'events[1].timestamp')
    }
  })

  it('judges timestamps by the time of the business', async () => {
    const ahead = event({ timestamp: formatInstant(instantOf(noon + 31 * day)) })
    const answer = await send(JSON.stringify({ events: [ahead] }), bearer(keys.ahead))
    expect(answer.status).toBe(200)
    const silent = event()
    await send(JSON.stringify({ events: [silent] }), bearer(keys.ahead))
    const line = log.lines().find((one) => one['event_id'] === silent['event_id'])
    expect(parseInstant(String(line?.['timestamp']))).toBe(noon + 31 * day)
  })

  it('come in their order: 422, 404, then 400', async () => {
    const wrong = {
      customer_id: 'nobody',
      timestamp: '2020-01-01T00:00:00Z',
      metadata: { n: 2 ** 60 },
    }
    const one = event(wrong)
    await expectRefusal(
      ingest(one, one, event({ event_id: '' })),
      422,
      'INVALID_REQUEST_BODY',
      '[2]',
    )
    await expectRefusal(ingest(one, one), 404, 'NOT_FOUND', 'nobody')
    const two = { ...one, customer_id: 'cus_1' }
    await expectRefusal(ingest(two, two), 400, 'DUPLICATE_EVENT_IDS', 'events[1]')
    await expectRefusal(ingest(two), 400, 'INVALID_REQUEST_PARAMETERS', 'send it as a string')
    const three = { ...two, metadata: null }
    await expectRefusal(ingest(three), 400, 'EVENT_TIMESTAMP_OUT_OF_RANGE', 'events[0]')
  })
})

describe('parts that are away', () => {
  it('answers 503 when the log fails, and serves again after it', async () => {
    log.fail(1)
    const answer = await ingest(event())
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('2')
    expect(answer.headers.has('x-should-retry')).toBe(false)
    expect((await ingest(event())).status).toBe(200)
    expect(budget.used).toBe(0)
  })

  it('serves remembered customers while the store is away, and 503 for others', async () => {
    await ingest(event({ customer_id: 'cus_here' }))
    storeAway.gone = true
    expect((await ingest(event({ customer_id: 'cus_here' }))).status).toBe(200)
    expect((await ingest(event({ customer_id: 'cus_else' }))).status).toBe(503)
  })
})

it('stores every event of any valid requests exactly once, as it was sent', async () => {
  const leaf = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.maxSafeInteger(),
    fc.double({ min: -1e15, max: 1e15, noNaN: true }).map((value) => value + 0),
    fc.boolean(),
    fc.constant(null),
  )
  const metadata = fc.dictionary(
    fc.oneof(fc.string({ maxLength: 10 }), fc.constantFrom('__proto__', 'constructor')),
    fc.oneof(
      leaf,
      fc.array(leaf, { maxLength: 3 }),
      fc.dictionary(fc.string(), leaf, { maxKeys: 2 }),
    ),
    { maxKeys: 5 },
  )
  const fields = fc.record(
    {
      customer_id: fc
        .string({ unit: 'grapheme', maxLength: 20 })
        .map((id) => `cus${id.replaceAll('\0', '')}`),
      event_name: fc
        .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
        .map((name) => `n${name.replaceAll('\0', '')}`),
      metadata: fc.option(metadata),
    },
    { requiredKeys: ['customer_id', 'event_name'] },
  )
  const requests = fc.array(fc.array(fields, { minLength: 1, maxLength: 30 }), {
    minLength: 1,
    maxLength: 8,
  })
  await fc.assert(
    fc.asyncProperty(requests, async (batches) => {
      log.clear()
      const sent = batches.map((events) => events.map((one) => event(one)))
      const answers = await Promise.all(sent.map((events) => ingest(...events)))
      expect(answers.map(({ body }) => body)).toEqual(
        sent.map(({ length }) => ({ ingested_count: length })),
      )
      const stamped = { business_id: 'bus_1', mode: 'test', timestamp: formatInstant(noon) }
      const expected = sent.flat().map((one) => JSON.parse(JSON.stringify({ ...stamped, ...one })))
      const byId = (a: Record<string, unknown>, b: Record<string, unknown>) =>
        String(a['event_id']) < String(b['event_id']) ? -1 : 1
      expect(log.lines().toSorted(byId)).toEqual(expected.toSorted(byId))
    }),
    { numRuns: 30 },
  )
})
