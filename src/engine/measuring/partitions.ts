import { randomBytes } from 'node:crypto'
import type { Dedupe } from '../../parts/dedupe/port.ts'
import type { LogReader, Offset, Partition } from '../../parts/event-log/port.ts'
import type { Checkpoint, Measuring } from '../../parts/store/measuring.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Logger } from '../../runtime/logger.ts'
import { passing } from '../../runtime/moments.ts'
import type { Duration } from '../../std/instant.ts'
import { agreement, doubt } from './agreement.ts'
import type { Arrivals } from './arrivals.ts'
import { arrivals } from './arrivals.ts'
import { inDedupeRuns } from './dedupe-runs.ts'
import type { Sight } from './sight.ts'
import { sightBy } from './sight.ts'

/** A partition that this process holds. `next`: the offset up to which the store has committed. */
export interface Held {
  readonly partition: Partition
  readonly epoch: number
  namespace: string
  next: Offset
  /** Looks at the log since the partition was taken, or its checkpoint was moved. */
  arrivals: Arrivals
  /** When the log was last seen to continue what was measured. */
  seen: Sight
  /** Where the group was told to read on; set until what it delivers begins there. */
  sought: Offset | null
}

export interface PartitionNeeds {
  readonly store: Measuring
  readonly dedupe: Dedupe
  readonly reader: LogReader
  readonly clock: Clock
  readonly logger: Logger
  /** Ids that are younger than this by running time must be known. */
  readonly window: Duration
  /** Time since an unknown moment; nobody can set it. */
  readonly monotonic: () => Duration
}

/**
 * The partitions that this process holds: taken with an epoch, compared with the log, and healed.
 */
export interface Partitions {
  /**
   * Takes the partition and answers where to read from; null when it had to be halted.
   *
   * @throws while the log lacks what was measured, but perhaps only does not know it yet.
   */
  take(partition: Partition): Promise<Held | null>
  /** The group gave the partition to another process. */
  lost(partition: Partition): void
  /**
   * Another process works on the partition: forgets it, unless it was taken again since. Where the
   * group leaves it with this process all the same, the group has it taken again.
   */
  forget(held: Held): void
  get(partition: Partition): Held | undefined
  held(): readonly Held[]
  /** Those that the group gave us: the ones that we hold, and the ones that are halted. */
  given(): readonly Partition[]
  /**
   * Compares each partition with its checkpoint and the log. Nothing of them may be under way.
   * Answers those whose `next` was moved, back or on, to be read from there.
   */
  compared(): Promise<readonly Held[]>
  /**
   * Compares one partition with the log; halts it, or forgets it where it belongs to another
   * process.
   */
  confirm(held: Held): Promise<void>
  /** Heals dedupe if it does not know everything that was measured before `held.next`. */
  ensureHealed(held: Held): Promise<void>
  /**
   * Makes dedupe know everything that was measured before `held.next`. False: another process works
   * on this partition, and it was forgotten.
   */
  heal(held: Held, synced: Offset | null): Promise<boolean>
  halt(held: Held, reason: string): Promise<void>
  /** The partition was found halted: nothing of it is measured until it goes on. It stays ours. */
  standStill(held: Held): void
}

