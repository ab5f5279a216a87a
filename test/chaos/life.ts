import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Bent } from './bent-clock.ts'
import type { Orders } from './orders.ts'
import { signal } from './processes.ts'

/** What `serve --json` printed. */
export type ReadyLine = Readonly<Record<string, string | null>>

/** One process of Sluice as a child, which can be struck and started again on the same ports. */
export interface Life {
  /** Deaths that no fault ordered, with the end of what the process printed. */
  readonly crashes: readonly string[]
  /** 0 before its first start. */
  readonly pid: number
  readonly running: boolean
  /** Starts the process and waits until it is ready; answers what it printed. */
  start(): Promise<ReadyLine>
  /** Starts the process without waiting: it may be killed on the way. */
  launch(): void
  /** kill -9; resolves when it is dead. */
  kill(): Promise<void>
  /** SIGTERM; answers the exit status and how long it took. */
  terminate(): Promise<{ readonly status: number | null; readonly ms: number }>
  freeze(ms: number): Promise<void>
  /** From now on the process is meant to die. */
  expectDeath(): void
  /** Whether it died within `ms`. */
  diesWithin(ms: number): Promise<boolean>
  order(orders: Orders | null): void
  /**
   * Sets its clock so many ms ahead, and lets it gain `rate` of the time from now on; 0 and 0:
   * right.
   */
  bend(ms: number, rate: number): void
}

export interface LifeOptions {
  /** Variables besides PATH and CHAOS_ORDERS. */
  readonly environment: Readonly<Record<string, string>>
  /** In the form of `--roles`; null: all roles. */
  readonly roles: string | null
  /** A command that runs instead of `serve`. */
  readonly command?: 'serve' | 'sidecar'
  /** Where its own files begin, in a directory that exists. */
  readonly orders: string
  readonly log: string
  readonly startsWithinMs: number
  /**
   * Whether a process that ended before it was ready may be started again, as a supervisor would
   * do, because something that it needs is away.
   */
  readonly mayTryAgain?: () => boolean
}

/** The built program. (This file runs from `dist/` as a command, and from its source in a test.) */
const dist = new URL(
  import.meta.url.includes('/dist/test/chaos/') ? '../../' : '../../dist/',
  import.meta.url,
)
const pathOf = (name: string): string => fileURLToPath(new URL(name, dist))

/** Words for node that run a command of the program. */
export const commandOf = (words: readonly string[]): readonly string[] => [
  pathOf('src/main.js'),
  ...words,
]

interface Turn {
  readonly child: ChildProcess
  readonly ended: Promise<number | null>
  ready: string
  doomed: boolean
}

/** Children that must end when this process does, in whatever way. */
const children = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

/** A process that does not run yet. */
export function openLife(options: LifeOptions): Life {
  const { environment, orders, log, startsWithinMs, mayTryAgain = () => false } = options
  const clock = `${orders}.clock`
  const crashes: string[] = []
  let turn: Turn | null = null
  return {
    crashes,
    get pid() {
      return turn?.child.pid ?? 0
    },
    get running() {
      return turn !== null && !hasEnded(turn)
    },
    start,
    launch: () => launch(false),
    kill,
    terminate,
    freeze,
    expectDeath: () => {
      if (turn !== null) turn.doomed = true
    },
    diesWithin: (ms) =>
      Promise.race([current().ended.then(() => true), sleep(ms).then(() => false)]),
    order: (next) => {
      if (next === null) rmSync(orders, { force: true })
      else writeFileSync(orders, JSON.stringify(next))
    },
    bend: (ms, rate) => {
      const bent: Bent = { ms, rate, since: Date.now() }
      // Written whole at once, because a thread may read it at any moment.
      writeFileSync(`${clock}.new`, JSON.stringify(bent))
      renameSync(`${clock}.new`, clock)
    },
  }

  function launch(mayFail: boolean): void {
    const fd = openSync(log, 'a')
    const child = spawn(process.execPath, programOf(options), {
      env: {
        PATH: process.env['PATH'] ?? '',
        CHAOS_ORDERS: orders,
        CHAOS_CLOCK: clock,
        ...environment,
      },
      stdio: ['ignore', 'pipe', fd],
    })
    closeSync(fd)
    children.add(child)
    const ended = new Promise<number | null>((done) => child.once('exit', done))
    const born: Turn = { child, ended, ready: '', doomed: false }
    child.stdout?.on('data', (chunk: Buffer) => {
      born.ready += chunk.toString()
    })
    void ended.then((status) => {
      children.delete(child)
      if (born.doomed || (mayFail && born.ready === '')) return
      crashes.push(`it ended by itself with ${status ?? child.signalCode}: ${lastWords(log)}`)
    })
    turn = born
  }

  async function start(): Promise<ReadyLine> {
    const deadline = performance.now() + startsWithinMs
    launch(true)
    while (!current().ready.includes('\n')) {
      const over = performance.now() > deadline
      if (over) throw new Error(`A process did not get ready in time: ${lastWords(log)}`)
      await sleep(10)
      if (!hasEnded(current())) continue
      if (!mayTryAgain()) throw new Error(`A process did not start: ${lastWords(log)}`)
      await sleep(300)
      launch(true)
    }
    return JSON.parse(current().ready) as ReadyLine
  }

  async function kill(): Promise<void> {
    const one = current()
    one.doomed = true
    one.child.kill('SIGKILL')
    await one.ended
  }

  async function terminate(): Promise<{ status: number | null; ms: number }> {
    const one = current()
    one.doomed = true
    const began = performance.now()
    one.child.kill('SIGTERM')
    const status = await one.ended
    return { status, ms: performance.now() - began }
  }

  async function freeze(ms: number): Promise<void> {
    const { child } = current()
    signal(child.pid ?? 0, 'SIGSTOP')
    await sleep(ms)
    signal(child.pid ?? 0, 'SIGCONT')
  }

  function current(): Turn {
    if (turn === null) throw new Error('The process was never started.')
    return turn
  }
}

const hasEnded = ({ child }: Turn): boolean => child.exitCode !== null || child.signalCode !== null

function programOf({ roles, command = 'serve' }: LifeOptions): readonly string[] {
  const killer = new URL('test/chaos/killer.js', dist).href
  const some = roles === null ? [] : ['--roles', roles]
  const bentClock = new URL('test/chaos/bent-clock.js', dist).href
  return ['--import', bentClock, '--import', killer, ...commandOf([command, '--json', ...some])]
}

const lastWords = (log: string): string => readFileSync(log, 'utf8').slice(-2_000)
