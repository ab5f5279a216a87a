import { Fault } from '../../faults.ts'
import type { LogReader, Offset, Partition } from '../../parts/event-log/port.ts'
import type { ArchivePosition, ArchiveWriter } from '../../parts/store/archive.ts'
import type { LogHold } from '../../parts/store/backup.ts'
import type { BatchMerging } from '../../parts/store/batches.ts'
import type { DayPartitions } from '../../parts/store/partitions.ts'
import type { BelievedClock } from '../../runtime/clock.ts'
import type { Logger } from '../../runtime/logger.ts'
import { loop } from '../../runtime/loop.ts'
import type { Duration } from '../../std/instant.ts'
import { archiveNext, trimmableOf } from './archiver.ts'
import { mergeBatches } from './batches.ts'
import type { DroppedDay, Retention } from './days.ts'
import { keepDays } from './days.ts'
import type { MergerNeeds } from './merger.ts'
import { mergeNext } from './merger.ts'
import type { Trimmed, Trimming } from './trimming.ts'
import { trimLog } from './trimming.ts'

export interface ArchivingNeeds extends MergerNeeds {
  readonly archive: ArchiveWriter
  readonly reader: LogReader
  readonly partitions: DayPartitions
  readonly batches: BatchMerging
  readonly hold: LogHold
  /** What is dropped, and how old it is, goes by believed time. [guarantees#clocks] */
  readonly clock: Pick<BelievedClock, 'believed'>
  readonly logger: Logger
}

export interface ArchivingOptions {
  readonly retention: Retention
  readonly dedupeWindow: Duration
  /** Null: the log is not trimmed here, since Kafka has a retention of its own. */
  readonly trim: Trimming | null
  readonly report: ArchivingReport
  /** The pause between two rounds in milliseconds: how far the archive trails the log. */
  readonly intervalMs?: number
}

/** What an operator should hear about. */
export interface ArchivingReport {
  /**
   * Called once for every new reason: this partition is not archived any more until a person looks.
   */
  halted(partition: Partition, reason: string): void
  /** Called with the days that were dropped, whose events cannot be read any more. */
  dropped(days: readonly DroppedDay[]): void
  trimmed(partition: Partition, trimmed: Trimmed): void
  /** A whole round failed, for example because the store was away; the next one tries again. */
  failed(error: unknown): void
}

export interface Archiving {
  start(): void
  /** Resolves when the round that is under way has ended. */
  stop(): Promise<void>
  /** Runs one whole round, for tests and for callers that must not wait. */
  round(): Promise<void>
  /**
   * The end (exclusive) of the records in the partition's log that are both measured and archived.
   */
  trimmable(partition: Partition): Promise<Offset>
}

// For how long a process leaves a partition alone after another one was faster there, so that two
// of them come to share the partitions instead of doing everything twice.
const deferenceMs = 5_000
// By monotonic time, so that no step of a clock hurries or delays a round.
const trimEveryMs = 10_000
const daysEveryMs = 3_600_000
const batchesEveryMs = 60_000

/**
 * The loop: archives every partition as far as it is measured, trims the log, merges small blocks
 * and old batches, makes and drops days. Every step may run in several processes at the same time,
 * and may crash anywhere.
 */
export function archiving(needs: ArchivingNeeds, options: ArchivingOptions): Archiving {
  const { archive, clock } = needs
  const { intervalMs = 1_000, report } = options
  const halted = new Map<Partition, string>()
  const restingTo = new Map<Partition, number>()
  const daysDue = every(daysEveryMs)
  const batchesDue = every(batchesEveryMs)
  const trimDue = every(trimEveryMs)
  let stopped = false
  const looking = loop({ name: 'archive', work, idleMs: intervalMs, logger: needs.logger })
  return { start: looking.start, stop, round, trimmable }

  async function work(): Promise<boolean> {
    await round().catch(report.failed)
    return false
  }

  async function stop(): Promise<void> {
    stopped = true
    await looking.stop()
  }

  async function round(): Promise<void> {
    await daysDue(async () => {
      const dropped = await keepDays(needs.partitions, options.retention, clock.believed())
      if (dropped.length > 0) report.dropped(dropped)
    })
    const positions = await archive.positions()
    for (const position of positions) {
      await archiveAll(position).catch((error: unknown) => setAside(position.partition, error))
    }
    await batchesDue(async () => {
      const bounds = { dedupeWindow: options.dedupeWindow, goesOn: () => !stopped }
      for (const { partition } of positions) await mergeBatches(needs.batches, partition, bounds)
    })
    const { trim } = options
    if (trim === null) return
    await trimDue(() => trimLog(needs, { ...trim, trimmed: report.trimmed }, clock.believed()))
  }

  async function archiveAll(position: ArchivePosition): Promise<void> {
    const { partition } = position
    if (performance.now() < (restingTo.get(partition) ?? 0)) return
    let current: ArchivePosition | undefined = position
    let moved = false
    while (current !== undefined && !stopped) {
      const step = await archiveNext(needs, current)
      if (step.kind === 'lost') restingTo.set(partition, performance.now() + deferenceMs)
      if (step.kind === 'halted') announce(partition, step.reason)
      if (step.kind !== 'moved') break
      moved = true
      halted.delete(partition)
      if (step.left) break
      current = await positionOf(partition)
    }
    while (moved && !stopped && (await mergeNext(needs, partition)));
  }

  /**
   * Trouble with one partition must not keep the others from being archived; a store that is away
   * does.
   */
  function setAside(partition: Partition, error: unknown): void {
    if (error instanceof Fault || !(error instanceof Error)) throw error
    announce(partition, error.message)
  }

  function announce(partition: Partition, reason: string): void {
    if (halted.get(partition) !== reason) report.halted(partition, reason)
    halted.set(partition, reason)
  }

  async function trimmable(partition: Partition): Promise<Offset> {
    const position = await positionOf(partition)
    return position === undefined ? 0 : trimmableOf(position)
  }

  async function positionOf(partition: Partition): Promise<ArchivePosition | undefined> {
    return (await archive.positions()).find((position) => position.partition === partition)
  }
}

/** Does `work` the first time, and then whenever so much time has passed since it last did. */
function every(ms: number): (work: () => Promise<void>) => Promise<void> {
  let dueAt = Number.NEGATIVE_INFINITY
  return async (work) => {
    if (performance.now() < dueAt) return
    await work()
    dueAt = performance.now() + ms
  }
}
