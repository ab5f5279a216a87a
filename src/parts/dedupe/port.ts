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
 * Every heal from nothing fills a new namespace. The one that is named in the checkpoint counts;
 * the others are dropped.
 */
export interface DedupeFilter {
  /**
   * Which ids are committed, as far as the edge knows: it may miss one that is being committed
   * right now, and never names one that is not. All 0 when the cache is away.
   */
  known(partition: Partition, namespace: string, ids: Fingerprints): Promise<Known>

  /**
   * Up to which offset each namespace holds the ids, in the order asked; null: it is not there, or
   * cannot be reached. Where this lies beyond a checkpoint that is read afterwards, the books have
   * lost what the cache knows.
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
  /** Like `known`, but complete: answers only if everything before `start` has been marked. */
  check(
    partition: Partition,
    namespace: string,
    start: Offset,
    ids: Fingerprints,
  ): Promise<CheckAnswer>

  /**
   * Adds `ids`, which came in at running time `ran`, and moves `synced` from `start` to `end`: both
   * or neither. Answers false, and does nothing, where `synced` is not `start`. Ids that are older
   * than the window, by running time, may be forgotten. Where `ran` lies before the `ran` of an
   * earlier mark, these ids count as being as young as that mark's.
   */
  mark(partition: Partition, namespace: string, run: Run): Promise<boolean>

  /**
   * Begins `namespace` empty with `synced` = `from`, and drops the partition's other namespaces.
   */
  reset(partition: Partition, namespace: string, from: Offset): Promise<void>

  /**
   * How many ids are held, for the metric `dedupe_ids`. One that is marked again counts once; in
   * Redis perhaps twice for a while, where it came among more than 500 others.
   */
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
   * The caller must heal from `synced` (null: from nothing) with the store's batches, and then ask
   * again. Null also where `synced` lies beyond `start`: such a cache knows ids that the store has
   * lost.
   */
  | { readonly kind: 'stale'; readonly synced: Offset | null }
