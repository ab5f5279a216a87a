import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { byteBudget } from '../../../src/edge/http/budget.ts'
import type { Route } from '../../../src/edge/http/route.ts'
import { created, noContent, ok, route } from '../../../src/edge/http/route.ts'
import { openHttpServer } from '../../../src/edge/http/server.ts'
import { loadHttpEngine, plainEngine } from '../../../src/edge/http/uws.ts'
import { Fault } from '../../../src/faults.ts'
import type { TestServer } from '../../support/edge.ts'
import { bearer, keys, testServer } from '../../support/edge.ts'
import type { Talk } from '../../support/talk.ts'
import { requestText, talk } from '../../support/talk.ts'

const bodyBytesMax = 64 * 1024
const write = { ...bearer(keys.write) }
const json = { ...write, 'Content-Type': 'application/json' }

/** A handler that the tests hold open. */
function gate() {
  const arrivals: (() => void)[] = []
  let open: () => void = () => undefined
  let entered = 0
  return {
    get entered() {
      return entered
    },
    arrived: () => new Promise<void>((resolve) => arrivals.push(resolve)),
    open: () => open(),
    wait: () =>
      new Promise<void>((resolve) => {
        entered += 1
        open = resolve
        for (const arrival of arrivals.splice(0)) arrival()
      }),
  }
}

const held = gate()

const routes: readonly Route[] = [
  route('GET', '/things', 'read', async (request) =>
    ok({ q: request.query('q'), header: request.header('x-many') }),
  ),
  route('POST', '/things', 'write', async ({ body }) => created({ got: body })),
  route('GET', '/things/:id', 'read', async (request) => ok({ id: request.param('id') })),
  route('DELETE', '/things/:id', 'write', async () => noContent),
  route('GET', '/things/new', 'read', async () => ok({ literal: true })),
  route('GET', '/open', 'public', async () => ok({ open: true })),
  route('GET', '/who', 'read', async ({ at, caller }) => ok({ at, caller })),
  route('GET', '/broken', 'read', async () => {
    throw new Error('secret detail')
  }),
  route('GET', '/conflict', 'read', async () => {
    throw new Fault('CONFLICT', 'It is there already.')
  }),
  route('GET', '/unwritable', 'read', async () => ok({ big: 1n })),
  route('GET', '/held', 'read', async () => {
    await held.wait()
    return ok({ held: true })
  }),
  {
    ...route('GET', '/slow', 'read', () => new Promise(() => undefined)),
    handlerMs: 20,
  },
  route('GET', '/page', 'public', async () => ({
    status: 200,
    raw: '<h1>ä</h1>',
    headers: { 'Content-Type': 'text/html; charset=utf-8' },
  })),
]

const native = loadHttpEngine()
const engines = native.kind === 'plain' ? [native] : [native, plainEngine()]

it('finds a native engine on this platform', () => {
  expect(['official', 'prebuilt', 'plain']).toContain(native.kind)
})

