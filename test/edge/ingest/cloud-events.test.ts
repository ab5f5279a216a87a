import { describe, expect, it } from 'vitest'
import { bearer, keys } from '../../support/edge/test-server.ts'
import { at, expectRefusal, log, send, serveEdge } from './setup.ts'

serveEdge()

const event = {
  specversion: '1.0',
  id: 'ce-1',
  source: '/meters/gpu',
  type: 'gpu.seconds',
  subject: 'cus_1',
  time: '2026-11-21T11:59:00Z',
  datacontenttype: 'application/json',
  data: { seconds: 3, model: 'a100' },
}

const json = { 'Content-Type': 'application/cloudevents+json' }
const batch = { 'Content-Type': 'application/cloudevents-batch+json; charset=UTF-8' }
const binary = {
  'Content-Type': 'application/json',
  'ce-specversion': '1.0',
  'ce-id': 'ce-b',
  'ce-source': '/x',
  'ce-type': 'gpu.seconds',
  'ce-subject': 'cus_%C3%BC',
  'ce-time': '2026-11-21T11:59:30+00:00',
}

const expected = {
  event_id: 'ce-1',
  customer_id: 'cus_1',
  event_name: 'gpu.seconds',
  timestamp: '2026-11-21T11:59:00.000000Z',
  metadata: { seconds: 3, model: 'a100' },
}

describe('CloudEvents', () => {
  it('are taken one by one, with what they say in its place', async () => {
    const answer = await send(JSON.stringify(event), json)
    expect([answer.status, answer.body]).toEqual([200, { ingested_count: 1 }])
    expect(log.lines()).toMatchObject([expected])
  })

  it('are taken in batches, the time of receipt where they have none', async () => {
    const { time, data, ...bare } = event
    const answer = await send(JSON.stringify([event, { ...bare, id: 'ce-2' }]), batch)
    expect(answer.body).toEqual({ ingested_count: 2 })
    const lines = log.lines().toSorted((a, b) => (`${a['event_id']}` < `${b['event_id']}` ? -1 : 1))
    expect(lines).toMatchObject([expected, { event_id: 'ce-2', customer_id: 'cus_1' }])
    expect(lines[1]).not.toHaveProperty('metadata')
    expect(String(lines[1]?.['timestamp'])).toMatch(/^2026-11-21T12:00:00/)
    expect([time, data]).toHaveLength(2)
  })

  it('are taken from headers, whose values may be escaped', async () => {
    const answer = await send(JSON.stringify({ seconds: 3 }), binary)
    expect(answer.status).toBe(200)
    expect(log.lines()).toMatchObject([
      {
        event_id: 'ce-b',
        customer_id: 'cus_ü',
        event_name: 'gpu.seconds',
        timestamp: '2026-11-21T11:59:30.000000Z',
        metadata: { seconds: 3 },
      },
    ])
  })

  it('are taken from headers whose values older clients quote', async () => {
    const headers = { ...binary, 'ce-id': '"one \\"two\\" %33"', 'ce-subject': '"cus_%C3%BC"' }
    expect((await send('{}', headers)).status).toBe(200)
    expect(log.lines()).toMatchObject([{ event_id: 'one "two" 3', customer_id: 'cus_ü' }])
  })

  it('say by null what they leave out', async () => {
    const nothing = {
      time: null,
      data: null,
      data_base64: null,
      traceparent: null,
      dataschema: null,
    }
    expect((await send(JSON.stringify({ ...event, ...nothing }), json)).status).toBe(200)
    expect(log.lines()).toMatchObject([{ event_id: 'ce-1', customer_id: 'cus_1' }])
    expect(log.lines()[0]).not.toHaveProperty('metadata')
  })

  it('need no data: without a body there is no metadata', async () => {
    const { 'Content-Type': _, ...bare } = binary
    for (const [index, headers] of [bare, binary].entries()) {
      const answer = await fetch(`${at.url}/events/ingest`, {
        method: 'POST',
        headers: { ...bearer(keys.write), ...headers, 'ce-id': `ce-${index}` },
      })
      expect([answer.status, await answer.json()]).toEqual([200, { ingested_count: 1 }])
    }
    const named = { event_name: 'gpu.seconds', timestamp: '2026-11-21T11:59:30.000000Z' }
    expect(log.lines()).toMatchObject([
      { event_id: 'ce-0', ...named },
      { event_id: 'ce-1', ...named },
    ])
    for (const line of log.lines()) expect(line).not.toHaveProperty('metadata')
    log.clear()
    await expectRefusal(send('', json), 400, 'INVALID_REQUEST_BODY', 'The body is empty')
    await expectRefusal(send(''), 400, 'INVALID_REQUEST_BODY', 'The body is empty')
    const { 'ce-type': _type, ...untyped } = bare
    const refused = send('', untyped)
    await expectRefusal(refused, 422, 'INVALID_REQUEST_BODY', 'type is required')
  })

  it.each(['specversion', 'id', 'source', 'type', 'subject'])('need their %s', async (name) => {
    const without = { ...event, [name]: undefined }
    const refusal = [422, 'INVALID_REQUEST_BODY'] as const
    await expectRefusal(send(JSON.stringify(without), json), ...refusal, `${name} is required`)
    const second = `[1].${name} is required`
    await expectRefusal(send(JSON.stringify([event, without]), batch), ...refusal, second)
    const headers = { ...binary, 'ce-specversion': '1.0', 'ce-id': 'ce-b' }
    const left = Object.entries(headers).filter(([header]) => header !== `ce-${name}`)
    await expectRefusal(send('{}', Object.fromEntries(left)), ...refusal, `${name} is required`)
  })

  it.each([
    [{ ...event, specversion: '0.3' }, 'specversion must be one of 1.0'],
    [{ ...event, data: 'text' }, 'data must be an object or null'],
    [{ ...event, data_base64: 'AA==' }, 'data_base64 must be left out'],
    [{ ...event, time: 'yesterday' }, 'timestamp must be an RFC 3339'],
    [{ ...event, id: 'x'.repeat(256) }, 'id must not be longer'],
    [[event], 'must be an object'],
  ])('are refused whole: %#', async (body, message) => {
    await expectRefusal(send(JSON.stringify(body), json), 422, 'INVALID_REQUEST_BODY', message)
    expect(log.lines()).toEqual([])
  })

  it('are no way around the bounds of a request', async () => {
    await expectRefusal(send('[]', batch), 422, 'INVALID_REQUEST_BODY', 'at least 1 item')
    const twice = send(JSON.stringify([event, event]), batch)
    await expectRefusal(twice, 400, 'DUPLICATE_EVENT_IDS', 'events[1]')
  })

  it('are nothing to other routes, nor other types to this one', async () => {
    const xml = { 'Content-Type': 'application/cloudevents+xml' }
    expect((await send('<x/>', xml)).status).toBe(415)
    const answer = await fetch(`${at.url}/elsewhere`, {
      method: 'POST',
      headers: { ...bearer(keys.write), ...json },
      body: '{}',
    })
    expect(answer.status).toBe(404)
  })
})
