import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { events } from '../../../src/edge/api/events.ts'
import type { Reply, Request } from '../../../src/edge/http/route.ts'
import { archiveReader } from '../../../src/parts/store/postgres/archive/archive-view.ts'
import { businesses } from '../../../src/parts/store/postgres/catalog/businesses.ts'
import { voids } from '../../../src/parts/store/postgres/usage/voids.ts'
import type { LogLine } from '../../../src/rules/meter/usage-event.ts'
import { day, instantOf, parseInstant, second } from '../../../src/std/instant.ts'
import type { MeasuredLog } from '../../support/measuring/measured-log.ts'
import { measuredLog, testIdentity, testPartitionOf } from '../../support/measuring/measured-log.ts'
import { untold } from '../../support/measuring/untold.ts'
import type { ScratchDatabase } from '../../support/store/database.ts'
import { scratchDatabase } from '../../support/store/database.ts'

const received = parseInstant('2026-03-10T12:00:00Z') ?? instantOf(0)

describe('GET /events', () => {
  let scratch: ScratchDatabase
  let made: MeasuredLog

  beforeAll(async () => {
    scratch = await scratchDatabase()
    made = measuredLog(scratch.db, 2)
    made.append(
      [
        line('evt_1', { event_name: 'call', timestamp: '2026-03-10T11:30:00.000001Z' }),
        line('evt_2', { metadata: JSON.parse('{"__proto__":{"x":1},"size":7}') }),
        line('EVT_2', { customer_id: 'cus_2', metadata: { size: 9, tags: ['a', null] } }),
        line('evt_3', { business_id: 'bus_2' }),
      ],
      received,
    )
    for (let partition = 0; partition < 2; partition += 1) await made.measure(partition)
  })
  afterAll(() => scratch.drop())

  it('gives an event as it was stored', async () => {
    const reply = await get('/events/:event_id', { event_id: 'evt_2' })
    expect(reply.status).toBe(200)
    expect(JSON.stringify(reply.body)).toBe(
      JSON.stringify({
        business_id: 'bus_1',
        customer_id: 'cus_1',
        event_id: 'evt_2',
        event_name: 'store',
        timestamp: '2026-03-10T11:59:59.000000Z',
        metadata: JSON.parse('{"__proto__":{"x":1},"size":7}'),
      }),
    )
    expect((await get('/events/:event_id', { event_id: 'evt_1' })).body).toMatchObject({
      metadata: null,
    })
  })

  it.each(['Evt_2', 'evt_3', 'evt_', '', 'a\u0000', '%'])('has no event %j', async (id) => {
    await expect(get('/events/:event_id', { event_id: id })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it('lists the newest first and says how far it is', async () => {
    const reply = await get('/events')
    expect(idsOf(reply)).toEqual(['evt_2', 'EVT_2', 'evt_1'])
    expect(reply.headers).toEqual({ 'Sluice-Archived-To': '2026-03-10T12:00:00.000000Z' })
    // By the business's clock, as the timestamps are.
    const ahead = await get('/events', {}, {}, 31 * day)
    expect(ahead.headers).toEqual({ 'Sluice-Archived-To': '2026-04-10T12:00:00.000000Z' })
  })

  it.each([
    [{ customer_id: 'cus_2' }, ['EVT_2']],
    [{ customer_id: 'CUS_2' }, []],
    [{ event_name: 'call' }, ['evt_1']],
    [{ event_name: 'store', customer_id: 'cus_1' }, ['evt_2']],
    [{ start: '2026-03-10T11:59:59Z' }, ['evt_2', 'EVT_2']],
    [{ end: '2026-03-10T12:30:00.000001 01:00' }, ['evt_1']],
    [{ end: '2026-03-10T11:30:00Z' }, []],
    [{ start: '2026-03-10T12:00:00Z', end: '2026-03-10T11:00:00Z' }, []],
    [{ meter_id: 'mtr_all' }, ['evt_2', 'EVT_2']],
    [{ meter_id: 'mtr_big' }, ['EVT_2']],
    [{ meter_id: 'mtr_big', event_name: 'store', customer_id: 'cus_1' }, []],
    [{ page_size: '1', page_number: '1' }, ['EVT_2']],
    [{ page_size: '2', page_number: '2000000000' }, []],
    [{ event_name: 'a\u0000b' }, []],
  ])('with %j gives %j', async (query: Record<string, string>, expected) => {
    expect(idsOf(await get('/events', {}, query))).toEqual(expected)
  })

  it.each([
    [{ meter_id: 'mtr_none' }, 'NOT_FOUND'],
    [{ meter_id: 'a\u0000' }, 'NOT_FOUND'],
    [{ meter_id: 'mtr_all', event_name: 'Store' }, 'INVALID_REQUEST_PARAMETERS'],
    [{ meter_id: 'mtr_none', event_name: 'Store' }, 'NOT_FOUND'],
    [{ meter_id: 'mtr_none', page_size: '101' }, 'INVALID_QUERY_PARAMS'],
    [{ start: 'yesterday' }, 'INVALID_QUERY_PARAMS'],
    [{ end: '' }, 'INVALID_QUERY_PARAMS'],
    [{ page_number: '-1' }, 'INVALID_QUERY_PARAMS'],
  ])('refuses %j with %s', async (query: Record<string, string>, code) => {
    await expect(get('/events', {}, query)).rejects.toMatchObject({ code })
  })

  it('says of an event that is not there how long events are kept', async () => {
    await expect(get('/events/:event_id', { event_id: 'long ago' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining('events can be read for 90 days'),
    })
  })

  function get(
    pattern: string,
    params: Record<string, string> = {},
    query: Record<string, string> = {},
    clockAhead = 0,
  ): Promise<Reply> {
    const found = events({
      positions: { measuring: { checkpoints: async () => [] }, log: made.log, news: untold() },
      archive: archiveReader(scratch.db),
      voids: voids(scratch.db),
      businesses: businesses(scratch.db),
      clock: { now: () => instantOf(0) },
      reader: made.log,
      partitions: 2,
      identity: testIdentity,
      partitionOf: testPartitionOf,
      eventRetention: 90 * 86_400_000_000,
      meter: (_business, _mode, id) => Promise.resolve(meters[id] ?? null),
      compileFilter: () => (metadata) => metadata['size'] === 9,
    }).find((route) => route.pattern === pattern)
    if (found === undefined) throw new Error(`There is no route ${pattern}.`)
    return found.handler(requestOf(params, query, clockAhead))
  }
})

const meters: Record<
  string,
  { eventName: string; filter: { conjunction: 'and'; clauses: [] } | null }
> = {
  mtr_all: { eventName: 'store', filter: null },
  mtr_big: { eventName: 'store', filter: { conjunction: 'and', clauses: [] } },
}

const line = (id: string, own: Partial<LogLine>): LogLine => ({
  business_id: 'bus_1',
  mode: 'test',
  event_id: id,
  customer_id: 'cus_1',
  event_name: 'store',
  timestamp: '2026-03-10T11:59:59.000000Z',
  ...own,
})

const idsOf = (reply: Reply): unknown =>
  (reply.body as { items: { event_id: string }[] }).items.map((item) => item.event_id)

function requestOf(
  params: Record<string, string>,
  query: Record<string, string>,
  clockAhead: number,
): Request {
  return {
    id: 'req_1',
    method: 'GET',
    path: '/events',
    mode: 'test',
    caller: {
      keyId: 'key_1',
      businessId: 'bus_1',
      mode: 'test',
      access: 'read',
      clockAhead,
      backfill: 0,
    },
    at: instantOf(received + second),
    param: (name) => params[name] ?? '',
    query: (name) => query[name] ?? null,
    queried: () => [],
    header: () => null,
    address: null,
    onOver: () => undefined,
    body: undefined,
  }
}
