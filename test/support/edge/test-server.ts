import { createHash } from 'node:crypto'
import type { KeyRecord } from '../../../src/edge/http/auth.ts'
import { byteBudget } from '../../../src/edge/http/budget.ts'
import type { Route } from '../../../src/edge/http/route.ts'
import type { HttpServer, HttpServerNeeds } from '../../../src/edge/http/server.ts'
import { openHttpServer } from '../../../src/edge/http/server.ts'
import type { HttpEngine } from '../../../src/edge/http/uws.ts'
import { Fault } from '../../../src/faults.ts'
import { memoryCounters } from '../../../src/parts/counters/memory/counters.ts'
import { randomIds } from '../../../src/runtime/ids.ts'
import type { Instant } from '../../../src/std/instant.ts'
import { after, day, hour, instantOf, minute } from '../../../src/std/instant.ts'
import type { Logged } from '../runtime/logger.ts'
import { rememberingLogger } from '../runtime/logger.ts'

export const noon = instantOf(Date.UTC(2026, 10, 21, 12) * 1_000)

export interface ManualClock {
  now(): Instant
  advance(length: number): void
}

export function manualClock(start: Instant = noon): ManualClock {
  let at = start
  return {
    now: () => at,
    advance(length) {
      at = after(at, length)
    },
  }
}

/** A key directory that can go away, and counts how often it is asked. */
export interface MemoryKeys {
  readonly asked: number
  /** For each question that was asked: whether the key was known. */
  readonly known: readonly boolean[]
  mayExist(key: string): boolean
  find(hash: Uint8Array, known: boolean): Promise<KeyRecord | null>
  set(key: string, record: Partial<KeyRecord>): void
  away(gone: boolean): void
}

export const keys = {
  write: 'sk_test_write',
  read: 'sk_test_read',
  live: 'sk_live_write',
  revoked: 'sk_test_revoked',
  ahead: 'sk_test_ahead',
  backfill: 'sk_test_backfill',
  backfillAll: 'sk_test_backfill_all',
} as const

export function memoryKeys(): MemoryKeys {
  const records = new Map<string, KeyRecord>()
  const known: boolean[] = []
  let [asked, gone] = [0, false]
  const directory: MemoryKeys = {
    get asked() {
      return asked
    },
    mayExist: (key) => !key.includes('impossible'),
    known,
    async find(hash, isKnown) {
      asked += 1
      known.push(isKnown)
      if (gone) throw new Fault('UNAVAILABLE', 'The store is away.', { retryAfterSeconds: 1 })
      return records.get(Buffer.from(hash).toString('hex')) ?? null
    },
    set(key, record) {
      const hash = createHash('sha256').update(key).digest('hex')
      records.set(hash, whole(key, record))
    },
    away: (now) => {
      gone = now
    },
  }
  directory.set(keys.write, {})
  directory.set(keys.read, { access: 'read' })
  directory.set(keys.live, { mode: 'live' })
  directory.set(keys.revoked, { revoked: true })
  directory.set(keys.ahead, { clockAheadUs: 31 * day })
  directory.set(keys.backfill, { backfillUs: 6 * hour })
  directory.set(keys.backfillAll, { backfillUs: 90 * day })
  return directory
}

function whole(key: string, record: Partial<KeyRecord>): KeyRecord {
  return {
    keyId: `key_${key}`,
    businessId: 'bus_1',
    mode: 'test',
    access: 'write',
    rateTier: 'unlimited',
    clockAheadUs: 0,
    backfillUs: 0,
    revoked: false,
    ...record,
  }
}

/** What the server has told its logger and its metrics. */
export interface Told {
  readonly logged: readonly Logged[]
  readonly limited: string[]
  readonly requests: { readonly route: string; readonly method: string; readonly status: number }[]
}

export interface TestServer {
  readonly server: HttpServer
  readonly port: number
  readonly url: string
  readonly told: Told
  readonly options: HttpServerNeeds
}

export async function testServer(
  engine: HttpEngine,
  routes: readonly Route[],
  changes: Partial<HttpServerNeeds> = {},
): Promise<TestServer> {
  const logger = rememberingLogger()
  const told: Told = { logged: logger.told, requests: [], limited: [] }
  const options: HttpServerNeeds = {
    engine,
    host: '127.0.0.1',
    listeners: [{ port: 0, mode: 'test' }],
    routes,
    keys: memoryKeys(),
    maxStale: 15 * minute,
    budget: byteBudget(256 * 1024 * 1024),
    clock: manualClock(),
    newId: randomIds(),
    logger,
    counters: memoryCounters({ nowMs: leaping() }),
    trustedProxies: [],
    corsOrigins: [],
    metrics: {
      request: (route, method, status) => void told.requests.push({ route, method, status }),
      rateLimited: (scope) => void told.limited.push(scope),
    },
    ...changes,
  }
  const server = await openHttpServer(options)
  const port = server.ports[0] ?? 0
  return { server, port, url: `http://127.0.0.1:${port}`, told, options }
}

/** A clock that is a minute later whenever it is asked, for suites that must not meet a limit. */
function leaping(): () => number {
  let now = 0
  return () => {
    now += 60_000
    return now
  }
}

export const bearer = (key: string): { Authorization: string } => ({
  Authorization: `Bearer ${key}`,
})
