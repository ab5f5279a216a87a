import { describe, expect, it } from 'vitest'
import { at } from '../here.ts'
import { ingestion } from './ingestion.ts'

const to = ingestion(at)

const unit = 'x'
const keys = (count: number, name: (n: number) => string = (n) => `k${n}`) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [name(n), unit]))

describe('an ingest is refused whose second event', () => {
  it.each<[string, object, string]>([
    ['has no event_id', { event_id: undefined }, 'event_id is required.'],
    ['has an empty event_id', { event_id: '' }, 'event_id must not be empty'],
    ['has a long event_id', { event_id: 'x'.repeat(256) }, 'event_id must not be longer than 255'],
    ['has a number for an event_id', { event_id: 5 }, 'event_id must be a string.'],
    ['has a NUL in its event_id', { event_id: 'a\0b' }, 'event_id must not hold U+0000'],
    ['has half a surrogate pair in it', { event_id: 'a\ud800' }, 'event_id must not hold U+0000'],
    ['has null for an event_name', { event_name: null }, 'event_name must be a string.'],
    ['has no event_name', { event_name: undefined }, 'event_name is required.'],
    ['has a NUL in its event_name', { event_name: '\0' }, 'event_name must not hold U+0000'],
    ['has no customer_id', { customer_id: undefined }, 'customer_id is required.'],
    ['has a list for a customer_id', { customer_id: [] }, 'customer_id must be a string.'],
    ['has a word for a timestamp', { timestamp: 'now' }, 'timestamp must be an RFC 3339'],
    [
      'leaves out the offset',
      { timestamp: '2026-01-01T00:00:00' },
      'timestamp must be an RFC 3339',
    ],
    ['names no day', { timestamp: '2026-02-30T00:00:00Z' }, 'timestamp must be an RFC 3339'],
    ['has a number for a timestamp', { timestamp: 1 }, 'timestamp must be a string or null.'],
    ['has a list for metadata', { metadata: [] }, 'metadata must be an object or null.'],
    ['has 51 keys', { metadata: keys(51) }, 'metadata must hold at most 50 keys.'],
    ['has a key of 101 characters', { metadata: { ['k'.repeat(101)]: 1 } }, 'metadata'],
    ['has a value of 501 characters', { metadata: { note: 'v'.repeat(501) } }, 'metadata.note'],
    ['has metadata five deep', { metadata: { a: { b: { c: { d: {} } } } } }, 'metadata'],
  ])('%s', async (_name, wrong, says) => {
    const answer = await to.send(to.event(), to.event(wrong))
    await to.refused(answer, '422 INVALID_REQUEST_BODY', /^events\[1\]\./)
    expect(answer.body.message).toContain(`events[1].${says}`)
  })
})

describe('an ingest is refused that is', () => {
  it.each<[string, () => unknown, string]>([
    ['an empty object', () => ({}), 'events is required.'],
    ['null', () => null, 'The body must be an object.'],
    ['a list', () => [], 'The body must be an object.'],
    ['a string', () => 'events', 'The body must be an object.'],
    ['without a list', () => ({ events: {} }), 'events must be an array.'],
    ['an empty list', () => ({ events: [] }), 'events must hold at least 1 item.'],
    ['1001 events', () => ({ events: many(1001) }), 'events must hold at most 1000 items.'],
    ['of numbers', () => ({ events: [to.event(), 7] }), 'events[1] must be an object.'],
  ])('%s', async (_name, make, says) => {
    const answer = await to.post({ body: make() })
    await to.refused(answer, '422 INVALID_REQUEST_BODY', /\.$/)
    expect(answer.body.message).toBe(says)
  })

  const many = (count: number) => Array.from({ length: count }, () => to.event())

  it('but not one of exactly 1000 events', async () => {
    expect((await to.send(...many(1000))).body).toEqual({ ingested_count: 1000 })
    to.accepted(1000)
    await to.settled()
  })
})

describe('an ingest is accepted whose event', () => {
  it.each<[string, object]>([
    ['has fields that nobody knows', { more: 1, hint: { any: 'thing' } }],
    ['has an id of 255 characters beyond ASCII', { event_id: '😀'.repeat(255) }],
    ['has metadata four deep', { metadata: { a: { b: { c: [null, 1, 'x'] } } } }],
    ['has 50 keys of 100 characters', { metadata: keys(50, (n) => `${n}`.padEnd(100, 'k')) }],
    ['has a value of 500 characters', { metadata: { note: '😀'.repeat(500) } }],
    ['has null for metadata and timestamp', { metadata: null, timestamp: null }],
    ['has a small t and z', { timestamp: new Date().toISOString().toLowerCase() }],
    [
      'has an offset and nanoseconds',
      { timestamp: new Date().toISOString().replace('Z', '123456+00:00') },
    ],
  ])('%s', async (_name, more) => {
    const event = to.event(more)
    const answer = await to.send(event)
    expect([answer.status, answer.body]).toEqual([200, { ingested_count: 1 }])
    to.accepted()
    await to.settled()
    const kept = await at.call(`GET /events/${encodeURIComponent(String(event.event_id))}`)
    expect(kept.body['metadata']).toEqual(event.metadata ?? null)
  })
})
