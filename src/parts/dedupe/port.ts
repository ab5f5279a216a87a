import type { Duration } from '../../std/instant.ts'
import type { Offset, Partition } from '../event-log/port.ts'

/**
 * Fingerprints of event ids, three words each: [hi0, lo0, rest0, hi1, …] (std/fingerprint.ts).
 */
export type Fingerprints = Uint32Array

/** One byte an id: 1 known, 0 not. */
export type Known = Uint8Array

/**
 * Which events have been measured: a cache of the store's `batches` that can be flushed, lost or
 * restored from an old copy without changing a result [machines#dedupe].
 *
 * Namespaces: every heal from nothing fills a new one; the one named in the checkpoint counts, and
 * others are dropped.
 */
export interface DedupeFilter {
  /**
   * Which ids are committed, as the edge sees it: may miss one that is being committed right now,
   * never names one that is not. All 0 when the cache is away.
   */
  known(partition: Partition, namespace: string, ids: Fingerprints): Promise<Known>

  /**
   * Up to where the ids of each namespace go, in the order asked; null: it is not there, or nobody
   * can say. Beyond a checkpoint that is read after this, the books have lost what the cache knows.
   */
  reached(of: readonly Filling[]): Promise<readonly (Offset | null)[]>

  close(): Promise<void>
}

/** One namespace of a partition. */
export interface Filling {
  readonly partition: Partition
  readonly namespace: string
}

export interface Dedupe {
  /** As `known`, but complete: answers only if everything before `start` has been marked. */
  check(
    partition: Partition,
    namespace: string,
    start: Offset,
    ids: Fingerprints,
  ): Promise<CheckAnswer>

  /**
   * Adds `ids`, which came in at the running time `ran`, and moves `synced` from `start` to `end`:
   * both or neither. Answers false, and does nothing, where `synced` is not `start`. Ids that are
   * older than the window by running time may be forgotten. Where `ran` lies before that of an
   * earlier mark the ids are as young as those.
   */
  mark(partition: Partition, namespace: string, run: Run): Promise<boolean>

  /**
   * Begins `namespace` empty with `synced` = `from`, and drops every other one of the partition.
   */
  reset(partition: Partition, namespace: string, from: Offset): Promise<void>

  /** How many ids are held, for the metric `dedupe_ids`. */
  size(): Promise<number>

  close(): Promise<void>
}

export interface Run {
  readonly start: Offset
  readonly end: Offset
  readonly ran: Duration
  readonly ids: Fingerprints
}

export type CheckAnswer =
  | { readonly kind: 'answer'; readonly known: Known }
  /**
   * Heal from `synced` (null: from nothing) with the store's batches, then ask again. Null also
   * where `synced` lies beyond `start`: such a cache knows ids that the store has lost.
   */
  | { readonly kind: 'stale'; readonly synced: Offset | null }
