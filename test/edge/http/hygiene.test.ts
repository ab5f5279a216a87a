import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { etagOf, unlessKnown } from '../../../src/edge/http/etag.ts'
import { ok, route } from '../../../src/edge/http/route.ts'
import { takesGzip } from '../../../src/edge/http/zipped.ts'
import { Fault } from '../../../src/faults.ts'
import { requestText, talk } from '../../support/edge/talk.ts'
import type { TestServer } from '../../support/edge/test-server.ts'
import { testServer } from '../../support/edge/test-server.ts'
import { engines, json, write } from './setup.ts'

const items = Array.from({ length: 500 }, (_, id) => ({ id, name: `ä number ${id}` }))
const text = 'the same again '.repeat(1_000)
const plain = { 'Content-Type': 'text/plain' }
const routes = [
  route('GET', '/large', 'read', async () => ok({ items })),
  route('GET', '/small', 'read', async () => ok({ items: [] })),
  route('GET', '/tagged', 'read', async (request) =>
    unlessKnown(request, { status: 200, raw: text, headers: { ...plain, ETag: etagOf(text) } }),
  ),
  route('POST', '/large', 'write', async () => ok({ items })),
  route('GET', '/away', 'read', async () => {
    throw new Fault('UNAVAILABLE', 'It is away.')
  }),
]
const app = 'https://app.example.com'

