import type { MessagePort } from 'node:worker_threads'
import type { Config } from '../config.ts'
import type { Alone } from '../engine/alone-by-lease.ts'
import type { SharedLog } from '../parts/event-log/lmdb/shared.ts'
import type { Installation } from '../parts/store/installation.ts'
import type { Db } from '../parts/store/postgres/connection/client.ts'
import type { Checks } from '../runtime/checks.ts'
import type { BelievedClock, TimeCells } from '../runtime/clock.ts'
import type { Lifecycle } from '../runtime/lifecycle.ts'
import type { Logger } from '../runtime/logger.ts'
import type { EdgeMetrics } from '../runtime/metrics.ts'
import type { SharedSignal } from '../runtime/shared-signal.ts'
import type { Start } from '../runtime/wait-for-servers.ts'
import type { NewId } from '../std/id.ts'
import type { Store } from './store.ts'
import type { EngineNeeds } from './wiring/ground.ts'

/** What a process may do; a process has all roles unless told otherwise. [machines#parts] */
export const roles = ['http', 'billing', 'sweeps', 'delivery', 'archive'] as const
export type Role = (typeof roles)[number]

/** What the main thread has before anything is composed. */
export interface MainNeeds {
  readonly config: Config
  readonly roles: readonly Role[]
  readonly store: Store
  readonly secretsKey: Uint8Array
  readonly clock: BelievedClock
  readonly timeCells: TimeCells
  readonly newId: NewId
  readonly logger: Logger
  readonly metrics: EdgeMetrics
  readonly checks: Checks
  readonly life: Lifecycle
  /** The start's signal is aborted once the process has been told to stop. */
  readonly start: Start
  /**
   * Called with a failure that the process cannot survive: it logs, stops PostgreSQL and exits with
   * 1.
   */
  readonly died: (error: unknown) => void
}

/** Base URLs of the API, for example `http://127.0.0.1:8080`; null while nothing is served. */
export interface Addresses {
  readonly test: string
  readonly live: string
}

/**
 * What the engine thread is started with: plain data and shared memory, which are cloned into the
 * thread.
 */
export interface EngineData {
  readonly config: Config
  readonly databaseUrl: string
  readonly secretsKey: Uint8Array
  readonly roles: readonly Role[]
  /** The time that the main thread keeps. */
  readonly timeCells: TimeCells
  /**
   * The flushed offsets of the embedded log, which both threads see; null: the log is not embedded.
   */
  readonly sharedLog: SharedLog | null
  /** The engine raises it whenever more is measured. */
  readonly measured: SharedSignal
  /**
   * Leads to the filter of the embedded dedupe, and is moved into the thread; null: Redis is used.
   */
  readonly dedupePort: MessagePort | null
}

/** What the engine thread has before anything is composed. */
export interface EngineThreadNeeds extends EngineNeeds {
  readonly data: EngineData
}

/** The store in the engine thread. */
export interface EngineStore {
  readonly db: Db
  readonly installation: Installation
  /** Wraps work that only one process at a time should do. */
  readonly alone: Alone
}
