import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { Outlet } from '../../../src/edge/http/flowing.ts'
import type { Route } from '../../../src/edge/http/route.ts'
import { ok, route } from '../../../src/edge/http/route.ts'
import { stallMs } from '../../../src/edge/http/watching.ts'
import { minute } from '../../../src/std/instant.ts'
import { requestText, talk } from '../../support/edge/talk.ts'
import {
  bearer,
  keys,
  manualClock,
  memoryKeys,
  testServer,
} from '../../support/edge/test-server.ts'
import { engines } from './setup.ts'

/** A route whose answers go on, and what is open of them. */
function flowingRoutes() {
  const outlets: Outlet[] = []
  const overs: number[] = []
  const routes: readonly Route[] = [
    route('GET', '/flow', 'read', async (request) => {
      request.onOver(() => overs.push(overs.length))
      return {
        status: 200,
        headers: { 'Content-Type': 'text/event-stream' },
        flowing: { beginning: 'a', filler: '.', opened: (outlet) => void outlets.push(outlet) },
      }
    }),
    route('GET', '/open', 'public', async () => ok({ open: true })),
  ]
  const opened = async (count = 1): Promise<Outlet> => {
    await expect.poll(() => outlets.length).toBe(count)
    return outlets[count - 1] as Outlet
  }
  return { routes, outlets, overs, opened }
}

const text = requestText('GET', '/flow', { headers: bearer(keys.write) })

/** A client that reads when it is told to, and all that it has read. */
function reader(port: number) {
  const socket = connect({ port, host: '127.0.0.1' })
  let [got, ended] = ['', false]
  socket.on('data', (chunk) => {
    got += chunk.toString('latin1')
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    ended = true
  })
  return {
    socket,
    get got() {
      return got
    },
    get ended() {
      return ended
    },
  }
}

/** Whether it happens within a moment. */
const soon = (happens: Promise<void>): Promise<boolean> =>
  Promise.race([
    happens.then(() => true),
    new Promise<boolean>((done) => setTimeout(done, 200, false)),
  ])

