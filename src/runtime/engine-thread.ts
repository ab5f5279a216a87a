import type { MessagePort } from 'node:worker_threads'
import { Worker } from 'node:worker_threads'
import { limits } from '../limits.ts'
import type { CheckResults } from './checks.ts'
import { down } from './checks.ts'
import type { Logger } from './logger.ts'

type EngineQuestion = 'metrics' | 'reading' | 'checks'

export type ToEngine =
  | { readonly kind: 'start'; readonly data: object }
  | { readonly kind: 'ask'; readonly id: number; readonly what: EngineQuestion }
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
  /** Lets the engine finish what is in flight and end; ends it when `withinMs` have passed. */
  stop(withinMs: number): Promise<void>
}

/** The thread while it loads its code, for which it needs nothing. */
export interface LoadingEngine {
  /** Answers when the engine runs; rejects with what kept it from loading or running. */
  start(needs: EngineStartNeeds): Promise<EngineThread>
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
  let failure: { readonly error: unknown } | null = null
  const fail = (error: unknown) => {
    failure ??= { error }
  }
  worker.on('error', fail)
  worker.on('exit', (status) => fail(new Error(`The engine thread ended with ${status}.`)))
  return {
    start(needs) {
      if (failure !== null) return Promise.reject(failure.error)
      return startEngine(worker, needs)
    },
  }
}

async function startEngine(worker: Worker, needs: EngineStartNeeds): Promise<EngineThread> {
  const { data, moved, died } = needs
  const asked = new Map<number, (answer: FromEngine | null) => void>()
  let nextId = 0
  let phase: 'starting' | 'running' | 'stopping' = 'starting'
  const ended = new Promise<void>((done) => worker.once('exit', () => done()))
  await new Promise<void>((done, failed) => {
    const fail = (error: unknown) => {
      for (const reply of asked.values()) reply(null)
      if (phase === 'starting') failed(error)
      else if (phase === 'running') died(error)
      phase = 'stopping'
    }
    worker.on('error', fail)
    worker.on('exit', (status) => fail(new Error(`The engine thread ended with ${status}.`)))
    worker.on('message', (message: FromEngine) => {
      if (message.kind === 'started') {
        phase = 'running'
        done()
      } else if ('id' in message) asked.get(message.id)?.(message)
    })
    const started: ToEngine = { kind: 'start', data }
    worker.postMessage(started, moved === null ? [] : [moved])
  })
  return { metrics, reading, checks, stop }

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
    if (phase !== 'running') return Promise.resolve(null)
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

  function send(message: ToEngine): void {
    worker.postMessage(message)
  }

  async function stop(withinMs: number): Promise<void> {
    if (phase === 'running') send({ kind: 'stop', withinMs })
    phase = 'stopping'
    const timer = setTimeout(() => {
      needs.logger.warn({ withinMs }, 'The engine did not stop in time and is ended.')
      void worker.terminate()
    }, withinMs)
    await ended
    clearTimeout(timer)
  }
}
