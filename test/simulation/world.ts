import { AssertionError } from 'node:assert'
import { Fault } from '../../src/faults.ts'
import type { Instant } from '../../src/std/instant.ts'
import { instantOf, millisecond } from '../../src/std/instant.ts'
import type { Random } from '../chaos/random.ts'
import { dueQueue } from './queue.ts'
import { installTimers, settled } from './timers.ts'

/** A simulated process: all of it stops at once, at any place where it waits. */
export interface Process {
  readonly name: string
  alive: boolean
  paused: boolean
  /** What came while it was paused. */
  readonly missed: (() => void)[]
}

/**
 * What becomes of one call of a port.
 *
 * - `answered`: it happens and its result comes back
 * - `refused`: it does not happen, and the caller is told that the part is away
 * - `unanswered`: it happens, and the caller is told that the part is away
 * - `killed before`, `killed after`: the process dies as it calls, or as the call has happened
 */
export interface Fate {
  readonly kind: 'answered' | 'refused' | 'unanswered' | 'killed before' | 'killed after'
  /** Microseconds until it happens, and until the caller knows. */
  readonly there: number
  readonly back: number
}

export type Fates = (process: Process, call: string) => Fate

/** Waits for a port: every wait of the simulated code for something outside of it goes by here. */
export type Call = <T>(name: string, effect: Effect<T>) => Promise<T>

type Effect<T> = (fate: Fate['kind']) => T

export interface TraceLine {
  readonly at: number
  readonly who: string
  readonly what: string
}

interface Event {
  readonly at: number
  readonly number: number
  /** Null: of nobody's, such as a request on its way. */
  readonly process: Process | null
  readonly work: () => void
}

/** The first moment of every world: the middle of an hour and a month, so that neither ends. */
export const beginning = instantOf(Date.UTC(2026, 4, 15, 12, 30) * 1_000)

const traceMax = 20_000

export type World = ReturnType<typeof openWorld>

/**
 * Time, processes and calls between them. One thing happens at a time, in the order of virtual
 * time; after each, everything that can go on goes on, before the next.
 */
export function openWorld(random: Random) {
  const queue = dueQueue<Event>()
  const problems: string[] = []
  const trace: TraceLine[] = []
  let now: number = beginning
  let number = 0
  let running: Process | null = null
  let timed = false
  let steps = 0
  let died: (process: Process) => void = noop
  let fates: Fates = () => ({ kind: 'answered', there: 100, back: 100 })
  const world = {
    random,
    now: (): Instant => instantOf(now),
    steps: () => steps,
    problems: problems as readonly string[],
    trace: trace as readonly TraceLine[],
    later,
    spawn,
    kill,
    onDeath: (tell: (process: Process) => void) => {
      died = tell
    },
    pause,
    resume,
    within,
    inside,
    callsOf,
    run,
    problem,
    note,
    decideBy: (decide: Fates) => {
      fates = decide
    },
  }
  return world

  function spawn(name: string): Process {
    note(name, 'starts')
    return { name, alive: true, paused: false, missed: [] }
  }

  function later(process: Process | null, us: number, work: () => void): void {
    number += 1
    queue.add({ at: now + Math.max(0, us), number, process, work })
  }

  function kill(process: Process, why = 'is killed'): void {
    if (!process.alive) return
    note(process.name, why)
    process.alive = false
    died(process)
  }

  function pause(process: Process): void {
    note(process.name, 'is stopped')
    process.paused = true
  }

  function resume(process: Process): void {
    if (!process.paused) return
    note(process.name, 'goes on')
    process.paused = false
    for (const work of process.missed.splice(0)) later(process, 0, work)
  }

  /** Does something as a process, at this very moment: for it, there is no other time. */
  function inside<T>(process: Process, work: () => T): T {
    const [before, restore] = [running, inTime()]
    running = process
    try {
      return work()
    } finally {
      running = before
      restore()
    }
  }

  /** Begins something in a process, at once. */
  function within(process: Process, work: () => void): void {
    later(process, 0, work)
  }

  function callsOf(process: Process): Call {
    return (name, effect) => call(process, name, effect)
  }

  function call<T>(process: Process, name: string, effect: Effect<T>): Promise<T> {
    if (!process.alive) return new Promise(noop)
    const fate = fates(process, name)
    if (fate.kind === 'killed before') {
      kill(process, `is killed as it calls ${name}`)
      return new Promise(noop)
    }
    // A request that is on its way when its sender dies may still be carried out.
    const outlives = random.chance(0.5)
    return new Promise((resolve, reject) => {
      later(null, fate.there, () => {
        if (!process.alive && !outlives) return
        const answer = outcomeOf(process, { name, fate, effect })
        if (fate.kind === 'killed after') kill(process, `is killed after ${name}`)
        later(process, fate.back, () => {
          if ('error' in answer) reject(answer.error)
          else resolve(answer.value)
        })
      })
    })
  }

  function outcomeOf<T>(
    process: Process,
    { name, fate, effect }: { name: string; fate: Fate; effect: Effect<T> },
  ): { readonly value: T } | { readonly error: unknown } {
    if (fate.kind === 'refused') {
      note(process.name, `${name}: refused`)
      return { error: away() }
    }
    try {
      const value = effect(fate.kind)
      note(process.name, fate.kind === 'unanswered' ? `${name}: done, not answered` : name)
      return fate.kind === 'unanswered' ? { error: away() } : { value }
    } catch (error) {
      note(process.name, `${name}: ${error instanceof Error ? error.message : String(error)}`)
      return { error }
    }
  }

  /** Goes on until `done`, or until `until`; true when it was done. */
  async function run(done: () => boolean, until: Instant): Promise<boolean> {
    const restore = inTime()
    try {
      while (!done()) {
        if (problems.length > 0) return false
        const event = queue.next()
        if (event === undefined || event.at > until) return false
        now = Math.max(now, event.at)
        const { process } = event
        if (process?.alive === false) continue
        if (process?.paused === true) {
          process.missed.push(event.work)
          continue
        }
        steps += 1
        running = process
        event.work()
        if (process !== null) await settled(steps)
        running = null
      }
      return true
    } finally {
      running = null
      restore()
    }
  }

  /** Puts the world's time in the place of Node's, where it is not there already. */
  function inTime(): () => void {
    if (timed) return noop
    timed = true
    const restore = installTimers({
      isRunning: () => running !== null,
      now: () => (now - beginning) / millisecond,
      after,
      uncaught: (error) => failed(running, error),
    })
    return () => {
      timed = false
      restore()
    }
  }

  function after(ms: number, work: () => void): () => void {
    let cancelled = false
    later(running, ms * millisecond, () => {
      if (!cancelled) work()
    })
    return () => {
      cancelled = true
    }
  }

  /** A failed assertion ends a real process; here it ends the world. */
  function failed(process: Process | null, error: unknown): void {
    if (process !== null) kill(process, 'dies of an error')
    const what = error instanceof AssertionError ? 'an assertion failed' : 'an error was not caught'
    problem(`${process?.name ?? 'nobody'}: ${what}: ${stackOf(error)}`)
  }

  function problem(text: string): void {
    note('audit', text)
    problems.push(text)
  }

  function note(who: string, what: string): void {
    if (trace.length >= traceMax) trace.splice(0, traceMax / 2)
    trace.push({ at: now - beginning, who, what })
  }
}

export const away = (): Fault => new Fault('UNAVAILABLE', 'It is away.', { retryAfterSeconds: 1 })

const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)

function noop(): void {
  // A dead process waits for ever; a time that was there before stays.
}
