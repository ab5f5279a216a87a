import { measuringCatalogs } from '../../../src/engine/measuring/catalogs.ts'
import { committing } from '../../../src/engine/measuring/committing.ts'
import { partitions as takenPartitions } from '../../../src/engine/measuring/partitions.ts'
import { routeCache } from '../../../src/engine/measuring/routes.ts'
import { sightBy } from '../../../src/engine/measuring/sight.ts'
import type { Dedupe } from '../../../src/parts/dedupe/port.ts'
import type { LogGroup, LogSlice, Offset } from '../../../src/parts/event-log/port.ts'
import type { Measuring as Store } from '../../../src/parts/store/measuring.ts'
import { meters } from '../../../src/parts/store/postgres/catalog/meters.ts'
import type { Db } from '../../../src/parts/store/postgres/connection/client.ts'
import { measuring } from '../../../src/parts/store/postgres/usage/measuring.ts'
import { catalogCache } from '../../../src/rules/meter/catalog.ts'
import type { IdFingerprinter } from '../../../src/rules/meter/measure.ts'
import { measure } from '../../../src/rules/meter/measure.ts'
import { measureAgain } from '../../../src/rules/meter/measure-again.ts'
import type { MeasureAgainTask, MeasureTask } from '../../../src/rules/meter/measure-types.ts'
import type { Clock } from '../../../src/runtime/clock.ts'
import { openLogger } from '../../../src/runtime/logger.ts'
import { day } from '../../../src/std/instant.ts'
import type { MemoryLog } from '../event-log/memory-log.ts'
import { uncounted } from './counted-calls.ts'
import { testFingerprint } from './measured-log.ts'

/** Fingerprints made of the ids of measured-log.ts, so that events are found where that looks. */
export const testFingerprinter: IdFingerprinter = {
  fingerprints: (businessId, mode, ids) =>
    Uint32Array.from(ids.flatMap((id) => testFingerprint(businessId, mode, id))),
}

/** What a test wants to be otherwise, and what it wants to be told. */
interface Changes {
  readonly store: Partial<Store>
  readonly fingerprinter: IdFingerprinter
  readonly monotonic: () => number
  readonly again: (how: 'loaded' | 'held') => void
  readonly measuredAgain: (task: MeasureAgainTask) => void
  readonly onCommit: () => void
  readonly onMark: () => void
}

/**
 * Measuring itself, on a log and a dedupe in memory: the product's own judging, folding and
 * committing, with caches that live as long as this does. It takes a step when the test says so.
 */
export async function measuringOn(
  db: Db,
  log: MemoryLog,
  { now, ...changes }: Clock & Partial<Changes>,
) {
  const clock = { now }
  const store = { ...measuring(db), ...changes.store }
  const logger = openLogger({ level: 'warn', part: 'test' })
  const dedupe = memoryDedupe(changes.onMark ?? nothing)
  const monotonic = () => performance.now() * 1_000
  const partitionNeeds = { store, dedupe, reader: log, clock, logger, window: day, monotonic }
  const held = takenPartitions(partitionNeeds)
  const catalogs = measuringCatalogs(meters(db))
  const compiled = catalogCache()
  const group: LogGroup = {
    poll: () => Promise.resolve([]),
    seek: () => undefined,
    pause: () => undefined,
    close: () => Promise.resolve(),
  }
  const commit = committing({
    store,
    dedupe,
    held,
    group,
    catalogs,
    routes: routeCache(store),
    measureAgain: async (task) => {
      changes.measuredAgain?.(task)
      return measureAgain(task)
    },
    clock,
    monotonic: changes.monotonic ?? monotonic,
    logger,
    metrics: { ...uncounted, again: changes.again ?? nothing },
    onCommit: changes.onCommit ?? nothing,
    persist: (work) => work(),
  })
  for (let partition = 0; partition < log.partitions; partition += 1) {
    const taken = await held.take(partition)
    if (taken !== null) await held.ensureHealed(taken)
  }
  return { step }

  /** Commits everything that is in the log as one step. */
  async function step(): Promise<void> {
    const slices: LogSlice[] = []
    for (const { partition, next } of held.held()) {
      const records = await log.read(partition, next, Number.POSITIVE_INFINITY)
      if (records.length > 0) slices.push({ partition, records })
    }
    if (slices.length === 0) return
    for (;;) {
      const result = measured({ slices, catalog: catalogs.snapshot(), fingerprintKey })
      if (result.missing.length === 0) {
        const now = sightBy({ clock, monotonic })
        return commit({ slices, from: now, to: now }, result)
      }
      await catalogs.load(result.missing)
    }
  }

  function measured(task: MeasureTask) {
    return measure(task, changes.fingerprinter ?? testFingerprinter, compiled(task.catalog))
  }
}

const fingerprintKey = new Uint8Array(16)

const nothing = (): void => undefined

/** A dedupe that knows what it was told, for each namespace. */
function memoryDedupe(onMark: () => void): Dedupe {
  const spaces = new Map<string, { synced: Offset; readonly known: Set<string> }>()
  return {
    check: (_partition, namespace, start, ids) => {
      const synced = spaces.get(namespace)?.synced ?? null
      return Promise.resolve(
        synced === start
          ? { kind: 'answer', known: knownOf(namespace, ids) }
          : { kind: 'stale', synced },
      )
    },
    mark: (_partition, namespace, run) => {
      onMark()
      const space = spaces.get(namespace)
      if (space === undefined || space.synced !== run.start) return Promise.resolve(false)
      for (const id of idsOf(run.ids)) space.known.add(id)
      space.synced = run.end
      return Promise.resolve(true)
    },
    reset: (_partition, namespace, from) => {
      spaces.set(namespace, { synced: from, known: new Set() })
      return Promise.resolve()
    },
    size: () => Promise.resolve(0),
    close: () => Promise.resolve(),
  }

  function knownOf(namespace: string, ids: Uint32Array): Uint8Array {
    const known = spaces.get(namespace)?.known
    return Uint8Array.from(idsOf(ids), (id) => (known?.has(id) === true ? 1 : 0))
  }
}

const idsOf = (ids: Uint32Array): readonly string[] =>
  Array.from({ length: ids.length / 3 }, (_, index) =>
    ids.subarray(index * 3, index * 3 + 3).join(),
  )
