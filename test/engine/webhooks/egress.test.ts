import type { AddressInfo, Server } from 'node:net'
import { createServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { Outgoing } from '../../../src/engine/webhooks/egress.ts'
import { openEgress } from '../../../src/engine/webhooks/egress.ts'
import { openResolve } from '../../../src/engine/webhooks/resolve.ts'
import { destinations } from '../../../src/rules/facts/destination.ts'
import { freePort } from '../../support/servers/ports.ts'
import type { Receiver, Respond } from '../../support/webhooks/receiver.ts'
import { answer, openReceiver } from '../../support/webhooks/receiver.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function receiver(respond?: Respond): Promise<Receiver> {
  const opened = await openReceiver(respond)
  closing.push(opened.close)
  return opened
}

/** A server that answers bytes, not HTTP. */
async function raw(bytes: string): Promise<number> {
  const server: Server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end(bytes))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => new Promise((resolve) => server.close(() => resolve())))
  return (server.address() as AddressInfo).port
}

const post = openEgress({
  destinations: destinations([], '127.0.0.1'),
  resolve: openResolve(),
  timeoutMs: 15_000,
})

const outgoing = (url: string, more: Partial<Outgoing> = {}): Outgoing => ({
  url,
  mode: 'test',
  headers: { 'x-one': '1', 'content-length': '2' },
  body: '{}',
  attempt: 1,
  signal: new AbortController().signal,
  ...more,
})

