import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { byteBudget } from '../../../src/edge/http/budget.ts'
import { tracedRoute } from '../../../src/edge/http/traced.ts'
import { loadHttpEngine } from '../../../src/edge/http/uws.ts'
import { knownCustomers } from '../../../src/edge/ingest/customers.ts'
import { eventTracesOf } from '../../../src/edge/ingest/event-traces.ts'
import { ingestRoute } from '../../../src/edge/ingest/ingest.ts'
import { packer } from '../../../src/edge/ingest/packer.ts'
import { tracedIngest, tracedPacker } from '../../../src/edge/ingest/traced-packer.ts'
import type { SpanAttributes, SpanStart, Tracing } from '../../../src/runtime/tracing.ts'
import { hour } from '../../../src/std/instant.ts'
import { isInRange, traceContextOf, writeTraces } from '../../../src/std/trace.ts'
import { memoryDedupe, testFingerprinter } from '../../support/dedupe/memory-dedupe.ts'
import type { TestServer } from '../../support/edge/test-server.ts'
import { bearer, keys, manualClock, testServer } from '../../support/edge/test-server.ts'
import { linesOf, memoryEventLog } from '../../support/event-log/memory-event-log.ts'

const log = memoryEventLog()
const spans: (SpanStart & { readonly traceparent: string; ended: SpanAttributes | null })[] = []
let at: TestServer

/** Samples as callers say. A span's number is its place in `spans`. */
const tracing: Tracing = {
  begin(start) {
    const context = traceContextOf(start.parent)
    if (context?.sampled !== true) return null
    const id = String(spans.length + 1).padStart(16, '0')
    const traceparent = `00-${context.traceId}-${id}-01`
    const span = { ...start, traceparent, ended: null as SpanAttributes | null }
    spans.push(span)
    return {
      traceparent,
      end: (attributes) => {
        span.ended = attributes
      },
    }
  },
  close: () => Promise.resolve(),
}

beforeAll(async () => {
  const [clock, budget] = [manualClock(), byteBudget(64 * 1024 * 1024)]
  const ingest = ingestRoute({
    log,
    packer: tracedPacker(packer({ log, budget, clock, appended: () => undefined })),
    dedupe: memoryDedupe(),
    namespaceOf: () => null,
    fingerprinter: testFingerprinter,
    customers: knownCustomers({ existing: async (_business, _mode, ids) => new Set(ids) }),
    backfillMax: 23 * hour,
    metrics: { request: () => undefined, events: () => undefined },
  })
  const routes = [tracedRoute(tracedIngest(ingest), tracing, eventTracesOf)]
  at = await testServer(loadHttpEngine(), routes, { clock, budget })
})
afterAll(() => at.server.stop(1_000))
beforeEach(() => {
  log.clear()
  spans.splice(0)
})

const traceOf = (digit: string, flags = '01') =>
  `00-${digit.repeat(32)}-${digit.repeat(16)}-${flags}`

function send(ids: readonly string[], headers: Readonly<Record<string, string>>) {
  // A text of a body that no two parsers may see differently.
  const events = ids.map((id) => ({ event_id: id, customer_id: 'cus "\n', event_name: 'call' }))
  return fetch(`${at.url}/events/ingest`, {
    method: 'POST',
    headers: { ...bearer(keys.write), 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ events }),
  })
}

/** The trace of each event in the log, by its id; null: it has none. */
function traces(): ReadonlyMap<unknown, string | null> {
  return new Map(
    log.records.flatMap((record) =>
      linesOf(record).map(({ event_id: id }, index) => {
        const found = (record.traces ?? []).filter(({ range }) => isInRange(index, range))
        expect(found.length).toBeLessThanOrEqual(1)
        return [id, traceContextOf(found[0]?.traceparent ?? null)?.traceId[0] ?? null] as const
      }),
    ),
  )
}

const letters = (count: number) => Array.from({ length: count }, (_, index) => `é${index}`)

it('an event goes on as a part of its own trace, where several meet in a request', async () => {
  const sent = [
    { traceparent: traceOf('1'), range: { first: 0, last: 9 } },
    { traceparent: traceOf('2', '00'), range: { first: 10, last: 19 } },
    { traceparent: traceOf('3'), range: { first: 30, last: 59 } },
    { traceparent: traceOf('4'), range: { first: 99, last: 200 } },
  ]
  const headers = { 'sluice-traces': writeTraces(sent), traceparent: traceOf('9') }
  const ids = letters(100)
  expect((await send(ids, headers)).status).toBe(200)
  const expected = (index: number) => {
    if (index < 10) return '1'
    if (index >= 30 && index < 60) return '3'
    return index === 99 ? '4' : null
  }
  const all = traces()
  expect(ids.map((id) => all.get(id))).toEqual(ids.map((_, index) => expected(index)))
  expect(log.records.reduce((sum, { events }) => sum + events, 0)).toBe(100)
  for (const record of log.records) expect(linesOf(record)).toHaveLength(record.events)
  expect(spans.map(({ parent, kind, ended }) => [parent, kind, ended])).toEqual(
    [sent[0], sent[2], sent[3]].map((one) => [
      one?.traceparent,
      'server',
      {
        'http.request.method': 'POST',
        'http.route': '/events/ingest',
        'http.response.status_code': 200,
      },
    ]),
  )
})