describe.each(engines)('answers that go on, on $kind', (engine) => {
  it('that are broken off lack the end that tells a client it has all', async () => {
    const { routes, opened, overs } = flowingRoutes()
    const { server, port } = await testServer(engine, routes)
    const lastChunk = '0\r\n\r\n'
    for (const [count, way] of (['end', 'breakOff'] as const).entries()) {
      const client = reader(port)
      client.socket.write(text)
      const outlet = await opened(count + 1)
      outlet.write('bc')
      await expect.poll(() => client.got).toContain('bc')
      outlet[way]()
      if (way === 'end') await expect.poll(() => client.got).toContain(lastChunk)
      else await expect.poll(() => client.ended).toBe(true)
      expect([way, client.got.endsWith(lastChunk)]).toEqual([way, way === 'end'])
      client.socket.destroy()
      await expect.poll(() => overs.length).toBe(count + 1)
      expect([outlet.over, outlet.write('d')]).toEqual([true, false])
      outlet.breakOff()
      outlet.end()
    }
    await server.stop(1_000)
  })

  it('bring what is written when it is written, and end when they are ended', async () => {
    const { routes, opened, overs } = flowingRoutes()
    const { server, url, told } = await testServer(engine, routes)
    const answer = await fetch(`${url}/flow`, { headers: bearer(keys.write) })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    const body = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
    expect((await body?.read())?.value).toBe('a')
    const outlet = await opened()
    expect(outlet.write('bc')).toBe(true)
    expect((await body?.read())?.value).toBe('bc')
    outlet.end()
    expect((await body?.read())?.done).toBe(true)
    expect([outlet.over, outlet.write('d'), overs]).toEqual([true, false, [0]])
    await outlet.drained()
    expect(told.requests).toContainEqual({ route: '/flow', method: 'GET', status: 200 })
    await server.stop(1_000)
  })

  it('are not begun for HEAD', async () => {
    const { routes, outlets, overs } = flowingRoutes()
    const { server, url } = await testServer(engine, routes)
    const answer = await fetch(`${url}/flow`, { method: 'HEAD', headers: bearer(keys.write) })
    expect([answer.status, await answer.text(), outlets]).toEqual([200, '', []])
    await expect.poll(() => overs).toEqual([0])
    await server.stop(1_000)
  })

  it('are over when their client is gone', async () => {
    const { routes, opened, overs } = flowingRoutes()
    const { server, port, told } = await testServer(engine, routes)
    const one = talk(port)
    one.send(text)
    const outlet = await opened()
    one.destroy()
    await expect.poll(() => outlet.over).toBe(true)
    expect(overs).toEqual([0])
    expect(told.requests).toContainEqual({ route: '/flow', method: 'GET', status: 200 })
    await server.stop(1_000)
  })

  it('end when their key is revoked', async () => {
    const { routes, opened } = flowingRoutes()
    const [clock, directory] = [manualClock(), memoryKeys()]
    const changes = { clock, keys: directory, timing: { deadlineStepMs: 5 } }
    const { server, port } = await testServer(engine, routes, changes)
    const one = reader(port)
    one.socket.write(text)
    const outlet = await opened()
    directory.set(keys.write, { revoked: true })
    clock.advance(minute)
    await expect.poll(() => outlet.over).toBe(true)
    await expect.poll(() => one.got).toContain('\r\n0\r\n\r\n')
    one.socket.destroy()
    await server.stop(1_000)
  })

  it('end at once when the server stops, however long it may take', async () => {
    const { routes, opened } = flowingRoutes()
    const { server, port } = await testServer(engine, routes)
    const one = reader(port)
    one.socket.write(text)
    await opened()
    await server.stop(100_000)
    await expect.poll(() => one.got).toContain('\r\n0\r\n\r\n')
    one.socket.destroy()
  })

  it('carry nothing out that comes behind them', async () => {
    const { routes, opened, outlets } = flowingRoutes()
    const { server, port, told } = await testServer(engine, routes)
    const one = reader(port)
    one.socket.write(text)
    const outlet = await opened()
    one.socket.write(requestText('GET', '/open'))
    outlet.write('b')
    outlet.end()
    one.socket.write(requestText('GET', '/open'))
    await expect.poll(() => one.ended || one.got.includes('\r\n0\r\n\r\n')).toBe(true)
    one.socket.end()
    await server.stop(1_000)
    expect(outlets).toHaveLength(1)
    expect(told.requests.filter((request) => request.route === '/open')).toEqual([])
  })

  it('keep little for who reads slowly, and lose nothing of it', async () => {
    const { routes, opened } = flowingRoutes()
    const { server, port } = await testServer(engine, routes)
    const one = reader(port)
    one.socket.write(text)
    const outlet = await opened()
    one.socket.pause()
    const piece = `${'x'.repeat(999)}\n`
    let written = 0
    let isDrained = true
    // Until it stays as it is: what fits into the buffers of both systems is not kept here.
    while (isDrained) {
      if (outlet.write(piece)) await new Promise((done) => setImmediate(done))
      else isDrained = await soon(outlet.drained())
      written += 1
      expect(written).toBeLessThan(50_000)
    }
    const drained = outlet.drained()
    one.socket.resume()
    await drained
    outlet.write('the last')
    outlet.end()
    await expect.poll(() => one.got).toContain('\r\n0\r\n\r\n')
    expect(one.got.match(/x{999}/g)).toHaveLength(written)
    expect(one.got).toContain('the last')
    one.socket.destroy()
    await server.stop(1_000)
  })

  it('are hung up on when their client takes nothing', async () => {
    const { routes, opened, overs } = flowingRoutes()
    const timing = { deadlineStepMs: 5 }
    const { server, port } = await testServer(engine, routes, { timing })
    const one = reader(port)
    one.socket.write(text)
    const outlet = await opened()
    one.socket.pause()
    while (outlet.write('x'.repeat(16_000))) await new Promise((done) => setImmediate(done))
    await expect.poll(() => overs, { timeout: 10 * stallMs }).toEqual([0])
    one.socket.destroy()
    await server.stop(1_000)
  })
})
