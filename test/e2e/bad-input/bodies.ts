import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { requestText, talk } from '../../support/edge/talk.ts'
import type { CallOptions } from '../asking.ts'
import { at } from '../here.ts'
import { ingestion } from './ingestion.ts'

const to = ingestion(at)

const json = '400 INVALID_REQUEST_BODY'
const [media, large] = ['415 UNSUPPORTED_MEDIA_TYPE', '413 REQUEST_TOO_LARGE']
const coded = (coding: string) => ({ 'Content-Encoding': coding })
const typed = (type: string) => ({ 'Content-Type': type })
const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`
const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 32))

describe('a body', () => {
  it.each<[string, CallOptions, string]>([
    ['that is empty', { raw: '' }, json],
    ['that is cut short', { raw: '{"events":[{"event_id":"cut"' }, json],
    ['that is not JSON', { raw: 'events=1' }, json],
    ['with a comma too many', { raw: '{"events":[],}' }, json],
    ['with a byte order mark', { raw: '\ufeff{"events":[]}' }, json],
    ['that is not UTF-8', { raw: Buffer.from('{"events":"\xff\xfe"}', 'latin1') }, json],
    ['nested a million levels', { raw: '['.repeat(1_000_000) }, '422 INVALID_REQUEST_BODY'],
    ['nested ten thousand levels', { raw: deep }, '422 INVALID_REQUEST_BODY'],
    ['of another type', { raw: '{}', headers: typed('text/plain') }, media],
    [
      'of other characters',
      { raw: '{}', headers: typed('application/json; charset=latin1') },
      media,
    ],
    ['in another coding', { raw: '{}', headers: coded('br') }, media],
    ['that is no gzip', { raw: '{}', headers: coded('gzip') }, json],
    ['that inflates beyond the bound', { raw: bomb, headers: coded('gzip') }, large],
    ['over the bound', { raw: Buffer.alloc(4 * 1024 * 1024 + 1, 32) }, large],
  ])('%s is refused', async (_name, options, refusal) => {
    await to.refused(await to.post(options), refusal, /\.$/)
  })

  it('that is not JSON says where, and nothing of what it is', async () => {
    const raw = '{"events": [\n  {"event_id": "secret", customer_id: "c"}\n]}'
    expect((await to.post({ raw })).body).toEqual({
      code: 'INVALID_REQUEST_BODY',
      message: 'The body is not valid JSON: see line 2, column 26.',
      doc_url: '/docs/requests#bodies',
    })
    expect((await to.post({ raw: '{"events": [' })).body).toMatchObject({
      message: 'The body is not valid JSON: it ends too early, at line 1, column 13.',
    })
    const late = `${' '.repeat(300_000)}?`
    expect((await to.post({ raw: late })).body).toMatchObject({
      message: 'The body is not valid JSON somewhere behind line 1, column 262145.',
    })
  })

  it('over the bound in chunks is refused before its end, without being kept', async () => {
    const bare = talk(port())
    bare.send(
      requestText('POST', '/events/ingest', {
        headers: { ...bearer(), 'Transfer-Encoding': 'chunked' },
      }),
    )
    const chunk = `${(64 * 1024).toString(16)}\r\n${' '.repeat(64 * 1024)}\r\n`
    for (let sent = 0; sent < 80; sent += 1) bare.send(chunk)
    const answer = await bare.answer()
    expect([answer.status, answer.json()['code']]).toEqual([413, 'REQUEST_TOO_LARGE'])
    await bare.closed()
  })

  it('may be gzip, and need not say its type', async () => {
    const raw = gzipSync(JSON.stringify({ events: [to.event()] }))
    expect((await to.post({ raw, headers: coded('gzip') })).body).toEqual({ ingested_count: 1 })
    const bare = talk(port())
    const body = JSON.stringify({ events: [to.event()] })
    bare.send(requestText('POST', '/events/ingest', { headers: bearer(), body }))
    const answer = await bare.answer()
    expect(answer.json()).toEqual({ ingested_count: 1 })
    to.accepted(1, answer.headers.get('sluice-position'))
    bare.destroy()
    to.accepted()
    await to.settled()
  })

  it('of a caller who vanishes is as if it had never come', async () => {
    const body = JSON.stringify({ events: [to.event()] })
    const text = requestText('POST', '/events/ingest', { headers: bearer(), body })
    for (let cut = 1; cut < text.length; cut += 29) {
      const bare = talk(port())
      bare.send(text.slice(0, cut))
      await new Promise((resolve) => setImmediate(resolve))
      bare.destroy()
    }
    await to.settled()
  })
})

it('nothing of it weighs on the server afterwards', async () => {
  await expect.poll(async () => (await fetch(`${at.url('ops')}/readyz`)).status).toBe(200)
  for (const weight of ['sluice_ingest_inflight_bytes', 'sluice_unaccounted_events']) {
    await expect.poll(async () => (await at.metrics()).get(weight)).toBe(0)
  }
  expect(at.logged).not.toMatch(/"level":"(error|fatal)"/)
})

const port = (): number => Number(new URL(at.url()).port)
const bearer = () => ({ Authorization: `Bearer ${at.keys.write}` })
