import type { MessagePort } from 'node:worker_threads'
import { Worker } from 'node:worker_threads'
import { limits } from '../limits.ts'
import type { CheckResults } from './checks.ts'
import { down } from './checks.ts'
import type { Logger } from './logger.ts'

type EngineQuestion = 'metrics' | 'reading' | 'checks'

export type ToEngine =
  | { readonly kind: 'ask'; readonly id: number; readonly what: EngineQuestion }
  | { readonly kind: 'nudge' }
  | { readonly kind: 'stop'; readonly withinMs: number }

export type FromEngine =
  | { readonly kind: 'started' }
  | { readonly kind: 'metrics'; readonly id: number; readonly text: string }
  | { readonly kind: 'reading'; readonly id: number; readonly reading: EngineReading }
  | { readonly kind: 'checks'; readonly id: number; readonly results: CheckResults }
  | { readonly kind: 'stopped' }

/** How the engine is doing: its metrics in the text format, and whose events became usage. */
export interface EngineReading {
  readonly text: string
  /** By `scopeName`, since the thread began. */
  readonly billed: ReadonlyMap<string, number>
}

/** The engine thread, as the main thread sees it. */
export interface EngineThread {
  /** The engine's metrics in the text format; empty when it does not answer. */
  metrics(): Promise<string>
  /** @throws Error when the engine does not answer. */
  reading(): Promise<EngineReading>
  checks(): Promise<CheckResults>
  /** There may be facts to tell, which this process has committed. */
  nudge(): void
  /** Lets the engine finish what is in flight and end; ends it when `withinMs` have passed. */
  stop(withinMs: number): Promise<void>
}

/** The thread while it loads its code, for which it needs nothing. */
export interface LoadingEngine {
  /** Answers when the engine runs; rejects with what kept it from loading or running. */
  start(needs: EngineStartNeeds): Promise<EngineThread>
  /**
   * Lets a thread that was never started load to the end, and then end: a process that exits in
   * between is ended by its native libraries, with another status than its own.
   */
  leave(): Promise<void>
}

/** The first message that the thread gets, where it is not what it is started with. */
export interface ToUnstarted {
  readonly kind: 'leave'
}

export interface EngineStartNeeds {
  /** Plain data and shared memory, which is cloned into the thread. */
  readonly data: object
  /** A port inside of the data; it is moved to the thread. */
  readonly moved: MessagePort | null
  readonly logger: Logger
  /**
   * Called once when the thread ends without having been told to, so that the process cannot go on.
   */
  readonly died: (error: unknown) => void
}

/**
 * Begins the thread. `entry` is the built main-engine.js. Loading takes a good part of a second, in
 * which a start has other things to wait for.
 */
export function loadEngine(entry: URL): LoadingEngine {
  const worker = new Worker(entry, { name: 'engine' })
  const failing = new Promise<never>((_, failed) => {
    worker.on('error', failed)
    worker.on('exit', (status) => failed(new Error(`The engine thread ended with ${status}.`)))
  })
  // The start is told of it.
  failing.catch(() => undefined)
  let isStarted = false
  return { start, leave }

  function start(needs: EngineStartNeeds): Promise<EngineThread> {
    isStarted = true
    return startEngine(worker, failing, needs)
  }

  async function leave(): Promise<void> {
    if (isStarted) return
    worker.postMessage({ kind: 'leave' } satisfies ToUnstarted)
    await failing.catch(() => undefined)
  }
}

/** What the thread is handed is the first message that it gets. */
async function startEngine(
  worker: Worker,
  failing: Promise<never>,
  { data, moved, died, logger }: EngineStartNeeds,
): Promise<EngineThread> {
  const asked = new Map<number, (answer: FromEngine | null) => void>()
  let nextId = 0
  let isRunning = true
  const ended = new Promise<void>((done) => worker.once('exit', () => done()))
  const started = new Promise<void>((done) => {
    worker.on('message', (message: FromEngine) => {
      if (message.kind === 'started') done()
      else if ('id' in message) asked.get(message.id)?.(message)
    })
  })
  worker.postMessage(data, moved === null ? [] : [moved])
  await Promise.race([started, failing])
  failing.catch((error: unknown) => {
    for (const reply of asked.values()) reply(null)
    if (isRunning) died(error)
    isRunning = false
  })
  return { metrics, reading, checks, nudge, stop }

  async function metrics(): Promise<string> {
    const answer = await ask('metrics')
    return answer?.kind === 'metrics' ? answer.text : ''
  }

  async function reading(): Promise<EngineReading> {
    const answer = await ask('reading')
    if (answer?.kind === 'reading') return answer.reading
    throw new Error('The engine does not say how it is doing.')
  }

  async function checks(): Promise<CheckResults> {
    const answer = await ask('checks')
    return answer?.kind === 'checks' ? answer.results : { engine: down('It does not answer.') }
  }

  function ask(what: EngineQuestion): Promise<FromEngine | null> {
    if (!isRunning) return Promise.resolve(null)
    const id = nextId
    nextId += 1
    return new Promise((done) => {
      const timer = setTimeout(() => reply(null), limits.engineAnswerMs)
      const reply = (answer: FromEngine | null) => {
        clearTimeout(timer)
        asked.delete(id)
        done(answer)
      }
      asked.set(id, reply)
      send({ kind: 'ask', id, what })
    })
  }

  function nudge(): void {
    if (isRunning) send({ kind: 'nudge' })
  }

  function send(message: ToEngine): void {
    worker.postMessage(message)
  }

  async function stop(withinMs: number): Promise<void> {
    if (isRunning) send({ kind: 'stop', withinMs })
    isRunning = false
    const timer = setTimeout(() => {
      logger.warn({ withinMs }, 'The engine did not stop in time and is ended.')
      void worker.terminate()
    }, withinMs)
    await ended
    clearTimeout(timer)
  }
}
