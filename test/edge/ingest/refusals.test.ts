import { describe, expect, it } from 'vitest'
import {
  day,
  formatInstant,
  hour,
  instantOf,
  minute,
  parseInstant,
  second,
} from '../../../src/std/instant.ts'
import { bearer, keys, noon } from '../../support/edge/test-server.ts'
import { counted, event, expectRefusal, ingest, log, send, serveEdge } from './setup.ts'

serveEdge()

describe('the shape (422)', () => {
  const long = 'x'.repeat(256)
  it.each<[string, unknown, string]>([
    ['no events', {}, 'events is required'],
    ['events of another type', { events: {} }, 'events must be an array'],
    ['0 events', { events: [] }, 'events must hold at least 1 item.'],
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

  it('names all that lie outside, for those who have waited for too long', async () => {
    const old = () => event({ timestamp: formatInstant(instantOf(noon - 2 * hour)) })
    const events = [event(), old(), old(), event(), old()]
    const answer = await send(JSON.stringify({ events }), bearer(keys.write))
    expect([answer.status, answer.headers.get('sluice-refused')]).toEqual([400, '1-2, 4'])
    expect(answer.body).toMatchObject({ message: expect.stringContaining('events[1].timestamp') })
  })

  it('takes older events by keys made for that, as old as they and dedupe allow', async () => {
    const sent = (key: string, age: number) =>
      send(
        JSON.stringify({ events: [event({ timestamp: formatInstant(instantOf(noon - age)) })] }),
        bearer(key),
      )
    expect((await sent(keys.write, hour)).headers.get('sluice-backfill')).toBeNull()
    expect((await sent(keys.backfill, hour)).status).toBe(200)
    expect(log.lines()).toHaveLength(2)
    for (const line of log.lines()) expect(line).not.toHaveProperty('backfilled_at')
    log.clear()
    for (const [key, most] of [
      [keys.backfill, 6 * hour],
      [keys.backfillAll, 23 * hour],
    ] as const) {
      const answer = await sent(key, most)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('sluice-backfill')).toBe(String(most / second))
      // Measuring decides by it whether the event's cycle still takes its usage.
      expect(log.lines()).toMatchObject([{ backfilled_at: formatInstant(noon) }])
      log.clear()
      await expectRefusal(sent(key, most + 1), 400, 'EVENT_TIMESTAMP_OUT_OF_RANGE', 'events[0]')
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
