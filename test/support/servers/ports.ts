import { randomInt } from 'node:crypto'
import type { Socket } from 'node:dgram'
import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'

/** Kept, so that what they hold stays held as long as this process lives. */
const holds: Socket[] = []

/**
 * A port of 127.0.0.1 that nobody listens on. It lies below those that the system gives to
 * clients: while its server is down, nobody's connection can sit on it, and a client that tries
 * again and again cannot connect to itself. Nobody else is given it while this process lives, also
 * before its server listens and while that is down.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000)
    const hold = await held(port)
    if (hold === null) continue
    if (await isFree(port)) {
      holds.push(hold)
      return port
    }
    hold.close()
  }
}

/** Several of them. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const ports: number[] = []
  while (ports.length < count) ports.push(await freePort())
  return ports
}

/** The sign for others: datagrams have ports of their own, of which no server makes use. */
function held(port: number): Promise<Socket | null> {
  const socket = createSocket('udp4')
  return new Promise((done) => {
    socket.once('error', () => {
      socket.close()
      done(null)
    })
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => done(socket.unref()))
  })
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const probe = createServer()
    probe.once('error', () => done(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)))
  })
}
