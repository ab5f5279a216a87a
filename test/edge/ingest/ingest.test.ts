import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { formatInstant } from '../../../src/std/instant.ts'
import { decodePosition } from '../../../src/std/position.ts'
import { testFingerprinter } from '../../support/dedupe/memory-dedupe.ts'
import { noon } from '../../support/edge/test-server.ts'
import {
  answered,
  budget,
  counted,
  dedupe,
  event,
  expectRefusal,
  ingest,
  log,
  send,
  serveEdge,
  world,
} from './setup.ts'

serveEdge()

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
        const [, , , place = 0] = testFingerprinter.identities('bus_1', 'test', [id])
        expect(testFingerprinter.partitionOf(place, 4)).toBe(record.partition)
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
    world.namespace = null
    expect((await ingest(event({ event_id: 'old_4' }))).body).toEqual({ ingested_count: 1 })
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
    world.storeGone = true
    expect((await ingest(event({ customer_id: 'cus_here' }))).status).toBe(200)
    expect((await ingest(event({ customer_id: 'cus_else' }))).status).toBe(503)
  })
})
