import type { Block, BlockBody, CatalogRun } from '../../rules/archive/block.ts'
import type { Owner } from '../../rules/archive/line.ts'
import type { BlockSize } from '../../rules/archive/merging.ts'
import type { ListedBlock } from '../../rules/archive/skipping.ts'
import type { Instant } from '../../std/instant.ts'
import type { Offset, Partition } from '../event-log/port.ts'
import type { UsageSource } from './voids.ts'

/** How far one partition has been measured and archived. */
export interface ArchivePosition {
  readonly partition: Partition
  /** The next offset to archive; null when the partition was never archived. */
  readonly archived: Offset | null
  /** The latest log time that was archived; 1970 when nothing was. */
  readonly archivedAt: Instant
  /** The next offset to measure. */
  readonly measured: Offset
  /** Everything that came into the log up to this log time has been measured. */
  readonly measuredAt: Instant
}

/** What one measuring transaction found out about the events in [start, end). */
export interface MeasuredBatch {
  readonly start: Offset
  readonly end: Offset
  /** Two words per event. */
  readonly fingerprints: Uint32Array
  /** One byte per event, in log order; records in quarantine have none. */
  readonly verdicts: Uint8Array
  /** Two bytes per event (rules/meter/route-mark.ts). */
  readonly routeMarks: Uint8Array
  readonly catalog: unknown
}

/** A stretch of a partition that was measured: up to `end`, as the checkpoint stood. */
export interface MeasuredStretch {
  readonly batches: readonly MeasuredBatch[]
  /** Ascending offsets of the records that could not be read. */
  readonly quarantined: readonly Offset[]
  readonly end: Offset
}

/** A partition with what of it is measured and not archived. */
export interface MeasuredTail extends ArchivePosition {
  /** Null where nothing is, or where the partition was never archived. */
  readonly stretch: MeasuredStretch | null
}

/**
 * What the archive's writer and its readers both ask: what is measured, and what of that is
 * archived.
 */
export interface MeasuredLog {
  /** One row per partition that was ever measured, in order of partitions; all of one moment. */
  positions(): Promise<readonly ArchivePosition[]>

  /** The same, with the stretch (of `eventsMax` events or little more) behind what is archived. */
  tails(eventsMax: number): Promise<readonly MeasuredTail[]>

  /**
   * The batches that cover offsets from `from` to `to`, from the one that holds `from` on, until
   * they hold `eventsMax` events (at least one batch). `end` is the last one's end; `to` where
   * there is none.
   */
  measured(
    partition: Partition,
    range: { readonly from: Offset; readonly to: Offset; readonly eventsMax: number },
  ): Promise<MeasuredStretch>
}

/** Names a kept block. */
export interface BlockKey {
  readonly blockId: number
  readonly logAt: Instant
}

export interface KeptBlock extends BlockKey, BlockSize {}

/** The archive as its writer sees it. Every method that writes is one statement: all or nothing. */
export interface ArchiveWriter extends MeasuredLog {
  /** Begins the archive of a partition at `offset`; does nothing when it has begun. */
  begin(partition: Partition, offset: Offset): Promise<void>

  /**
   * Keeps the blocks, and moves the end of the partition's archive from `start` to `end`. False,
   * and nothing is kept, when it does not stand at `start`: another writer was first.
   */
  append(run: ArchiveRun): Promise<boolean>

  /** The latest blocks of a partition without their contents, in log order. */
  latest(partition: Partition, max: number): Promise<readonly KeptBlock[]>

  /** The contents, in the order of `keys`; null for a block that is no longer there. */
  load(keys: readonly BlockKey[]): Promise<readonly (BlockBody | null)[]>

  /** Puts `block` in place of `keys`; false, and nothing changes, unless all of them are there. */
  replace(partition: Partition, keys: readonly BlockKey[], block: Block): Promise<boolean>
}

export interface ArchiveRun {
  readonly partition: Partition
  readonly start: Offset
  readonly end: Offset
  readonly blocks: readonly Block[]
}

/** A block that may hold what is looked for. */
export interface FoundBlock extends BlockKey {
  /** The newest timestamp that the business has in it. Only `page` fills it in. */
  readonly lastAt: Instant
  /** −1 for a block that was dropped meanwhile. */
  readonly partition: Partition
  readonly verdicts: Uint8Array
  readonly places: Uint8Array
  /** Unpacks the lines. Empty for a block that was dropped meanwhile. */
  ndjson(): Promise<Uint8Array>
}

/** A block with the catalog that its events were measured under. */
export interface HeldBlock extends FoundBlock {
  readonly routeMarks: Uint8Array
  readonly catalogs: readonly CatalogRun[]
}

/** Which events of which business. Times are the events' own timestamps; both ends are included. */
export interface BlockFilter extends Owner {
  readonly customerId: string | null
  readonly eventName: string | null
  readonly from: Instant | null
  readonly to: Instant | null
}

/** Where a walk through the blocks goes on: after this block. */
export interface BlockCursor {
  readonly at: Instant
  readonly blockId: number
}

/** The archive at one moment: no block comes, goes or is merged while somebody looks at it. */
export interface ArchiveView {
  /** Blocks of a partition whose filter may hold the id (`probesOf`), latest log time first. */
  holding(
    partition: Partition,
    probes: readonly number[],
    behind: BlockCursor | null,
  ): Promise<readonly HeldBlock[]>

  /** Blocks with events that may pass the filter, latest `lastAt` first, at most `max`. */
  page(filter: BlockFilter, behind: BlockCursor | null, max: number): Promise<readonly FoundBlock[]>

  /** An upper bound of how many events pass the filter. */
  countAtMost(filter: BlockFilter): Promise<number>

  /**
   * The newest blocks that may hold what passes the filter, latest `lastAt` first: so many that
   * those in front of the last one hold no more than `most` events. Doubtful are those with events
   * that came into the log at `doubtfulFrom` or later.
   */
  newest(
    filter: BlockFilter,
    most: number,
    doubtfulFrom: Instant | null,
  ): Promise<readonly NewBlock[]>

  /** Blocks by their keys, in no order. */
  keyed(keys: readonly BlockKey[]): Promise<readonly FoundBlock[]>
}

export interface NewBlock extends BlockKey, ListedBlock {}

/** Events that came into the log in [from, to). */
export interface ReceivedFilter {
  /** Those of one customer and name alone; null: all. */
  readonly source: UsageSource | null
  readonly from: Instant
  readonly to: Instant
}

/** The archive in the order of the log, for readers that need every event once. */
export interface ArchiveStretches extends MeasuredLog, Pick<ArchiveWriter, 'load'> {
  /** Blocks of a partition, from `offset` on, that may hold such events, in log order. */
  received(
    partition: Partition,
    offset: Offset,
    filter: ReceivedFilter,
  ): Promise<readonly (BlockKey & { readonly end: Offset })[]>
}

/** The archive as reads see it. */
export interface ArchiveReader extends MeasuredLog {
  view<T>(look: (view: ArchiveView) => Promise<T>): Promise<T>
}