describe.each(engines)('the HTTP server on $kind', (engine) => {
  let at: TestServer
  const talks: Talk[] = []

  beforeAll(async () => {
    at = await testServer(engine, routes, {
      bodyBytesMax,
      timing: { deadlineStepMs: 5, bodyStallMs: 40, lingerStallMs: 20, lingerMs: 200 },
    })
  })
  afterEach(async () => {
    for (const open of talks.splice(0)) open.destroy()
    // Whatever a test did, the server serves.
    const answer = await fetch(`${at.url}/open`)
    expect(answer.status).toBe(200)
  })
  afterAll(() => at.server.stop(1_000))

  function raw(): Talk {
    const one = talk(at.port)
    talks.push(one)
    return one
  }

  function post(body: string | Uint8Array, headers: Record<string, string> = {}) {
    return fetch(`${at.url}/things`, { method: 'POST', headers: { ...json, ...headers }, body })
  }

  describe('routes', () => {
    it('answers JSON with the request id, echoing a sane one', async () => {
      const answer = await fetch(`${at.url}/things?q=a%20b&q=c+d`, {
        headers: { ...write, 'X-Request-Id': 'abc.DEF_1-2', 'X-Many': 'one' },
      })
      expect(answer.headers.get('content-type')).toBe('application/json')
      expect(answer.headers.get('x-request-id')).toBe('abc.DEF_1-2')
      expect(await answer.json()).toEqual({ q: 'c d', header: 'one' })
      const odd = await fetch(`${at.url}/open`, { headers: { 'X-Request-Id': 'a b' } })
      expect(odd.headers.get('x-request-id')).toMatch(/^req_[\w-]{21}$/)
    })

    it('decodes path parameters and prefers literal segments', async () => {
      const id = await fetch(`${at.url}/things/a%2Fb%20%C3%A4`, { headers: write })
      expect(await id.json()).toEqual({ id: 'a/b ä' })
      const literal = await fetch(`${at.url}/things/new`, { headers: write })
      expect(await literal.json()).toEqual({ literal: true })
    })

    it.each([
      ['GET', '/nowhere', 404, 'NOT_FOUND'],
      ['GET', '/things/a/b', 404, 'NOT_FOUND'],
      ['GET', '/things/', 404, 'NOT_FOUND'],
      ['GET', '/things/%zz', 400, 'INVALID_REQUEST_PARAMETERS'],
      ['GET', '/things/%ff', 400, 'INVALID_REQUEST_PARAMETERS'],
      ['GET', '/things/%00', 404, 'NOT_FOUND'],
      ['GET', '/things?q=%00', 422, 'INVALID_QUERY_PARAMS'],
      ['GET', '/conflict', 409, 'CONFLICT'],
    ])('refuses %s %s with %i %s', async (method, path, status, code) => {
      const answer = await fetch(at.url + path, { method, headers: write })
      expect(answer.status).toBe(status)
      expect(answer.headers.get('x-should-retry')).toBe('false')
      expect(await answer.json()).toMatchObject({ code, message: expect.any(String) })
    })

    it('names the methods that a path takes', async () => {
      for (const method of ['OPTIONS', 'PUT', 'PATCH']) {
        const answer = await fetch(`${at.url}/things`, { method })
        expect(answer.status).toBe(405)
        expect(answer.headers.get('allow')).toBe('GET, HEAD, POST')
        expect(await answer.json()).toMatchObject({ code: 'METHOD_NOT_ALLOWED' })
      }
    })

    it('answers HEAD as GET without a body, and keeps the connection', async () => {
      const one = raw()
      one.send(requestText('HEAD', '/things/x', { headers: write }))
      const head = await one.answer({ headOnly: true })
      expect(head.status).toBe(200)
      expect(head.headers.get('content-length')).toBe(String('{"id":"x"}'.length))
      one.send(requestText('HEAD', '/nowhere'))
      expect((await one.answer({ headOnly: true })).status).toBe(404)
      one.send(requestText('GET', '/open'))
      expect((await one.answer()).json()).toEqual({ open: true })
    })

    it('answers 204 without a length, and keeps the connection', async () => {
      const one = raw()
      one.send(requestText('DELETE', '/things/x', { headers: write }))
      const empty = await one.answer()
      expect(empty.status).toBe(204)
      expect(empty.headers.has('content-length')).toBe(false)
      one.send(requestText('GET', '/open'))
      expect((await one.answer()).status).toBe(200)
    })

    it('sends pages as they are', async () => {
      const answer = await fetch(`${at.url}/page`)
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(await answer.text()).toBe('<h1>ä</h1>')
    })

    it('says nothing of what broke but the request id, and logs it', async () => {
      for (const path of ['/broken', '/unwritable']) {
        const answer = await fetch(at.url + path, {
          headers: { ...write, 'X-Request-Id': `id.${path.slice(1)}` },
        })
        expect(answer.status).toBe(500)
        const body = await answer.text()
        expect(body).toContain(`id.${path.slice(1)}`)
        expect(body).not.toContain('secret')
        expect(at.told.logged.at(-1)).toMatchObject({
          level: 'error',
          fields: { requestId: `id.${path.slice(1)}` },
        })
      }
    })

    it('counts answers by pattern, never by path', async () => {
      await fetch(`${at.url}/things/abc`, { headers: write })
      expect(at.told.requests.at(-1)).toEqual({
        route: '/things/:id',
        method: 'GET',
        status: 200,
      })
      await fetch(`${at.url}/nowhere/abc`)
      expect(at.told.requests.at(-1)).toMatchObject({ route: 'unknown', status: 404 })
    })
  })

  describe('keys', () => {
    it.each([
      ['none', {}],
      ['an unknown one', bearer('sk_test_nobody')],
      ['a revoked one', bearer(keys.revoked)],
      ['one of the other mode', bearer(keys.live)],
      ['another scheme', { Authorization: `Basic ${keys.write}` }],
      ['an overlong one', bearer('x'.repeat(300))],
    ])('refuses %s with 401', async (_, headers) => {
      const answer = await fetch(`${at.url}/things`, { headers: headers as Record<string, string> })
      expect(answer.status).toBe(401)
      expect(answer.headers.get('x-should-retry')).toBe('false')
      expect(await answer.json()).toMatchObject({ code: 'UNAUTHORIZED' })
    })

    it('lets a read-only key read and refuses its writes with 403', async () => {
      const headers = bearer(keys.read)
      expect((await fetch(`${at.url}/things`, { headers })).status).toBe(200)
      const refused = await fetch(`${at.url}/things`, { method: 'POST', headers, body: '{}' })
      expect(refused.status).toBe(403)
      expect(await refused.json()).toMatchObject({ code: 'UNAUTHORIZED' })
    })

    it('gives handlers the time of the business', async () => {
      const [now, ahead] = await Promise.all(
        [keys.write, keys.ahead].map(async (key) => {
          const answer = await fetch(`${at.url}/who`, { headers: bearer(key) })
          return (await answer.json()) as { at: number }
        }),
      )
      expect((ahead?.at ?? 0) - (now?.at ?? 0)).toBe(31 * 86_400_000_000)
    })

    it('judges the key, then access, then size, then media, then JSON', async () => {
      const big = 'x'.repeat(bodyBytesMax + 1)
      const odd = { 'Content-Type': 'text/plain' }
      const statuses = []
      for (const [headers, body] of [
        [{ ...odd }, big],
        [{ ...odd, ...bearer(keys.read) }, big],
        [{ ...odd, ...write }, big],
        [{ ...odd, ...write }, 'x'],
        [json, 'x'],
      ] as const) {
        const answer = await fetch(`${at.url}/things`, { method: 'POST', headers, body })
        statuses.push(answer.status)
      }
      expect(statuses).toEqual([401, 403, 413, 415, 400])
    })
  })

  describe('bodies', () => {
    it('takes JSON in UTF-8, whole or in chunks, with or without a type', async () => {
      expect(await (await post('{"a":"ä"}')).json()).toEqual({ got: { a: 'ä' } })
      const charset = { 'Content-Type': 'application/json; charset="UTF-8"; x=y' }
      expect((await post('{}', charset)).status).toBe(201)
      const one = raw()
      one.send(requestText('POST', '/things', { headers: write, body: '[1]' }))
      expect((await one.answer()).status).toBe(201)
      const chunked = { ...write, 'Transfer-Encoding': 'chunked' }
      one.send(
        `${requestText('POST', '/things', { headers: chunked })}2\r\n[1\r\n3\r\n,2]\r\n0\r\n\r\n`,
      )
      expect((await one.answer()).json()).toEqual({ got: [1, 2] })
    })

    it('takes gzip', async () => {
      const body = gzipSync('{"zipped":true}')
      const answer = await post(body, { 'Content-Encoding': 'gzip' })
      expect(await answer.json()).toEqual({ got: { zipped: true } })
    })

    it.each([
      ['empty', '', {}],
      ['not JSON', '{"a":', {}],
      ['not UTF-8', Buffer.from([0x22, 0xff, 0x22]), {}],
      ['an overlong UTF-8 form', Buffer.from([0x22, 0xc0, 0x80, 0x22]), {}],
      ['truncated gzip', gzipSync('{"a":1}').subarray(0, 12), { 'Content-Encoding': 'gzip' }],
      ['not gzip', '{}', { 'Content-Encoding': 'gzip' }],
    ])('refuses a body that is %s with 400', async (_, body, headers) => {
      const answer = await post(body, headers)
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({ code: 'INVALID_REQUEST_BODY' })
    })

    it.each([
      ['another type', { 'Content-Type': 'application/xml' }],
      ['another charset', { 'Content-Type': 'application/json; charset=latin1' }],
      ['another coding', { 'Content-Encoding': 'br' }],
      ['two codings', { 'Content-Encoding': 'gzip, gzip' }],
    ])('refuses %s with 415', async (_, headers) => {
      const answer = await post('{}', headers)
      expect(answer.status).toBe(415)
      expect(await answer.json()).toMatchObject({ code: 'UNSUPPORTED_MEDIA_TYPE' })
    })

    it('refuses texts that the store cannot hold with 422', async () => {
      for (const text of ['"\\u0000"', '{"\\ud800":1}', '[["\\udc00x"]]']) {
        expect((await post(text)).status).toBe(422)
      }
      expect((await post('"\\\\u0000 \\ud83d\\ude00"')).status).toBe(201)
    })

    it('refuses a larger body with 413 and hangs up, announced or not', async () => {
      const announced = raw()
      const headers = { ...write, 'Content-Length': String(bodyBytesMax + 1) }
      announced.send(requestText('POST', '/things', { headers }))
      const answer = await announced.answer()
      expect(answer.status).toBe(413)
      expect(answer.json()).toMatchObject({ code: 'REQUEST_TOO_LARGE' })
      await announced.closed()

      const chunked = raw()
      chunked.send(
        requestText('POST', '/things', { headers: { ...write, 'Transfer-Encoding': 'chunked' } }),
      )
      const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`
      for (let sent = 0; sent <= bodyBytesMax; sent += 0x4000) chunked.send(chunk)
      expect((await chunked.answer()).status).toBe(413)
      await chunked.closed()
    })

    it('tells a client that is still writing why it was refused', async () => {
      const body = new Uint8Array(4 * 1024 * 1024)
      for (let time = 0; time < 5; time += 1) expect((await post(body)).status).toBe(413)
    })

    it('refuses a gzip bomb with 413', async () => {
      const bomb = gzipSync(Buffer.alloc(30 * 1024 * 1024))
      expect(bomb.length).toBeLessThan(bodyBytesMax)
      expect((await post(bomb, { 'Content-Encoding': 'gzip' })).status).toBe(413)
    })

    it('takes a body of exactly the bound', async () => {
      expect((await post(`"${'x'.repeat(bodyBytesMax - 2)}"`)).status).toBe(201)
    })

    it('gives up on a body that stalls with 408', async () => {
      const one = raw()
      one.send(requestText('POST', '/things', { headers: { ...write, 'Content-Length': '10' } }))
      one.send('{"a"')
      const answer = await one.answer()
      expect(answer.status).toBe(408)
      expect(answer.headers.has('x-should-retry')).toBe(false)
      await one.closed()
    })

    it('takes no harm from a client that leaves amid its body', async () => {
      const open = at.options.budget.used
      const one = raw()
      one.send(requestText('POST', '/things', { headers: { ...write, 'Content-Length': '10' } }))
      one.send('{"a"')
      one.destroy()
      while (at.server.open > 0) await new Promise((resolve) => setImmediate(resolve))
      expect(at.options.budget.used).toBe(open)
    })

    it('ignores a body where none is read', async () => {
      const one = raw()
      one.send(requestText('GET', '/open', { body: '{"a":1}' }))
      expect((await one.answer()).status).toBe(200)
      one.send(requestText('DELETE', '/things/a', { headers: write, body: 'x'.repeat(1_000) }))
      expect((await one.answer()).status).toBe(204)
      one.send(requestText('POST', '/nowhere', { body: '{"a":1}' }))
      expect((await one.answer()).status).toBe(404)
    })

    it('refuses with 503 what does not fit the bytes in flight, and takes it again later', async () => {
      const small = await testServer(engine, routes, { budget: byteBudget(100) })
      const send = (size: number) =>
        fetch(`${small.url}/things`, {
          method: 'POST',
          headers: json,
          body: `"${'x'.repeat(size)}"`,
        })
      const refused = await send(200)
      expect(refused.status).toBe(503)
      expect(refused.headers.get('retry-after')).toBe('1')
      expect(await refused.json()).toMatchObject({ code: 'UNAVAILABLE' })
      expect((await send(50)).status).toBe(201)
      expect(small.options.budget.used).toBe(0)
      await small.server.stop(1_000)
    })
  })

  describe('connections', () => {
    it('outlives a caller who is gone before the answer', async () => {
      const one = raw()
      const arrived = held.arrived()
      one.send(requestText('GET', '/held', { headers: write }))
      await arrived
      one.destroy()
      while (at.server.open > 0) await new Promise((resolve) => setImmediate(resolve))
      held.open()
      expect(at.told.requests.at(-1)).toMatchObject({ route: '/held', status: 499 })
    })

    it('answers pipelined requests in order', async () => {
      const one = raw()
      one.send(
        [1, 2, 3].map((n) => requestText('GET', `/things/${n}`, { headers: write })).join(''),
      )
      for (const id of ['1', '2', '3']) expect((await one.answer()).json()).toEqual({ id })
    })

    it('outlives a request that comes while the one before has no answer', async () => {
      const one = raw()
      const arrived = held.arrived()
      one.send(requestText('GET', '/held', { headers: write }))
      await arrived
      one.send(requestText('GET', '/open'))
      if (engine.kind !== 'plain') {
        // uWS hangs up on both; node:http queues.
        expect(await one.closed()).toBe('')
        held.open()
        return
      }
      held.open()
      expect((await one.answer()).json()).toEqual({ held: true })
      expect((await one.answer()).json()).toEqual({ open: true })
    })

    it('answers 503 when a handler takes too long', async () => {
      const answer = await fetch(`${at.url}/slow`, { headers: write })
      expect(answer.status).toBe(503)
      expect(answer.headers.get('retry-after')).toBe('1')
    })

    const two = 'Content-Length: 3\r\nContent-Length: 5'
    it.each([
      ['two lengths', `POST /things HTTP/1.1\r\nHost: a\r\n${two}\r\n\r\nabcde`],
      [
        'the same length twice',
        'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na',
      ],
      [
        'a length and chunks',
        'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      ],
      ['a signed length', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +3\r\n\r\nabc'],
      ['an empty length', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\nabc'],
      [
        'a huge length',
        'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\nabc',
      ],
      [
        'an odd coding',
        'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n',
      ],
      [
        'two codings',
        'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
      ],
      ['two hosts', 'GET /open HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
      ['an odd host', 'GET /open HTTP/1.1\r\nHost: a b\r\n\r\n'],
      ['TRACE', 'TRACE /open HTTP/1.1\r\nHost: a\r\n\r\n'],
    ])('refuses %s and hangs up', async (_, text) => {
      const one = raw()
      one.send(text)
      const left = await one.closed()
      expect(left).toMatch(/^($|HTTP\/1\.1 400 )/)
      // Nothing of it was taken for a second request.
      expect(left.match(/HTTP\/1\.1 \d{3}/g)?.length ?? 0).toBeLessThan(2)
    })

    it('says what is ambiguous where the engine lets it', async () => {
      const one = raw()
      one.send('GET /open HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n')
      const answer = await one.answer()
      expect(answer.status).toBe(400)
      expect(answer.headers.get('connection')).toBe('close')
    })

    it.each([
      ['no host', 'GET /open HTTP/1.1\r\n\r\n'],
      ['the target of another authority', 'GET http://evil/open HTTP/1.1\r\nHost: a\r\n\r\n'],
      ['CONNECT', 'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n'],
      ['a header with a blank before its colon', 'GET /open HTTP/1.1\r\nHost: a\r\nA : b\r\n\r\n'],
      ['a folded header', 'GET /open HTTP/1.1\r\nHost: a\r\nA: b\r\n c\r\n\r\n'],
      ['no HTTP at all', '\x16\x03\x01\x02\x00\r\n\r\n'],
      ['an invented method', 'FOO /open HTTP/1.1\r\nHost: a\r\n\r\n'],
    ])('never serves %s', async (_, text) => {
      const one = raw()
      one.send(text)
      // uWS says nothing to some of these and hangs up after ten seconds.
      await fetch(`${at.url}/open`)
      one.destroy()
      const left = await one.closed()
      expect(left).toMatch(/^($|HTTP\/1\.1 4\d\d )/)
    })
  })
})

describe.each(engines)('ports and stopping on $kind', (engine) => {
  it('serves a mode per port', async () => {
    const { server } = await testServer(engine, routes, {
      listeners: [
        { port: 0, mode: 'test' },
        { port: 0, mode: 'live' },
      ],
    })
    const status = async (port: number | undefined, key: string) =>
      (await fetch(`http://127.0.0.1:${port}/things`, { headers: bearer(key) })).status
    const [test, live] = server.ports
    expect(await status(test, keys.write)).toBe(200)
    expect(await status(test, keys.live)).toBe(401)
    expect(await status(live, keys.live)).toBe(200)
    expect(await status(live, keys.write)).toBe(401)
    await server.stop(1_000)
  })

  it('serves both modes on one port by the host name', async () => {
    const hosts = { testHost: 'test.example', liveHost: 'Live.example' }
    const at = await testServer(engine, routes, { listeners: [{ port: 0, mode: hosts }] })
    const one = talk(at.port)
    const ask = async (host: string, key: string) => {
      one.send(requestText('GET', '/things', { headers: { Host: host, ...bearer(key) } }))
      return (await one.answer()).status
    }
    expect(await ask('test.example', keys.write)).toBe(200)
    expect(await ask('LIVE.example:8080', keys.live)).toBe(200)
    expect(await ask('live.example', keys.write)).toBe(401)
    expect(await ask('other.example', keys.write)).toBe(404)
    one.destroy()
    await at.server.stop(1_000)
  })

  it('does not share a port with another server', async () => {
    const first = await testServer(engine, routes)
    const again = openHttpServer({
      ...first.options,
      listeners: [{ port: first.port, mode: 'test' }],
    })
    await expect(again).rejects.toThrow(String(first.port))
    await first.server.stop(1_000)
    const after = await testServer(engine, routes, {
      listeners: [{ port: first.port, mode: 'test' }],
    })
    expect((await fetch(`${after.url}/open`)).status).toBe(200)
    await after.server.stop(1_000)
  })

  it('answers what is in flight with Connection: close, and accepts nothing more', async () => {
    const at = await testServer(engine, routes)
    const one = talk(at.port)
    const idle = talk(at.port)
    idle.send(requestText('GET', '/open'))
    await idle.answer()
    const arrived = held.arrived()
    one.send(requestText('GET', '/held', { headers: write }))
    await arrived
    const stopped = at.server.stop(10_000)
    await expect(fetch(`${at.url}/open`)).rejects.toThrow()
    held.open()
    const answer = await one.answer()
    expect(answer.json()).toEqual({ held: true })
    expect(answer.headers.get('connection')).toBe('close')
    await one.closed()
    await stopped
    // A connection without a request is hung up on, where the engine can.
    if (engine.kind !== 'official') expect(await idle.closed()).toBe('')
    idle.destroy()
  })

  it('hangs up on what is not answered by the deadline', async () => {
    const at = await testServer(engine, routes)
    const one = talk(at.port)
    const arrived = held.arrived()
    one.send(requestText('GET', '/held', { headers: write }))
    await arrived
    await at.server.stop(1)
    expect(await one.closed()).toBe('')
    held.open()
    while (at.server.open > 0) await new Promise((resolve) => setImmediate(resolve))
  })
})
