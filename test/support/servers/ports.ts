import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

const given = new Set<number>()

/**
 * A port of 127.0.0.1 that nobody listens on. It lies below those that the system gives to
 * clients: while its server is down, nobody's connection can sit on it, and a client that tries
 * again and again cannot connect to itself.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000)
    if (given.has(port)) continue
    given.add(port)
    if (await isFree(port)) return port
  }
}

/** Several of them. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const ports: number[] = []
  while (ports.length < count) ports.push(await freePort())
  return ports
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const probe = createServer()
    probe.once('error', () => done(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)))
  })
}
