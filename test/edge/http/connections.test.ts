import { connect } from 'node:net'
import { setImmediate as breath } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { limits } from '../../../src/limits.ts'
import { requestText, talk } from '../../support/edge/talk.ts'
import { testServer } from '../../support/edge/test-server.ts'
import { engines, held, routes, suite, write } from './setup.ts'

describe.each(engines)('connections on $kind', (engine) => {
  const on = suite(engine)

  it('outlives a caller who is gone before the answer', async () => {
    const one = on.raw()
    const arrived = held.arrived()
    one.send(requestText('GET', '/held', { headers: write }))
    await arrived
    one.destroy()
    while (on.at.server.open > 0) await new Promise((resolve) => setImmediate(resolve))
    held.open()
    expect(on.at.told.requests.at(-1)).toMatchObject({ route: '/held', status: 499 })
  })

  it('has nothing to say of what became of a request whose caller is gone', async () => {
    const logged = on.at.told.logged.length
    const one = on.raw()
    const arrived = held.arrived()
    one.send(requestText('GET', '/held/broken', { headers: write }))
    await arrived
    one.destroy()
    while (on.at.server.open > 0) await breath()
    held.open()
    await on.get('/open')
    expect(on.at.told.logged.slice(logged)).toEqual([])
  })

  it('answers pipelined requests in order', async () => {
    const one = on.raw()
    one.send([1, 2, 3].map((n) => requestText('GET', `/things/${n}`, { headers: write })).join(''))
    for (const id of ['1', '2', '3']) expect((await one.answer()).json()).toEqual({ id })
  })

  it('outlives a request that comes while the one before has no answer', async () => {
    const one = on.raw()
    const arrived = held.arrived()
    one.send(requestText('GET', '/held', { headers: write }))
    await arrived
    one.send(requestText('GET', '/open'))
    if (engine.kind !== 'node_http') {
      // uWS hangs up on both; node:http queues.
      expect(await one.closed()).toBe('')
      held.open()
      return
    }
    held.open()
    expect((await one.answer()).json()).toEqual({ held: true })
    expect((await one.answer()).json()).toEqual({ open: true })
  })

  it('piles up no answers for one who reads none', async () => {
    const sent = 80_000
    const before = on.at.told.requests.length
    const deaf = connect({ port: on.at.port, host: '127.0.0.1' })
    deaf.on('error', () => undefined)
    deaf.pause()
    const some = requestText('GET', '/nowhere').repeat(1_000)
    for (let round = 0; round < sent / 1_000 && !deaf.destroyed; round += 1) {
      deaf.write(some)
      await breath()
    }
    // What the system has taken cannot be taken back; the rest is never answered.
    await on.get('/open')
    expect(on.at.told.requests.length - before).toBeLessThan(sent / 2)
    deaf.destroy()
  })

  it('refuses a head that is too large to keep', async () => {
    const one = on.raw()
    const headers = { ...write, 'X-Large': 'x'.repeat(limits.headBytesMax) }
    one.send(requestText('GET', '/things/x', { headers }))
    expect((await one.answer()).status).toBe(400)
    await one.closed()
  })

  it.each([
    ['target', (size: number) => [`/things/${'x'.repeat(size)}`, {}] as const],
    ['query', (size: number) => [`/things/x?a=${'x'.repeat(size)}`, {}] as const],
    ['header', (size: number) => ['/things/x', { 'X-Large': 'x'.repeat(size) }] as const],
  ])('takes as large a %s as it says, and refuses a larger one', async (_of, make) => {
    for (const [size, status] of [
      [limits.headBytesMax - 1_000, 200],
      [limits.headBytesMax, 400],
    ] as const) {
      const [target, more] = make(size)
      const one = on.raw()
      one.send(requestText('GET', target, { headers: { ...write, ...more } }))
      expect((await one.answer()).status, `${size}`).toBe(status)
      one.destroy()
    }
  })

  it('refuses with 503 what would wait together with too many others', async () => {
    const small = await testServer(engine, routes, { roomBytesMax: 2 * limits.requestBytes })
    const first = talk(small.port)
    const arrived = held.arrived()
    first.send(requestText('GET', '/held', { headers: write }))
    await arrived
    const refused = await fetch(`${small.url}/open`)
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('1')
    held.open()
    expect((await first.answer()).status).toBe(200)
    expect((await fetch(`${small.url}/open`)).status).toBe(200)
    first.destroy()
    await small.server.stop(1_000)
  })

  it('answers 503 when a handler takes too long', async () => {
    const answer = await fetch(`${on.at.url}/slow`, { headers: write })
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
    ['an odd coding', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n'],
    [
      'two codings',
      'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
    ],
    ['two hosts', 'GET /open HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['an odd host', 'GET /open HTTP/1.1\r\nHost: a b\r\n\r\n'],
  ])('refuses %s and hangs up', async (_, text) => {
    const one = on.raw()
    one.send(text)
    const left = await one.closed()
    expect(left).toMatch(/^($|HTTP\/1\.1 400 )/)
    // Nothing of it was taken for a second request.
    expect(left.match(/HTTP\/1\.1 \d{3}/g)?.length ?? 0).toBeLessThan(2)
  })

  it('says what is ambiguous where the engine lets it', async () => {
    const one = on.raw()
    one.send('GET /open HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n')
    const answer = await one.answer()
    expect(answer.status).toBe(400)
    expect(answer.headers.get('connection')).toBe('close')
  })

  it('takes TRACE for nothing that a path has, and hangs up', async () => {
    const one = on.raw()
    one.send('TRACE /open HTTP/1.1\r\nHost: a\r\n\r\n')
    const answer = await one.answer()
    expect([answer.status, answer.headers.get('connection')]).toEqual([405, 'close'])
    expect(answer.headers.get('allow')).toContain('GET')
  })

  it.each([
    ['no host', 'GET /open HTTP/1.1\r\n\r\n'],
    ['the target of another authority', 'GET http://evil/open HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['OPTIONS of everything', 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['CONNECT', 'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a header with a blank before its colon', 'GET /open HTTP/1.1\r\nHost: a\r\nA : b\r\n\r\n'],
    ['a folded header', 'GET /open HTTP/1.1\r\nHost: a\r\nA: b\r\n c\r\n\r\n'],
    ['no HTTP at all', '\x16\x03\x01\x02\x00\r\n\r\n'],
    ['an invented method', 'FOO /open HTTP/1.1\r\nHost: a\r\n\r\n'],
  ])('refuses %s with an answer', async (_, text) => {
    const one = on.raw()
    one.send(text)
    // Silence ends with a connection that is closed after ten seconds.
    expect([400, 404, 405, 505]).toContain((await one.answer()).status)
  })

  it.each([
    ['HTTP/1.0', 'GET /open HTTP/1.0\r\nHost: a\r\n\r\n'],
    ['an absolute target of this host', 'GET http://a/open HTTP/1.1\r\nHost: a\r\n\r\n'],
  ])('answers %s, or says that it does not', async (_, text) => {
    const one = on.raw()
    one.send(text)
    expect((await one.answer()).status).toBe(engine.kind === 'node_http' ? 200 : 505)
  })
})
