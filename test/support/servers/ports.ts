import { randomInt } from 'node:crypto'
import type { Socket } from 'node:dgram'
import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'

/** Never closed: so the ports stay reserved for as long as this process lives. */
const holds: Socket[] = []

/**
 * A port of 127.0.0.1 that nobody listens on. It lies below those that the system gives to clients:
 * so, while its server is down, no connection of a client can occupy it, and a client that tries
 * again and again cannot connect to itself. No other process of the tests is given it while this
 * one lives, not even before its server listens or while that is down.
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

export async function freePorts(count: number): Promise<readonly number[]> {
  const ports: number[] = []
  while (ports.length < count) ports.push(await freePort())
  return ports
}

/** Reserves a port by a socket for datagrams, whose ports are separate and no server here uses. */
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
