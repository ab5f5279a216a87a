import { rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Life } from './life.ts'
import { openLife } from './life.ts'
import { postmasterOf } from './processes.ts'
import type { Random } from './random.ts'

/** The real server with all of its roles and its data in one directory. */
export interface ChaosServer extends Life {
  readonly url: string
  readonly opsUrl: string
  readonly dataDir: string
  postgresPid(): number
  /** Removes what dedupe has on disk; the server must be dead. */
  loseDedupe(): void
}

export async function openChaosServer(dataDir: string, random: Random): Promise<ChaosServer> {
  const [port = 0, livePort = 0, opsPort = 0] = await freePorts(3, random)
  const life = openLife({
    environment: {
      DATA_DIR: join(dataDir, 'data'),
      PORT: String(port),
      LIVE_PORT: String(livePort),
      OPS_PORT: String(opsPort),
      LOG_LEVEL: 'info',
    },
    roles: null,
    orders: join(dataDir, 'orders.json'),
    log: join(dataDir, 'server.log'),
    startsWithinMs: 300_000,
  })
  return Object.assign(life, {
    url: `http://127.0.0.1:${port}`,
    opsUrl: `http://127.0.0.1:${opsPort}`,
    dataDir,
    postgresPid: () => postmasterOf(join(dataDir, 'data/postgres/data')),
    loseDedupe: () => rmSync(join(dataDir, 'data/dedupe'), { recursive: true, force: true }),
  })
}

/**
 * Below the range that the system gives to clients, so that nobody takes them while the server is
 * dead.
 */
export async function freePorts(count: number, random: Random): Promise<readonly number[]> {
  const ports: number[] = []
  for (let tries = 0; ports.length < count && tries < 200; tries += 1) {
    const port = 20_000 + random.below(10_000)
    if (!ports.includes(port) && (await isFree(port))) ports.push(port)
  }
  if (ports.length < count) throw new Error('There are no free ports.')
  return ports
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const server = createServer()
    server.once('error', () => done(false))
    server.listen(port, '127.0.0.1', () => server.close(() => done(true)))
  })
}
