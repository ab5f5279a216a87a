import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import type { EdgeParts } from './compose-edge.ts'
import { openEdge } from './compose-edge.ts'
import type { Addresses, EngineData, MainParts } from './compose-parts.ts'
import { limits } from './limits.ts'
import { openEmbeddedFilter } from './parts/dedupe/embedded/filter.ts'
import { openLmdbEventLog } from './parts/event-log/lmdb/event-log.ts'
import { openLmdbLogReader } from './parts/event-log/lmdb/reader.ts'
import { createSharedLog } from './parts/event-log/lmdb/shared.ts'
import { pinPartitions } from './parts/store/postgres/installation.ts'
import type { Check } from './runtime/checks.ts'
import { degraded, down, fine, worstOf } from './runtime/checks.ts'
import type { EngineThread } from './runtime/engine-thread.ts'
import { startEngine } from './runtime/engine-thread.ts'

/** What runs once everything is composed. */
export interface Composed {
  readonly engine: EngineThread
  readonly addresses: Addresses | null
}

/**
 * Opens the parts of the main thread in the order in which they need each other: log and dedupe,
 * then the engine that reads them, and the edge last, so that nothing is accepted that nobody
 * measures. Stopping is the reverse: the edge finishes what it has accepted while all else still
 * runs.
 */
export async function compose(parts: MainParts): Promise<Composed> {
  const embedded = await openEmbedded(parts)
  const engine = await openEngine(parts, embedded)
  const addresses = parts.roles.includes('http') ? await openEdge(parts, embedded) : null
  return { engine, addresses }
}

/** The embedded log and the edge's half of dedupe, with what their twins in the engine need. */
interface Embedded extends EdgeParts {
  readonly shared: EngineData['shared']
  readonly ports: EngineData['ports']
}

async function openEmbedded({ config, store, clock, life }: MainParts): Promise<Embedded> {
  const partitions = store.installation.partitions ?? embeddedPartitions
  await pinPartitions(store.db, partitions)
  const shared = createSharedLog(partitions)
  const directory = join(config.dataDir, 'log')
  const log = await openLmdbEventLog({
    directory,
    partitions,
    shared,
    budgetBytes: limits.logBytesMax,
    diskReserveBytes: limits.diskReserveBytes,
    clock,
  })
  life.own('event log', () => log.close())
  const reader = await openLmdbLogReader({ directory, shared })
  life.own('event log reader', () => reader.close())
  const { port1, port2 } = new MessageChannel()
  const filter = openEmbeddedFilter({ port: port1 })
  life.own('dedupe filter', () => filter.close())
  return { log, filter, reader, shared: { log: shared }, ports: { dedupe: port2 } }
}

const embeddedPartitions = 4

async function openEngine(parts: MainParts, { shared, ports }: Embedded): Promise<EngineThread> {
  const { config, store, secretsKey, logger, checks, life, died } = parts
  const data = { config, databaseUrl: store.url, secretsKey, roles: parts.roles, shared, ports }
  const entry = new URL('./main-engine.js', import.meta.url)
  const engine = await startEngine({ entry, data, logger, died })
  life.own('engine', (withinMs) => engine.stop(withinMs))
  const accepts = parts.roles.includes('http')
  checks.register('engine', async () => {
    const worst = worstOf(await engine.checks())
    // Events are accepted, and safe in the log, whatever measuring waits for.
    return accepts && worst.state === 'down' ? degraded(worst.reason ?? 'It waits.') : worst
  })
  if (accepts) checks.register('store', storeCheck(parts))
  return engine
}

/** While the store is away, cached keys and customers serve for MAX_STALE. (design 3, rule 12) */
function storeCheck({ config, store, clock }: MainParts): () => Promise<Check> {
  let answered = clock.now()
  return async () => {
    try {
      await store.db.query({ text: 'select 1', values: [] })
      answered = clock.now()
      return fine
    } catch {
      const away = clock.now() - answered
      const reason = 'The database does not answer.'
      return away <= config.maxStale ? degraded(reason) : down(reason)
    }
  }
}
