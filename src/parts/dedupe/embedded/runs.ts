import type { Offset, Partition } from '../../event-log/port.ts'
import type { LmdbEnvironment, TableKey } from '../../lmdb.ts'
import { openEnvironment } from '../../lmdb.ts'
import type { Fingerprints } from '../port.ts'

/**
 * What is stored about a partition. It changes in the same transaction as the ids that it
 * describes.
 */
export interface State {
  readonly namespace: string
  /**
   * Rises with every reset. Runs are sorted by it, so the runs of earlier namespaces come first and
   * can be deleted as one range.
   */
  readonly slot: number
  readonly synced: Offset
  readonly newest: number | null
  /** Half a window, in µs. Generations that were made with another value are of no use. */
  readonly windowUs: number
}

/** The runs of a partition at rest: one packed value a `mark`, [hi, lo, rest, …] little-endian. */
export interface Runs {
  state(partition: Partition): State | null
  /** All ids of one live generation. */
  load(partition: Partition, state: State, generation: number): Fingerprints
  /** Stores `state`, and with it the ids, if any: both or neither. */
  save(partition: Partition, state: State, run: StoredRun | null): Promise<void>
  /** Deletes everything before this generation of the state's slot, in small transactions. */
  sweep(partition: Partition, slot: number, before: number): Promise<void>
  close(): Promise<void>
}

export interface StoredRun {
  readonly generation: number
  /** The offset at which the run ends. Runs are sorted by it. */
  readonly end: Offset
  readonly ids: Fingerprints
}

export function openRuns(directory: string): Runs {
  // A cache need not wait for the disk: the store heals a lost tail.
  const environment: LmdbEnvironment = openEnvironment({ directory, tablesMax: 2, durable: false })
  const states = environment.table('states')
  const runs = environment.table('runs')
  return { state, load, save, sweep, close: () => environment.close() }

  function state(partition: Partition): State | null {
    environment.refresh()
    const stored = states.get(partition)
    return stored === null ? null : (JSON.parse(Buffer.from(stored).toString()) as State)
  }

  function load(partition: Partition, { slot }: State, generation: number): Fingerprints {
    environment.refresh()
    const values: Uint8Array[] = []
    const range = {
      start: [partition, slot, generation],
      end: [partition, slot, generation + 1],
      limit: Number.MAX_SAFE_INTEGER,
    }
    // Copied: a range may hand out memory that its next step uses again.
    for (const { value } of runs.entries(range)) values.push(Uint8Array.from(value))
    const bytes = Buffer.concat(values)
    const ids = new Uint32Array(bytes.length / 4)
    Buffer.from(ids.buffer).set(bytes)
    return ids
  }

  async function save(partition: Partition, next: State, run: StoredRun | null): Promise<void> {
    await environment.commit((batch) => {
      if (run !== null && run.ids.length > 0) {
        const key: TableKey = [partition, next.slot, run.generation, run.end]
        const { buffer, byteOffset, byteLength } = run.ids
        batch.put(runs, key, Buffer.from(buffer, byteOffset, byteLength))
      }
      batch.put(states, partition, Buffer.from(JSON.stringify(next)))
    })
  }

  async function sweep(partition: Partition, slot: number, before: number): Promise<void> {
    for (;;) {
      environment.refresh()
      const range = { start: [partition], end: [partition, slot, before], limit: sweepMax }
      const keys = [...runs.keys(range)]
      if (keys.length === 0) return
      await environment.commit((batch) => {
        for (const key of keys) batch.remove(runs, key)
      })
    }
  }
}

const sweepMax = 512
