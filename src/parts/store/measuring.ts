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
   * Running time: for how long the partition has been held, up to its newest measured record. The
   * age of ids is measured by it, since nobody can set it.
   */
  readonly ran: Duration
  /** Digest of the last measured record; null before the first one. */
  readonly digest: Uint8Array | null
  /** The one dedupe namespace that counts. */
  readonly namespace: string
  readonly halted: string | null
  /** Halted for so long that the watermark no longer waits for this partition. */
  readonly leftOut: boolean
  readonly totals: Totals
}

/** How many events the log has before the checkpoint, and what became of them. */
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
  /** Running time at which its last record came in. */
  readonly ran: Duration
  readonly digest: Uint8Array | null
  /** 8 bytes per event, hi then lo, big-endian. */
  readonly fingerprints: Uint8Array
  /** One byte per event: 0 billed, 1 unmatched, 2 duplicate. */
  readonly verdicts: Uint8Array
  /** Two bytes per event: the routes that took its usage (rules/meter/route-mark.ts). */
  readonly routeMarks: Uint8Array
}

export interface UsageIncrement {
  readonly businessId: string
  readonly mode: Mode
  readonly customerId: string
  readonly routeId: string
  /** '' for usage that is charged in money only. */
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
  readonly routes: readonly (CustomerKey & Omit<VersionedRoutes, 'routes'>)[]
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
        /** A person must look at the partition first. */
        readonly halted: boolean
      }[]
    }
  | (Versions & { readonly kind: 'stale' })

/**
 * A partition whose end was `next` right after the moment `at`, and its running time at that
 * moment.
 */
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

/** What a dedupe namespace was filled with, in which epoch; `age` as in `batches()`. */
export interface HealedStretch {
  readonly epoch: number
  readonly from: Offset
  readonly next: Offset
  readonly age: Duration
}

/** The versions of catalogs and of customers' routes under which something was measured. */
export interface Versions {
  readonly catalogs: readonly { readonly businessId: string; readonly mode: Mode }[]
  readonly customers: readonly CustomerKey[]
}

/** A customer's routes, and what tells them from all others. No routes have these, too. */
export interface VersionedRoutes {
  /** Rises by one at each change; a store that lost its last commits gives some again. */
  readonly version: number
  /** Drawn at each change. */
  readonly stamp: number
  readonly routes: readonly SubscriptionRoute[]
}

export interface Measuring {
  /**
   * Takes a partition: raises its epoch, so that no earlier holder can commit. A partition that was
   * never taken before gets `namespace`.
   */
  take(partition: Partition, logIdentity: string, namespace: string): Promise<Checkpoint>

  checkpoints(): Promise<readonly Checkpoint[]>

  /**
   * Commits usage, checkpoints, batches and quarantine in one transaction, or answers why not: a
   * comparison failed (`lost`), or the version of a catalog or of routes has moved (`stale`). Then
   * nothing was written.
   */
  commit(measured: Measured): Promise<Committed>

  /**
   * Does `work` while none of these versions can move: writers who would move one wait for its end.
   * `work` commits with the function that it is given; what it has read of these versions still
   * holds then.
   */
  holding<T>(versions: Versions, work: (commit: Measuring['commit']) => Promise<T>): Promise<T>

  /**
   * Names another dedupe namespace, which knows the batches between `from` and `next`, if the epoch
   * is still the current one, measuring has come to `next`, and no batch that is not older than
   * `age` is before `from`: not where the store has lost commits, or has found lost ones again.
   */
  rename(partition: Partition, at: HealedStretch, namespace: string): Promise<boolean>

  /**
   * Stops a partition with a reason for a person to read. A partition that is halted already (which
   * can happen at every start) keeps its first reason and its first time.
   */
  halt(partition: Partition, epoch: number, reason: string): Promise<void>

  /** Takes a halt back. */
  resume(partition: Partition, epoch: number): Promise<void>

  /** Reports that nothing was unmeasured in these partitions at these moments. */
  heartbeat(idle: readonly IdlePartition[]): Promise<void>

  /**
   * The log time up to which everything has been measured; null before the first partition was
   * taken. A partition that has been halted for 15 minutes is left out: its usage will be late
   * usage. [machines#boundaries]
   */
  watermark(): Promise<Instant | null>

  /**
   * Batches with offsets from `from` on that are not older than `age` of running time before the
   * checkpoint, in order. One that began before `from` (batches are merged, also meanwhile) is
   * given as if it began there, with ids from before it; knowing them twice does no harm.
   */
  batches(partition: Partition, from: Offset, age: Duration): AsyncIterable<StoredBatch>

  /** The routes of customers and what tells them from others, both of one moment. */
  routes(customers: readonly CustomerKey[]): Promise<readonly (CustomerKey & VersionedRoutes)[]>
}
