import { describe, expect, it } from 'vitest'
import { openHttpServer } from '../../../src/edge/http/server.ts'
import { requestText, talk } from '../../support/edge/talk.ts'
import { bearer, keys, testServer } from '../../support/edge/test-server.ts'
import { freePort } from '../../support/servers/ports.ts'
import { engines, held, routes, write } from './setup.ts'

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
    // Of those that the system gives to nobody meanwhile.
    const first = await testServer(engine, routes, {
      listeners: [{ port: await freePort(), mode: 'test' }],
    })
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
    if (engine.kind !== 'uws_official') expect(await idle.closed()).toBe('')
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