describe('egress', () => {
  it('posts the body and headers, to the path and host of the URL', async () => {
    const { url, port, received } = await receiver(answer(204))
    expect(await post(outgoing(`${url}?a=b#c`))).toMatchObject({ status: 204, error: null })
    expect(received[0]).toMatchObject({ method: 'POST', path: '/hooks?a=b', body: '{}' })
    expect(received[0]?.headers).toMatchObject({ host: `127.0.0.1:${port}`, 'x-one': '1' })
  })

  it('reaches loopback by name', async () => {
    const { port } = await receiver()
    expect(await post(outgoing(`http://localhost:${port}/`))).toMatchObject({ error: null })
  })

  it.each([400, 404, 410, 429, 500, 503])('takes a %i for a failure', async (status) => {
    const { url } = await receiver(answer(status, { 'retry-after': '7' }))
    expect(await post(outgoing(url))).toEqual({
      status,
      error: 'status',
      retryAfter: '7',
      answer: '',
    })
  })

  it.each([
    ['never ends', () => undefined],
    ['breaks off', (socket: { destroy(): void } | null) => socket?.destroy()],
  ] as const)('takes a refusal for one though its body %s', async (_how, then) => {
    const { url } = await receiver((_request, response) => {
      response.writeHead(500)
      response.write('sorry', () => setTimeout(() => then(response.socket), 50))
    })
    expect(await post(outgoing(url))).toEqual({
      status: 500,
      error: 'status',
      retryAfter: null,
      answer: 'sorry',
    })
  })

  it.each([301, 302, 303, 304, 307, 308])('does not follow a %i', async (status) => {
    const inside = await receiver()
    const { url } = await receiver(answer(status, { location: inside.url }))
    expect(await post(outgoing(url))).toMatchObject({ status, error: 'redirect' })
    expect(inside.received).toEqual([])
  })

  it('reads no more of an answer than it must', async () => {
    let sent = 0
    const { url } = await receiver((_request, response) => {
      const chunk = Buffer.alloc(64 * 1024)
      const more = (): void => {
        if (response.destroyed) return
        sent += chunk.length
        response.write(chunk, more)
      }
      response.writeHead(200)
      more()
    })
    expect(await post(outgoing(url))).toMatchObject({ status: 200, error: null })
    // What the buffers of two sockets swallow, and far from endless.
    expect(sent).toBeLessThan(64 * 1024 * 1024)
  })

  it('gives up on servers that hang, before or inside their answer', async () => {
    const quick = openEgress({
      destinations: destinations([], '127.0.0.1'),
      resolve: openResolve(),
      timeoutMs: 200,
    })
    const silent = await receiver(() => undefined)
    expect(await quick(outgoing(silent.url))).toMatchObject({ error: 'timeout' })
    const dripping = await receiver((_request, response) => {
      const timer = setInterval(() => response.write('.'), 20)
      response.on('close', () => clearInterval(timer))
      response.writeHead(200)
    })
    expect(await quick(outgoing(dripping.url))).toMatchObject({ error: 'timeout' })
    const hanging = openEgress({
      destinations: destinations([], '127.0.0.1'),
      resolve: () => new Promise(() => undefined),
      timeoutMs: 50,
    })
    expect(await hanging(outgoing('http://example.com/'))).toMatchObject({ error: 'timeout' })
  })

  it('takes broken connections for failures', async () => {
    const cut = await receiver((_request, response) => void response.destroy())
    expect(await post(outgoing(cut.url))).toMatchObject({ error: 'closed' })
    const half = await receiver((_request, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half', () => response.destroy())
    })
    expect(await post(outgoing(half.url))).toMatchObject({ error: 'closed' })
    const nowhere = `http://127.0.0.1:${await freePort()}/`
    expect(await post(outgoing(nowhere))).toMatchObject({ error: 'refused' })
  })

  it('survives answers that are not HTTP', async () => {
    const at = async (bytes: string) => `http://127.0.0.1:${await raw(bytes)}/`
    expect(await post(outgoing(await at('hello\r\n\r\n')))).toMatchObject({ error: 'protocol' })
    const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'
    expect(await post(outgoing(await at(upgrade)))).toMatchObject({ error: 'protocol' })
    const headers = `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(20_000)}\r\n`
    expect(await post(outgoing(await at(headers)))).toMatchObject({ error: 'protocol' })
    expect(await post(outgoing(await at('HTTP/1.1 200 OK\r\n\r\nok')))).toMatchObject({
      error: null,
    })
    const plain = await at('HTTP/1.1 400 Bad Request\r\n\r\n')
    expect(await post(outgoing(plain.replace('http:', 'https:')))).toMatchObject({ error: 'tls' })
  })

  it('refuses inner addresses, whether literal or behind a name, at every attempt', async () => {
    const { url, port, received } = await receiver()
    const live = { mode: 'live' } as const
    expect(await post(outgoing(url, live))).toMatchObject({ error: 'forbidden_address' })
    for (const host of ['localhost', '2130706433', '[::ffff:127.0.0.1]', '0.0.0.0', '[::]']) {
      const refused = await post(outgoing(`http://${host}:${port}/`, live))
      expect(refused).toMatchObject({ error: 'forbidden_address' })
    }
    expect(await post(outgoing(`http://0.0.0.0:${port}/`))).toMatchObject({
      error: 'forbidden_address',
    })
    expect(received).toEqual([])
  })

  it('is not fooled by a name that answers otherwise later, or with two faces', async () => {
    const { port, received } = await receiver()
    const answers = [['127.0.0.1'], ['169.254.169.254'], ['127.0.0.1', '10.0.0.1']]
    const asked: string[] = []
    const rebinding = openEgress({
      destinations: destinations([], '127.0.0.1'),
      timeoutMs: 5_000,
      resolve: async (host) => {
        asked.push(host)
        return answers.shift() ?? []
      },
    })
    const url = `http://rebind.example:${port}/`
    expect(await rebinding(outgoing(url))).toMatchObject({ error: null })
    expect(await rebinding(outgoing(url))).toMatchObject({ error: 'forbidden_address' })
    expect(await rebinding(outgoing(url))).toMatchObject({ error: 'forbidden_address' })
    expect(await rebinding(outgoing(url))).toMatchObject({ error: 'dns' })
    expect(asked).toHaveLength(4)
    expect(received[0]?.headers.host).toBe(`rebind.example:${port}`)
  })

  it('takes the next address at the next attempt', async () => {
    const { port, received } = await receiver()
    const both = openEgress({
      destinations: destinations([], '127.0.0.1'),
      timeoutMs: 5_000,
      resolve: async () => ['127.0.0.2', '127.0.0.1'],
    })
    const url = `http://two.example:${port}/`
    expect(await both(outgoing(url))).toMatchObject({ error: 'refused' })
    expect(await both(outgoing(url, { attempt: 2 }))).toMatchObject({ error: null })
    expect(received).toHaveLength(1)
  })

  it('reaches what the operator lists, in live mode too', async () => {
    const { port } = await receiver()
    const listed = openEgress({
      destinations: destinations(['127.0.0.0/8'], '127.0.0.1'),
      resolve: openResolve(),
      timeoutMs: 5_000,
    })
    const url = `http://127.0.0.1:${port}/`
    expect(await listed(outgoing(url, { mode: 'live' }))).toMatchObject({ error: null })
  })

  it('can be broken off', async () => {
    const { url, until } = await receiver(() => undefined)
    const abort = new AbortController()
    const going = post(outgoing(url, { signal: abort.signal }))
    await until(1)
    abort.abort()
    expect(await going).toMatchObject({ error: 'aborted' })
    expect(await post(outgoing(url, { signal: abort.signal }))).toMatchObject({ error: 'aborted' })
  })
})