export function partitions(needs: PartitionNeeds): Partitions {
  const { store, dedupe, reader, clock, logger, window, monotonic } = needs
  const holding = new Map<Partition, Held>()
  /**
   * Partitions that the group gave us and that are halted; they are taken when the checkpoint is no
   * longer halted.
   */
  const standing = new Set<Partition>()
  const { judged } = agreement({ reader, monotonic, logger })
  return {
    take,
    lost,
    forget,
    get: (partition) => holding.get(partition),
    held: () => [...holding.values()],
    given: () => [...new Set([...holding.keys(), ...standing])],
    compared,
    confirm,
    ensureHealed,
    heal,
    halt,
    standStill,
  }

  function lost(partition: Partition): void {
    holding.delete(partition)
    standing.delete(partition)
  }

  function forget(held: Held): void {
    if (holding.get(held.partition) === held) holding.delete(held.partition)
  }

  async function take(partition: Partition): Promise<Held | null> {
    const checkpoint = await store.take(partition, reader.identity, newNamespace())
    // What we held until now is of an epoch that is over.
    holding.delete(partition)
    const held: Held = {
      partition,
      epoch: checkpoint.epoch,
      namespace: checkpoint.namespace,
      next: checkpoint.nextOffset,
      arrivals: arrivals({ ran: checkpoint.ran, at: monotonic() }),
      seen: sightBy({ clock, monotonic }),
      sought: null,
    }
    const { halted } = checkpoint
    const wrong = await judged(checkpoint)
    if (wrong === doubt) throw new Error('The log does not know all that was measured.')
    if (wrong !== null) {
      if (halted === null) await halt(held, wrong)
      else logger.error({ partition, reason: halted }, 'partition is halted')
      standing.add(partition)
      return null
    }
    if (halted !== null) await resume(held, halted)
    standing.delete(partition)
    holding.set(partition, held)
    if (held.next === 0) await begin(held)
    return held
  }

  /**
   * Nothing was measured yet, so dedupe is complete under the name that the checkpoint already has.
   * A heal at the first events would rename it, and the edge would filter nothing until it heard of
   * that.
   */
  async function begin({ partition, namespace }: Held): Promise<void> {
    await dedupe.reset(partition, namespace, 0).catch((error: unknown) => {
      logger.warn({ partition, error }, 'dedupe could not begin; the first events will heal it')
    })
  }

  /**
   * Repeated from time to time, since nothing announces these changes: a store that lost its last
   * commits has an older checkpoint, and without events no commit would notice; a log that lost its
   * tail gives its offsets again.
   */
  async function compared(): Promise<readonly Held[]> {
    const moved: Held[] = []
    const checkpoints = await store.checkpoints()
    // A store that was older than the taking has never heard of it: the group has it taken again.
    const known = new Set(checkpoints.map(({ partition }) => partition))
    for (const held of [...holding.values()]) if (!known.has(held.partition)) forget(held)
    for (const checkpoint of checkpoints) {
      const { partition } = checkpoint
      const held = holding.get(partition)
      if (held === undefined) {
        const taken = (await mayTake(checkpoint)) ? await takenLater(partition) : null
        if (taken !== null) moved.push(taken)
        continue
      }
      if (held.epoch !== checkpoint.epoch) {
        forget(held)
        continue
      }
      if (checkpoint.halted !== null) {
        standStill(held)
        continue
      }
      const wrong = await judged(checkpoint)
      // Where the group leaves it with us, the group has it taken again, which asks until it is
      // known.
      if (wrong === doubt) forget(held)
      else if (wrong !== null) await halt(held, wrong)
      else if (held.next !== checkpoint.nextOffset) {
        held.next = checkpoint.nextOffset
        held.arrivals = arrivals({ ran: checkpoint.ran, at: monotonic() })
        moved.push(held)
      }
    }
    return moved
  }

  /**
   * A halted partition is taken like any other once its reason is gone, or once the halt itself is:
   * an operator has taken it back, or the store has lost it with its last commits. The process that
   * takes it halts it again if need be, so that no partition stands still without saying so.
   */
  async function mayTake(checkpoint: Checkpoint): Promise<boolean> {
    if (!standing.has(checkpoint.partition)) return false
    return checkpoint.halted === null || (await judged(checkpoint)) === null
  }

  async function confirm(held: Held): Promise<void> {
    const found = (await store.checkpoints()).find((one) => one.partition === held.partition)
    if (found?.epoch !== held.epoch) return forget(held)
    if (found.halted !== null) return standStill(held)
    const wrong = await judged(found)
    if (wrong === doubt) forget(held)
    else if (wrong !== null) await halt(held, wrong)
  }

  /** It was halted until just now: the next look tries again. */
  async function takenLater(partition: Partition): Promise<Held | null> {
    return await take(partition).catch((error: unknown) => {
      logger.warn({ partition, error }, 'a partition that was halted cannot be taken yet')
      return null
    })
  }

  async function ensureHealed(held: Held): Promise<void> {
    const { partition, namespace, next } = held
    const answer = await dedupe.check(partition, namespace, next, new Uint32Array(0))
    if (answer.kind === 'stale') await heal(held, answer.synced)
  }

  async function heal(held: Held, synced: Offset | null): Promise<boolean> {
    const { partition, next } = held
    logger.info({ partition, synced, next }, 'healing dedupe')
    if (synced !== null && synced < next && (await refill(held, held.namespace, synced))) {
      return true
    }
    // From nothing: fills a new namespace, which the checkpoint names only when it is complete.
    const namespace = newNamespace()
    const from = await firstBatch(held)
    await dedupe.reset(partition, namespace, from)
    const isWhole = await refill(held, namespace, from)
    const stretch = { epoch: held.epoch, from, next, age: window }
    if (isWhole && (await store.rename(partition, stretch, namespace))) {
      held.namespace = namespace
      return true
    }
    // The batches are not those that we committed, the store has lost some of them (or has them
    // again, after a copy without them was in its place), or the epoch is not ours. Going on to
    // heal would take dedupe away from the process that works on the partition, again and again.
    logger.warn({ partition, next, isWhole }, 'a partition changed while its dedupe was healed')
    forget(held)
    return false
  }

  async function firstBatch({ partition, next }: Held): Promise<Offset> {
    for await (const batch of store.batches(partition, 0, window)) return batch.start
    return next
  }

  /** Marks run after run; false where one does not join the one before. */
  async function refill(held: Held, namespace: string, from: Offset): Promise<boolean> {
    let reached = from
    for await (const run of inDedupeRuns(store.batches(held.partition, from, window), window)) {
      if (run.start !== reached) return false
      if (!(await dedupe.mark(held.partition, namespace, run))) return false
      reached = run.end
      passing('healing')
    }
    return reached === held.next
  }

  /**
   * Ends the halt because its reason is mended: the log has what was measured, and continues it.
   */
  async function resume({ epoch, partition }: Held, reason: string): Promise<void> {
    await store.resume(partition, epoch)
    logger.warn({ partition, reason }, 'a halted partition goes on: it fits the log again')
  }

  async function halt(held: Held, reason: string): Promise<void> {
    logger.error({ partition: held.partition, reason }, 'partition halted')
    await store.halt(held.partition, held.epoch, reason)
    standStill(held)
  }

  function standStill(held: Held): void {
    if (holding.get(held.partition) !== held) return
    holding.delete(held.partition)
    standing.add(held.partition)
  }
}

const newNamespace = (): string => randomBytes(9).toString('base64url')
