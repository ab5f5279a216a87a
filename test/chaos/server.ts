import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Orders } from './orders.ts'
import { postmasterOf, signal } from './processes.ts'
import type { Random } from './random.ts'

/** The real server as a child, to be struck and started again on the same data and ports. */
export interface ChaosServer {
  readonly url: string
  readonly opsUrl: string
  readonly dataDir: string
  /** Deaths that nobody had ordered, with the end of what the server said. */
  readonly crashes: readonly string[]
  /** Starts it and waits until it is ready; answers what it printed. */
  start(): Promise<Readonly<Record<string, string | null>>>
  /** Starts it, and does not wait: it may be killed on the way. */
  launch(): void
  /** kill -9; resolves when it is dead. */
  kill(): Promise<void>
  /** SIGTERM; answers the exit status and how long it took. */
  terminate(): Promise<{ readonly status: number | null; readonly ms: number }>
  freeze(ms: number): Promise<void>
  /** From now on a death is what is wanted. */
  expectDeath(): void
  /** Whether it died within `ms`. */
  diesWithin(ms: number): Promise<boolean>
  order(orders: Orders | null): void
  postgresPid(): number
  /** Words for node that run another command of the same program. */
  command(words: readonly string[]): readonly string[]
  /** Removes what dedupe has on disk; the server must be dead. */
  loseDedupe(): void
}

/** The built program: this file runs from `dist/` as the command, and from its source in a test. */
const dist = new URL(
  import.meta.url.includes('/dist/test/chaos/') ? '../../' : '../../dist/',
  import.meta.url,
)

interface Life {
  readonly child: ChildProcess
  readonly ended: Promise<number | null>
  ready: string
  doomed: boolean
}

export async function openChaosServer(dataDir: string, random: Random): Promise<ChaosServer> {
  const [port = 0, livePort = 0, opsPort = 0] = await freePorts(3, random)
  const orders = join(dataDir, 'orders.json')
  const log = join(dataDir, 'server.log')
  const crashes: string[] = []
  let life: Life | null = null
  return {
    url: `http://127.0.0.1:${port}`,
    opsUrl: `http://127.0.0.1:${opsPort}`,
    dataDir,
    crashes,
    start,
    launch,
    kill,
    terminate,
    freeze,
    expectDeath: () => {
      if (life !== null) life.doomed = true
    },
    diesWithin,
    order: (next) => {
      if (next === null) rmSync(orders, { force: true })
      else writeFileSync(orders, JSON.stringify(next))
    },
    postgresPid: () => postmasterOf(join(dataDir, 'data/postgres/data')),
    command: (words) => [pathOf('src/main.js'), ...words],
    loseDedupe: () => rmSync(join(dataDir, 'data/dedupe'), { recursive: true, force: true }),
  }

  function launch(): void {
    const fd = openSync(log, 'a')
    const child = spawn(process.execPath, programOf(), {
      env: {
        PATH: process.env['PATH'] ?? '',
        DATA_DIR: join(dataDir, 'data'),
        PORT: String(port),
        LIVE_PORT: String(livePort),
        OPS_PORT: String(opsPort),
        LOG_LEVEL: 'info',
        CHAOS_ORDERS: orders,
      },
      stdio: ['ignore', 'pipe', fd],
    })
    closeSync(fd)
    const orphan = (): boolean => child.kill('SIGKILL')
    process.once('exit', orphan)
    child.once('exit', () => process.off('exit', orphan))
    const ended = new Promise<number | null>((done) => child.once('exit', done))
    const born: Life = { child, ended, ready: '', doomed: false }
    child.stdout?.on('data', (chunk: Buffer) => {
      born.ready += chunk.toString()
    })
    void ended.then((status) => {
      if (!born.doomed) crashes.push(`it ended by itself with ${status}: ${lastWords(log)}`)
    })
    life = born
  }

  async function start(): Promise<Readonly<Record<string, string | null>>> {
    launch()
    const born = living()
    const deadline = performance.now() + 60_000
    while (!born.ready.includes('\n')) {
      if (born.child.exitCode !== null || born.child.signalCode !== null) {
        throw new Error(`The server did not start: ${lastWords(log)}`)
      }
      if (performance.now() > deadline) throw new Error('The server did not get ready in 60 s.')
      await sleep(10)
    }
    return JSON.parse(born.ready) as Record<string, string | null>
  }

  async function kill(): Promise<void> {
    const one = living()
    one.doomed = true
    one.child.kill('SIGKILL')
    await one.ended
  }

  async function terminate(): Promise<{ status: number | null; ms: number }> {
    const one = living()
    one.doomed = true
    const began = performance.now()
    one.child.kill('SIGTERM')
    const status = await one.ended
    return { status, ms: performance.now() - began }
  }

  async function freeze(ms: number): Promise<void> {
    const { child } = living()
    signal(child.pid ?? 0, 'SIGSTOP')
    await sleep(ms)
    signal(child.pid ?? 0, 'SIGCONT')
  }

  async function diesWithin(ms: number): Promise<boolean> {
    const { ended } = living()
    return Promise.race([ended.then(() => true), sleep(ms).then(() => false)])
  }

  function living(): Life {
    if (life === null) throw new Error('The server was never started.')
    return life
  }
}

function programOf(): readonly string[] {
  const killer = new URL('test/chaos/killer.js', dist).href
  return ['--import', killer, pathOf('src/main.js'), 'serve', '--json']
}

const pathOf = (name: string): string => fileURLToPath(new URL(name, dist))

const lastWords = (log: string): string => readFileSync(log, 'utf8').slice(-2_000)

/** Below the range that the system gives to clients: nobody takes them while the server is dead. */
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
