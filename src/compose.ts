import type { MessagePort } from 'node:worker_threads'
import type { Store } from './compose-store.ts'
import type { Config } from './config.ts'
import type { Checks } from './runtime/checks.ts'
import { worstOf } from './runtime/checks.ts'
import type { Clock } from './runtime/clock.ts'
import type { EngineThread } from './runtime/engine-thread.ts'
import { startEngine } from './runtime/engine-thread.ts'
import type { Lifecycle } from './runtime/lifecycle.ts'
import type { Logger } from './runtime/logger.ts'
import type { EdgeMetrics } from './runtime/metrics.ts'
import type { NewId } from './std/id.ts'

/** What a process may do; all of it unless told otherwise. [design 5] */
export const roles = ['http', 'billing', 'sweeps', 'delivery', 'archive'] as const
export type Role = (typeof roles)[number]

/** What the main thread has before anything is composed. */
export interface MainParts {
  readonly config: Config
  readonly roles: readonly Role[]
  readonly store: Store
  readonly secretsKey: Uint8Array
  readonly clock: Clock
  readonly newId: NewId
  readonly logger: Logger
  readonly metrics: EdgeMetrics
  readonly checks: Checks
  readonly life: Lifecycle
  /** For a failure that the process cannot survive: it logs, stops PostgreSQL and exits with 1. */
  readonly died: (error: unknown) => void
}

/** Base URLs of the API, as `http://127.0.0.1:8080`; null while nothing is served. */
export interface Addresses {
  readonly test: string
  readonly live: string
}

/** What runs once everything is composed. */
export interface Composed {
  readonly engine: EngineThread
  readonly addresses: Addresses | null
}

/** The memory and channels that the threads share. The log and dedupe make them, the engine gets them. */
interface Shared {
  readonly shared: Readonly<Record<string, SharedArrayBuffer>>
  readonly ports: Readonly<Record<string, MessagePort>>
}

/**
 * Opens the parts of the main thread in the order in which they need each other: log and dedupe, then
 * the engine that reads them, and the edge last, so that nothing is accepted that nobody measures.
 * Stopping is the reverse: the edge finishes what it has accepted while all else still runs.
 */
export async function compose(parts: MainParts): Promise<Composed> {
  const shared = await openLogAndDedupe(parts)
  const engine = await openEngine(parts, shared)
  const addresses = await openEdge(parts)
  return { engine, addresses }
}

/** The place of the event log and the dedupe filter of this thread. */
async function openLogAndDedupe(_parts: MainParts): Promise<Shared> {
  return { shared: {}, ports: {} }
}

async function openEngine(parts: MainParts, { shared, ports }: Shared): Promise<EngineThread> {
  const { config, store, secretsKey, logger, checks, life, died } = parts
  const data = { config, databaseUrl: store.url, secretsKey, roles: parts.roles, shared, ports }
  const entry = new URL('./main-engine.js', import.meta.url)
  const engine = await startEngine({ entry, data, logger, died })
  life.own('engine', (withinMs) => engine.stop(withinMs))
  checks.register('engine', async () => worstOf(await engine.checks()))
  return engine
}

/** The place of edge/http and edge/ingest; null while nothing is served. */
async function openEdge(_parts: MainParts): Promise<Addresses | null> {
  return null
}
