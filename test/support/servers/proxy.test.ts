import { once } from 'node:events'
import type { Server, Socket } from 'node:net'
import { connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TestProxy } from './proxy.ts'
import { startProxy } from './proxy.ts'

describe('a proxy for tests', () => {
  let echo: Server
  let proxy: TestProxy
  const sockets = new Set<Socket>()

  beforeEach(async () => {
    echo = createServer({ allowHalfOpen: true }, (socket) => {
      socket.on('error', () => socket.destroy())
      socket.pipe(socket)
    })
    echo.listen(0, '127.0.0.1')
    await once(echo, 'listening')
    const address = echo.address()
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0
    proxy = await startProxy({ host: '127.0.0.1', port })
  })

  afterEach(async () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
    await proxy.stop()
    echo.close()
    await once(echo, 'close')
  })

  async function dial(): Promise<Socket> {
    const socket = connect({ port: proxy.port, host: '127.0.0.1', allowHalfOpen: true })
    sockets.add(socket)
    await once(socket, 'connect')
    return socket
  }

  async function says(socket: Socket, text: string): Promise<string> {
    socket.write(text)
    const [bytes] = (await once(socket, 'data')) as [Buffer]
    return bytes.toString()
  }

  const failure = async (socket: Socket): Promise<string> => {
    const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException]
    return error.code ?? ''
  }

  it('carries all bytes in order, and what comes after one side has ended', async () => {
    const socket = await dial()
    const sent = Buffer.alloc(32 * 1024 * 1024)
    for (let at = 0; at < sent.length; at += 4) sent.writeUInt32LE(at, at)
    socket.end(sent)
    const got: Buffer[] = []
    for await (const bytes of socket) got.push(bytes as Buffer)
    expect(Buffer.concat(got).equals(sent)).toBe(true)
    await once(socket, 'close')
  })

  it('cuts every connection, and lets new ones in', async () => {
    const both = [await dial(), await dial()]
    for (const socket of both) expect(await says(socket, 'hello')).toBe('hello')
    expect(proxy.connections).toBe(2)
    const failures = both.map(failure)
    proxy.cut()
    expect(await Promise.all(failures)).toEqual(['ECONNRESET', 'ECONNRESET'])
    expect(await says(await dial(), 'again')).toBe('again')
  })

  it('refuses new connections, and keeps the old', async () => {
    const old = await dial()
    expect(await says(old, 'hello')).toBe('hello')
    proxy.refuse(true)
    expect(await failure(connect(proxy.port, '127.0.0.1'))).toBe('ECONNRESET')
    expect(await says(old, 'still')).toBe('still')
    proxy.refuse(false)
    expect(await says(await dial(), 'again')).toBe('again')
  })

  it('holds bytes back while it stalls, and loses none', async () => {
    const socket = await dial()
    expect(await says(socket, 'hello')).toBe('hello')
    proxy.stall(true)
    const answer = says(socket, 'held')
    expect(await Promise.race([answer, sleep(200, 'nothing')])).toBe('nothing')
    proxy.stall(false)
    expect(await answer).toBe('held')
  })

  it('delays what goes through it in both directions', async () => {
    const socket = await dial()
    proxy.delay(100)
    const before = performance.now()
    expect(await says(socket, 'late')).toBe('late')
    // It is never early, but for a timer's millisecond.
    expect(performance.now() - before).toBeGreaterThan(195)
  })

  it('shows a target that is away', async () => {
    echo.close()
    await once(echo, 'close')
    const socket = connect(proxy.port, '127.0.0.1')
    sockets.add(socket)
    expect(await failure(socket)).toBe('ECONNRESET')
    echo.listen(0)
    await once(echo, 'listening')
  })
})
