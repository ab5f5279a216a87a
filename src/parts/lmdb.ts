import type { Database, RootDatabase } from 'lmdb'
import { open } from 'lmdb'

/** Numbers, texts, or arrays of them. They are sorted by type, then by value, part by part. */
export type TableKey = number | string | readonly (number | string)[]

/** A sub-database. Reads see the snapshot of the last `refresh`, or at the latest of this turn. */
export interface Table {
  /** A copy of the value; null when there is none. */
  get(key: TableKey): Uint8Array | null
  firstKey(): TableKey | null
  lastKey(): TableKey | null
  /** Keys from `start`, inclusive, to `end`, exclusive; at most `limit`. */
  keys(range: Range): Iterable<TableKey>
  entries(range: Range): Iterable<{ readonly key: TableKey; readonly value: Uint8Array }>
}

export interface Range {
  readonly start: TableKey
  readonly end: TableKey
  readonly limit: number
}

/** The writes of one transaction. */
export interface WriteBatch {
  put(table: Table, key: TableKey, value: Uint8Array): void
  /**
   * Like `put`, for a key above every other in the table: fills pages completely. The commit fails
   * where the key is not above the others.
   */
  append(table: Table, key: TableKey, value: Uint8Array): void
  remove(table: Table, key: TableKey): void
}

export interface LmdbEnvironment {
  table(name: string): Table
  /**
   * Runs `write`, which must not wait, as one transaction. Fulfilled when it is committed, and in
   * an environment with `durable` synced. Rejected when nothing of it was stored, or (an append out
   * of order, two writers) when it is not certain what was: read again then.
   */
  commit(write: (batch: WriteBatch) => void): Promise<void>
  /** Lets the next reads of this thread see all that has been committed. */
  refresh(): void
  /** Bytes of the pages that the tables opened here occupy. */
  usedBytes(): number
  /** Copies all that is committed into an empty folder, while others write. */
  copyTo(folder: string): Promise<void>
  close(): Promise<void>
}

export interface EnvironmentOptions {
  readonly directory: string
  readonly tablesMax: number
  /**
   * True: LMDB's own order, data, fsync, meta page, fsync, and only then visible: what can be read
   * is durable. False: visible first and synced later; a power cut may take the last commits away,
   * whole and in order, but never damages the rest.
   */
  readonly durable: boolean
}

/** Opens an environment. All threads of a process that open the same directory share one. */
export function openEnvironment(options: EnvironmentOptions): LmdbEnvironment {
  const root: RootDatabase<Uint8Array, TableKey & PackageKey> = open({
    path: options.directory,
    maxDbs: options.tablesMax,
    // Address space, not memory or disk: growing a map under readers of other threads is the one
    // thing that LMDB does not do by itself.
    mapSize: 2 ** 40,
    overlappingSync: !options.durable,
    // With batching, writes of one turn share promises that nobody can catch when their commit
    // fails.
    eventTurnBatching: false,
    encoding: 'binary',
  })
  const databases = new Map<Table, Store>()
  return {
    table,
    commit,
    refresh: () => root.resetReadTxn(),
    usedBytes,
    // A compacted copy: it leaves out pages that trimming has freed.
    copyTo: (folder) => root.backup(folder, true),
    close: () => root.close(),
  }

  function table(name: string): Table {
    // The options are repeated, because a table does not inherit those given to `open`.
    const database = root.openDB({ name, encoding: 'binary' }) as Store
    const opened = tableOf(database)
    databases.set(opened, database)
    return opened
  }

  async function commit(write: (batch: WriteBatch) => void): Promise<void> {
    const done: Promise<boolean>[] = []
    const store = (of: Table): Store => {
      const database = databases.get(of)
      if (database === undefined) throw new Error('This table belongs to another environment.')
      return database
    }
    const batch: WriteBatch = {
      put: (of, key, value) => void done.push(store(of).put(lmdbKey(key), value)),
      append: (of, key, value) =>
        void done.push(store(of).put(lmdbKey(key), value, { append: true })),
      remove: (of, key) =>
        void done.push(
          store(of)
            .remove(lmdbKey(key))
            .then(() => true),
        ),
    }
    done.push(root.batch(() => write(batch)))
    const results = await Promise.allSettled(done.map(settled))
    const failed = results.find((result) => result.status === 'rejected')
    if (failed !== undefined) throw failed.reason
    if (results.some((result) => result.status === 'fulfilled' && !result.value)) {
      throw new Error('An append was out of order: is a second writer at work on this directory?')
    }
  }

  function usedBytes(): number {
    let bytes = 0
    for (const database of databases.values()) {
      const stats = database.getStats() as PageStats
      const pages = stats.treeBranchPageCount + stats.treeLeafPageCount + stats.overflowPages
      bytes += pages * stats.pageSize
    }
    return bytes
  }
}

type PackageKey = (number | string)[] | number | string
/** The package's types have the option `append` in putSync only. */
type Store = Omit<Database<Uint8Array, TableKey & PackageKey>, 'put'> & {
  put(
    key: TableKey & PackageKey,
    value: Uint8Array,
    options?: { append: boolean },
  ): Promise<boolean>
}
interface PageStats {
  readonly pageSize: number
  readonly treeBranchPageCount: number
  readonly treeLeafPageCount: number
  readonly overflowPages: number
}

/**
 * LMDB gives the reason in a promise of its own, which would end the process as an unhandled
 * rejection.
 */
async function settled(write: Promise<boolean>): Promise<boolean> {
  try {
    return await write
  } catch (error) {
    const { commitError } = error as { commitError?: Promise<never> }
    const cause = await commitError?.catch((reason: unknown) => reason)
    throw cause instanceof Error ? cause : error
  }
}

function tableOf(store: Store): Table {
  return {
    get: (key) => store.getBinary(lmdbKey(key)) ?? null,
    firstKey: () => first(store.getKeys({ limit: 1 })),
    lastKey: () => first(store.getKeys({ limit: 1, reverse: true })),
    keys: (range) => store.getKeys(lmdbRange(range)),
    entries: (range) => store.getRange(lmdbRange(range)),
  }
}

function first(keys: Iterable<TableKey>): TableKey | null {
  for (const key of keys) return key
  return null
}

const lmdbKey = (key: TableKey): TableKey & PackageKey => key as TableKey & PackageKey
const lmdbRange = ({ start, end, limit }: Range) => ({
  start: lmdbKey(start),
  end: lmdbKey(end),
  limit,
})