describe.each(engines)('answers of $kind', (engine) => {
  let open: TestServer
  let closed: TestServer
  beforeAll(async () => {
    open = await testServer(engine, routes, { corsOrigins: [app, 'http://localhost:3000'] })
    closed = await testServer(engine, routes)
  })
  afterAll(async () => {
    await open.server.stop(0)
    await closed.server.stop(0)
  })

  /** As it is on the wire: fetch inflates by itself. */
  async function bytes(method: string, accept: string | null) {
    const one = talk(open.port)
    const headers = accept === null ? write : { ...write, 'Accept-Encoding': accept }
    one.send(requestText(method, '/large', { headers }))
    const answer = await one.answer({ headOnly: method === 'HEAD' })
    one.destroy()
    return answer
  }

  it('are compressed where they are large and the caller takes it', async () => {
    const whole = JSON.stringify({ items })
    const fetched = await fetch(`${open.url}/large`, { headers: write })
    expect(await fetched.json()).toEqual({ items })
    expect(fetched.headers.get('content-encoding')).toBe('gzip')
    expect(fetched.headers.get('content-type')).toBe('application/json')
    const plain = await bytes('GET', null)
    expect(plain.headers.has('content-encoding')).toBe(false)
    expect(plain.headers.get('vary')).toBe('Origin, Accept-Encoding')
    expect(Number(plain.headers.get('content-length'))).toBe(Buffer.byteLength(whole))
    const head = await bytes('HEAD', 'br, gzip;q=0.5')
    expect(head.headers.get('content-encoding')).toBe('gzip')
    expect(Number(head.headers.get('content-length'))).toBeLessThan(whole.length / 2)
    const small = await fetch(`${open.url}/small`, { headers: write })
    expect([small.headers.get('content-encoding'), await small.json()]).toEqual([
      null,
      { items: [] },
    ])
    const posted = await fetch(`${open.url}/large`, { method: 'POST', headers: json, body: '{}' })
    expect([posted.headers.get('content-encoding'), await posted.json()]).toEqual([null, { items }])
  })

  it('have one tag as they are and compressed, and say by what they differ when known', async () => {
    const [whole, packed] = await Promise.all(
      ['identity', 'gzip'].map((accept) =>
        fetch(`${closed.url}/tagged`, { headers: { ...write, 'Accept-Encoding': accept } }),
      ),
    )
    const etag = whole?.headers.get('etag') ?? ''
    // A strong one would promise the same bytes.
    expect(etag).toMatch(/^W\/"/)
    expect(packed?.headers.get('etag')).toBe(etag)
    expect(packed?.headers.get('content-encoding')).toBe('gzip')
    expect(await packed?.text()).toBe(await whole?.text())
    for (const known of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
      const again = await fetch(`${closed.url}/tagged`, {
        headers: { ...write, 'If-None-Match': known },
      })
      expect([again.status, again.headers.get('etag')], known).toEqual([304, etag])
      expect(again.headers.get('vary'), known).toBe('Accept-Encoding')
    }
  })

  it('may be read by pages of the origins that are listed, refusals too', async () => {
    for (const path of ['/large', '/small', '/away', '/nothing', '/small?page=%00']) {
      const answer = await fetch(open.url + path, { headers: { ...write, Origin: app } })
      await answer.arrayBuffer()
      expect(answer.headers.get('access-control-allow-origin'), path).toBe(app)
      expect(answer.headers.get('vary'), path).toContain('Origin')
      expect(answer.headers.get('access-control-expose-headers')).toContain('Sluice-Position')
    }
    const keyless = await fetch(`${open.url}/small`, { headers: { Origin: app } })
    expect([keyless.status, keyless.headers.get('access-control-allow-origin')]).toEqual([401, app])
    const large = await fetch(`${open.url}/large`, { headers: { ...write, Origin: app } })
    expect(large.headers.get('vary')).toBe('Origin, Accept-Encoding')
    for (const origin of [
      'https://evil.example.com',
      'null',
      `${app}.evil.com`,
      'https://app.example.com:444',
    ]) {
      const answer = await fetch(`${open.url}/small`, { headers: { ...write, Origin: origin } })
      expect(answer.headers.get('access-control-allow-origin'), origin).toBe(null)
      expect(answer.headers.get('vary')).toBe('Origin')
    }
  })

  it('are for no page where nobody is listed', async () => {
    const asked = { Origin: app, 'Access-Control-Request-Method': 'POST' }
    for (const [method, headers] of [
      ['GET', { ...write, Origin: app }],
      ['OPTIONS', asked],
    ] as const) {
      const answer = await fetch(`${closed.url}/large`, { method, headers })
      await answer.arrayBuffer()
      const names = [...answer.headers.keys()].filter((name) => name.startsWith('access-control'))
      expect(names).toEqual([])
    }
  })

  it('tell a page beforehand what it may send, without a key', async () => {
    const answer = await fetch(`${open.url}/large`, {
      method: 'OPTIONS',
      headers: {
        Origin: app,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,content-type,x-stainless-lang',
      },
    })
    expect(answer.status).toBe(204)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      allow: 'GET, HEAD, OPTIONS, POST',
      'access-control-allow-origin': app,
      'access-control-allow-methods': 'GET, HEAD, OPTIONS, POST',
      'access-control-allow-headers': 'authorization,content-type,x-stainless-lang',
      'access-control-max-age': '600',
    })
    const odd = await fetch(`${open.url}/large`, {
      method: 'OPTIONS',
      headers: {
        Origin: app,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'one two',
      },
    })
    expect(odd.headers.get('access-control-allow-headers')).toBe(null)
    expect((await fetch(`${open.url}/nothing`, { method: 'OPTIONS' })).status).toBe(404)
  })

  it('that are 503 say when to come again', async () => {
    const answer = await fetch(`${open.url}/away`, { headers: write })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
  })
})

describe('Accept-Encoding', () => {
  it.each([
    ['gzip', true],
    ['gzip, deflate, br, zstd', true],
    ['GZIP;q=0.1', true],
    ['*', true],
    ['br, *;q=0.1', true],
    [null, false],
    ['', false],
    ['br', false],
    ['identity', false],
    ['gzip;q=0', false],
    ['gzip; q=0.000, *', false],
    ['*;q=0', false],
    ['gzip;q=nonsense', false],
    ['gzip;q=0.5, identity;q=0.5', true],
    ['gzip;q=0.5, identity', false],
  ])('%s: %s', (accepted, takes) => {
    expect(takesGzip(accepted)).toBe(takes)
  })
})
