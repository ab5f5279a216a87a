import type { Mode } from '../../rules/meter/meter.ts'
import type { SubscriptionRoute } from '../../rules/meter/route.ts'
import type { Duration, Instant } from '../../std/instant.ts'
import type { Offset, Partition } from '../event-log/port.ts'
import type { CustomerKey } from './scope.ts'

/** What the store knows of a partition: the truth about what was measured. [machines#measuring] */
export interface Checkpoint {
  readonly partition: Partition
  readonly nextOffset: Offset
  readonly epoch: number
  readonly logIdentity: string
  readonly logAt: Instant
  /**
   * Running time: how long the partition has been held, as far as its records had come in. How old
   * ids are goes by it, since nobody can set it.
   */
  readonly ran: Duration
  /** Digest of the last measured record; null before the first. */
  readonly digest: Uint8Array | null
  /** The dedupe namespace that counts. */
  readonly namespace: string
  readonly halted: string | null
  /** Halted so long that the watermark does not wait for it any more. */
  readonly leftOut: boolean
  readonly totals: Totals
}

/** Events in the log before the checkpoint, and what became of them. */
export interface Totals {
  readonly events: number
  readonly billed: number
  readonly unmatched: number
  readonly duplicates: number
  readonly quarantined: number
}

/** What one measuring transaction moves in one partition. */
export interface MeasuredSlice extends Totals {
  readonly partition: Partition
  readonly epoch: number
  readonly start: Offset
  readonly end: Offset
  readonly logAt: Instant
  /** Running time when its last record came in. */
  readonly ran: Duration
  readonly digest: Uint8Array | null
  /** 8 bytes an event, hi then lo, big-endian. */
  readonly fingerprints: Uint8Array
  /** A byte an event: 0 billed, 1 unmatched, 2 duplicate. */
  readonly verdicts: Uint8Array
  /** Two bytes an event: the routes that its usage went by (rules/meter/route-mark.ts). */
  readonly routeMarks: Uint8Array
}

export interface UsageIncrement {
  readonly businessId: string
  readonly mode: Mode
  readonly customerId: string
  readonly routeId: string
  /** '' for usage that is worth money only. */
  readonly entitlementId: string
  readonly meterId: string
  readonly cycleAt: Instant
  readonly segmentAt: Instant
  readonly logHour: number
  readonly aggregation: string
  readonly events: number
  /** Decimal text. */
  readonly value: string
  readonly lastAt: Instant | null
  readonly lastReceived: Instant | null
  readonly lastEventId: string | null
}

export interface Quarantined {
  readonly partition: Partition
  readonly offset: Offset
  readonly reason: string
  readonly value: Uint8Array
  readonly events: number
}

export interface Measured {
  readonly slices: readonly MeasuredSlice[]
  readonly usage: readonly UsageIncrement[]
  readonly accounts: readonly (CustomerKey & { readonly entitlementId: string })[]
  readonly catalogs: readonly {
    readonly businessId: string
    readonly mode: Mode
    readonly version: number
  }[]
  readonly routes: readonly (CustomerKey & { readonly version: number })[]
  readonly quarantined: readonly Quarantined[]
}

export type Committed =
  | { readonly kind: 'committed' }
  | {
      readonly kind: 'lost'
      readonly partitions: readonly {
        readonly partition: Partition
        readonly epoch: number
        readonly nextOffset: Offset
        /** Somebody must look at it first. */
        readonly halted: boolean
      }[]
    }
  | (Versions & { readonly kind: 'stale' })

/** A partition whose end was at `next` right after the moment `at`, and its running time then. */
export interface IdlePartition {
  readonly partition: Partition
  readonly epoch: number
  readonly next: Offset
  readonly at: Instant
  readonly ran: Duration
}

/** A measured batch, as dedupe heals from it. */
export interface StoredBatch {
  readonly start: Offset
  readonly end: Offset
  readonly ran: Duration
  readonly fingerprints: Uint8Array
  readonly verdicts: Uint8Array
}

/** Catalogs and customers by whose versions something was measured. */
export interface Versions {
  readonly catalogs: readonly { readonly businessId: string; readonly mode: Mode }[]
  readonly customers: readonly CustomerKey[]
}

export interface Measuring {
  /**
   * Takes a partition: bumps its epoch, so that no earlier holder can commit. `namespace` is that
   * of a partition never seen before.
   */
  take(partition: Partition, logIdentity: string, namespace: string): Promise<Checkpoint>

  checkpoints(): Promise<readonly Checkpoint[]>

  /**
   * Commits usage, checkpoints, batches and quarantine in one transaction, or says why not: a
   * compare failed (`lost`), or a catalog or route version moved (`stale`); then nothing was
   * written.
   */
  commit(measured: Measured): Promise<Committed>

  /**
   * Does `work` while none of these versions can move: whoever would move one waits until then.
   * `work` commits by what it is given; what it read of these versions by then, still holds.
   */
  holding<T>(versions: Versions, work: (commit: Measuring['commit']) => Promise<T>): Promise<T>

  /** Names another dedupe namespace, if the epoch still holds. */
  rename(partition: Partition, epoch: number, namespace: string): Promise<boolean>

  /**
   * Stops a partition with a reason that a person reads. The first reason stays, and the time since
   * when: it may be met again at every start.
   */
  halt(partition: Partition, epoch: number, reason: string): Promise<void>

  /** Takes a halt back. */
  resume(partition: Partition, epoch: number): Promise<void>

  /** Says that nothing was unmeasured in these partitions at these moments. */
  heartbeat(idle: readonly IdlePartition[]): Promise<void>

  /**
   * The log time up to which everything has been measured; null before the first partition was
   * taken. A partition halted for 15 minutes is left out: its usage will be late usage.
   * [machines#boundaries]
   */
  watermark(): Promise<Instant | null>

  /**
   * Batches that cover offsets from `from` on and are not older than `age` of running time before
   * the checkpoint, in order. One that began before `from` (batches may be merged, also meanwhile)
   * is told as if it began there, and brings ids of before, too: who knows them already loses
   * nothing by it.
   */
  batches(partition: Partition, from: Offset, age: Duration): AsyncIterable<StoredBatch>

  /** The routes of customers with the version they had, both of one moment. */
  routes(customers: readonly CustomerKey[]): Promise<
    readonly (CustomerKey & {
      readonly version: number
      readonly routes: readonly SubscriptionRoute[]
    })[]
  >
}