it('requests that leave in one record keep their traces apart', async () => {
  const one = [send(letters(3), { traceparent: traceOf('1') })]
  const more = ['2', '3'].map((digit) => send([`x${digit}`], { traceparent: traceOf(digit) }))
  const answers = await Promise.all([...one, ...more, send(['plain'], {})])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(Object.fromEntries(traces())).toEqual({
    ...Object.fromEntries(letters(3).map((id) => [id, '1'])),
    x2: '2',
    x3: '3',
    plain: null,
  })
})

it('a request of one trace goes on whole, and one that says nonsense as if it said nothing', async () => {
  expect((await send(letters(8), { traceparent: traceOf('1') })).status).toBe(200)
  expect(new Set(traces().values())).toEqual(new Set(['1']))
  for (const nonsense of ['', ';', 'x;0-3', `${traceOf('5')};3-0`, ',,,'.repeat(300)]) {
    log.clear()
    const headers = { 'sluice-traces': nonsense, traceparent: traceOf('6') }
    expect((await send(letters(8), headers)).status).toBe(200)
    expect([nonsense, ...new Set(traces().values())]).toEqual([nonsense, '6'])
  }
})

it('a refused request ends all of its spans, and says what it always says', async () => {
  const named = [
    { traceparent: traceOf('1'), range: { first: 0, last: 0 } },
    { traceparent: traceOf('2'), range: { first: 1, last: 1 } },
  ]
  // The same id twice.
  expect((await send(['a', 'a'], { 'sluice-traces': writeTraces(named) })).status).toBe(400)
  expect(spans.map(({ ended }) => ended?.['http.response.status_code'])).toEqual([400, 400])
  expect(log.records).toEqual([])
})

const cloudEvent = (id: string, traceparent?: unknown) => ({
  specversion: '1.0',
  id,
  source: '/x',
  type: 'call',
  subject: 'cus_1',
  ...(traceparent === undefined ? {} : { traceparent }),
})

function sendCloud(body: object, headers: Readonly<Record<string, string>>) {
  const all = { ...bearer(keys.write), traceparent: traceOf('9'), ...headers }
  return fetch(`${at.url}/events/ingest`, {
    method: 'POST',
    headers: all,
    body: JSON.stringify(body),
  })
}

it.each([
  ['its own, in the structured mode', cloudEvent('a', traceOf('1')), {}, '1'],
  ['the request’s, where it names none', cloudEvent('a'), {}, '9'],
  ['the request’s, where it names nonsense', cloudEvent('a', 7), {}, '9'],
  ['its own, in the binary mode', {}, { 'ce-traceparent': traceOf('2') }, '2'],
  ['the request’s, in the binary mode', {}, { 'ce-traceparent': 'nonsense' }, '9'],
])('a CloudEvent follows %s', async (_, body, named: Record<string, string>, expected) => {
  const { specversion, source, ...rest } = cloudEvent('a')
  const binary = Object.fromEntries(
    Object.entries({ specversion, source, ...rest }).map(([key, value]) => [`ce-${key}`, value]),
  )
  const headers: Record<string, string> =
    'id' in body
      ? { 'content-type': 'application/cloudevents+json' }
      : { 'content-type': 'application/json', ...binary, ...named }
  expect((await sendCloud(body, headers)).status).toBe(200)
  expect(Object.fromEntries(traces())).toEqual({ a: expected })
})

it('CloudEvents of a batch follow each their own trace', async () => {
  const batch = [
    cloudEvent('a', traceOf('1')),
    cloudEvent('b', traceOf('1')),
    cloudEvent('c', null),
    cloudEvent('d', traceOf('2')),
    cloudEvent('e', traceOf('3', '00')),
  ]
  const headers = { 'content-type': 'application/cloudevents-batch+json' }
  expect((await sendCloud(batch, headers)).status).toBe(200)
  const own = { a: '1', b: '1', c: '9', d: '2', e: null }
  expect(Object.fromEntries(traces())).toEqual(own)
  // More traces than a record carries: those behind them follow none, and all are taken.
  log.clear()
  const many = Array.from({ length: 100 }, (_, index) =>
    cloudEvent(`m${index}`, traceOf(index % 2 === 0 ? '4' : '5')),
  )
  expect((await sendCloud(many, headers)).status).toBe(200)
  expect([...traces().values()].filter((trace) => trace !== null)).toHaveLength(32)
})

it('a CloudEvent without a body is one that a range of traces may name', async () => {
  const { specversion, id, source, type, subject } = cloudEvent('a')
  const answer = await fetch(`${at.url}/events/ingest`, {
    method: 'POST',
    headers: {
      ...bearer(keys.write),
      'ce-specversion': specversion,
      'ce-id': id,
      'ce-source': source,
      'ce-type': type,
      'ce-subject': subject,
      'sluice-traces': writeTraces([{ traceparent: traceOf('1'), range: { first: 0, last: 0 } }]),
    },
  })
  expect(answer.status).toBe(200)
})
