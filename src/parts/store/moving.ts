import type { LogOrigin, Offset, Partition } from '../event-log/port.ts'

/** A table as it is moved from one database to another. */
export interface MovedTable {
  readonly name: string
  readonly columns: readonly MovedColumn[]
  /** The table's parts by days of log time, besides the one for all the rest. */
  readonly days: readonly MovedDay[]
}

export interface MovedColumn {
  readonly name: string
  /** As PostgreSQL writes it, for example `timestamp with time zone`. */
  readonly type: string
  /** The last number that was given out; null: the database gives out none, or has given none. */
  readonly last: number | null
}

export interface MovedDay {
  readonly name: string
  /** `FOR VALUES FROM ('…') TO ('…')`. */
  readonly bound: string
}

/** A row: the text of each of its columns, in their order. */
export type MovedRow = readonly (string | null)[]

/** How far a partition of the log was measured and archived. */
export interface MovedPartition {
  readonly partition: Partition
  readonly logIdentity: string
  /** The next offset to measure. */
  readonly measured: Offset
  /** The next offset to archive; null when the partition was never archived. */
  readonly archived: Offset | null
  readonly halted: string | null
}

/** A store as it was at one moment. */
export interface StoreSnapshot {
  /** The newest migration that it has. */
  readonly migration: number
  readonly partitions: readonly MovedPartition[]
  /** In an order in which each comes after those that it refers to. */
  readonly tables: readonly MovedTable[]
  /** The rows of a table, some at a time: at most a few megabytes. */
  rows(table: MovedTable): AsyncIterable<readonly MovedRow[]>
}

/** A store that is moved elsewhere, and may be at work meanwhile. */
export interface MovingStore {
  /**
   * While `work` runs, the snapshot holds, and nothing is trimmed from the event log that it has
   * not measured and archived.
   */
  snapshot<T>(work: (snapshot: StoreSnapshot) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** What stands in a database that an import begins with. */
export interface ImportClaim {
  /** The log that an import which was cut short has begun to fill; null: none has. */
  readonly log: string | null
}

/** An empty store that is filled from elsewhere. */
export interface EmptyStore {
  /**
   * Looks whether an import may begin, or begin again. Changes nothing.
   *
   * @throws Refusal where anything is in it, or where its tables are of another migration.
   */
  inspect(migration: number): Promise<ImportClaim>

  /**
   * Makes the tables of `migration`, and from here on no process starts on the store until `load`
   * has ended. `log`: the identity of the log that is filled next; null: none is.
   *
   * @throws Refusal like `inspect`.
   */
  claim(migration: number, log: string | null): Promise<void>

  /** Takes all that `work` loads, and ends the claim: all of it or nothing. */
  load(work: (loading: StoreLoading) => Promise<void>): Promise<void>

  close(): Promise<void>
}

export interface StoreLoading {
  begin(table: MovedTable): Promise<void>
  add(table: MovedTable, rows: readonly MovedRow[]): Promise<void>
  /** The event log that the books go on with, and where. */
  goOn(log: MovedLog): Promise<void>
}

export interface MovedLog {
  readonly kind: 'embedded' | 'kafka'
  /** As everybody sees it, with `origin`. */
  readonly identity: string
  readonly origin: LogOrigin
}
