import { createHash, randomBytes } from 'node:crypto'
import type { Dedupe } from '../../parts/dedupe/port.ts'
import type { LogReader, LogRecord, Offset, Partition } from '../../parts/event-log/port.ts'
import type { Checkpoint, Measuring } from '../../parts/store/measuring.ts'
import type { Logger } from '../../runtime/logger.ts'
import { passing } from '../../runtime/moments.ts'
import type { Duration } from '../../std/instant.ts'
import { gathered } from './gathered.ts'

/** A partition that this process holds. `next`: what the store has committed up to. */
export interface Held {
  readonly partition: Partition
  readonly epoch: number
  namespace: string
  next: Offset
  /** Where the group was told to read on, until what it delivers begins there. */
  sought: Offset | null
}

export interface PartitionNeeds {
  readonly store: Measuring
  readonly dedupe: Dedupe
  readonly reader: LogReader
  readonly logger: Logger
  /** Ids younger than this by log time must be known. */
  readonly window: Duration
}

/** The partitions held by this process: taken with an epoch, checked against the log, healed. */
export interface Partitions {
  /** Takes it and answers where to read from; null when it had to be halted. */
  take(partition: Partition): Promise<Held | null>
  lost(partition: Partition): void
  get(partition: Partition): Held | undefined
  held(): readonly Held[]
  /** Heals dedupe if it does not know everything that was measured before `held.next`. */
  ensureHealed(held: Held): Promise<void>
  /** Makes dedupe know everything that was measured before `held.next`. */
  heal(held: Held, synced: Offset | null): Promise<void>
  halt(held: Held, reason: string): Promise<void>
}

export function partitions({ store, dedupe, reader, logger, window }: PartitionNeeds): Partitions {
  const holding = new Map<Partition, Held>()
  return {
    take,
    lost: (partition) => void holding.delete(partition),
    get: (partition) => holding.get(partition),
    held: () => [...holding.values()],
    ensureHealed,
    heal,
    halt,
  }

  async function take(partition: Partition): Promise<Held | null> {
    const checkpoint = await store.take(partition, reader.identity, newNamespace())
    const held: Held = {
      partition,
      epoch: checkpoint.epoch,
      namespace: checkpoint.namespace,
      next: checkpoint.nextOffset,
      sought: null,
    }
    const wrong = checkpoint.halted ?? (await contradiction(checkpoint))
    if (wrong !== null) {
      await halt(held, wrong)
      return null
    }
    holding.set(partition, held)
    if (held.next === 0) await begin(held)
    return held
  }

  /**
   * Nothing was measured yet, so dedupe is complete under the name that the checkpoint has already:
   * a heal at the first events would rename it, and the edge would filter nothing until it heard.
   */
  async function begin({ partition, namespace }: Held): Promise<void> {
    await dedupe.reset(partition, namespace, 0).catch((error: unknown) => {
      logger.warn({ partition, error }, 'dedupe could not begin; the first events will heal it')
    })
  }

  /**
   * Offsets can lie: a recreated log, a lost tail, another copy of the database. It never guesses.
   * (design 3, rule 2)
   */
  async function contradiction(checkpoint: Checkpoint): Promise<string | null> {
    const { partition, nextOffset, digest } = checkpoint
    if (checkpoint.logIdentity !== reader.identity) {
      return 'the event log is not the one measured: put the log and the database of one backup together'
    }
    const { first, end } = await reader.bounds(partition)
    if (end < nextOffset) {
      return `the log ends at ${end}, before the checkpoint ${nextOffset}: it is an older copy than the database; restore both from one backup`
    }
    if (first > nextOffset) {
      return `the log begins at ${first}, after the checkpoint ${nextOffset}: the database is an older copy, and what came in between is not kept any more; restore a newer copy of the database`
    }
    if (nextOffset === 0 || first >= nextOffset || digest === null) return null
    const [record] = await reader.read(partition, nextOffset - 1, 1)
    if (record === undefined || !sameBytes(digestOf(record), digest)) {
      return `record ${nextOffset - 1} is not the one that was measured: log and database went different ways; restore both from one backup`
    }
    return null
  }

  async function ensureHealed(held: Held): Promise<void> {
    const { partition, namespace, next } = held
    const answer = await dedupe.check(partition, namespace, next, new Uint32Array(0))
    if (answer.kind === 'stale') await heal(held, answer.synced)
  }

  async function heal(held: Held, synced: Offset | null): Promise<void> {
    const { partition, next } = held
    logger.info({ partition, synced, next }, 'healing dedupe')
    if (synced !== null && synced < next && (await refill(held, held.namespace, synced))) return
    // From nothing: a new namespace, named in the checkpoint only when it is complete.
    const namespace = newNamespace()
    const from = await firstBatch(held)
    await dedupe.reset(partition, namespace, from)
    if (!(await refill(held, namespace, from))) {
      throw new Error(`The batches of partition ${partition} have a gap before ${next}.`)
    }
    if (await store.rename(partition, held.epoch, namespace)) held.namespace = namespace
  }

  async function firstBatch({ partition, next }: Held): Promise<Offset> {
    for await (const batch of store.batches(partition, 0, window)) return batch.start
    return next
  }

  /** Marks run after run; false where they do not join up. */
  async function refill(held: Held, namespace: string, from: Offset): Promise<boolean> {
    let reached = from
    for await (const run of gathered(store.batches(held.partition, from, window), window)) {
      if (run.start !== reached) return false
      if (!(await dedupe.mark(held.partition, namespace, run))) return false
      reached = run.end
      passing('healing')
    }
    return reached === held.next
  }

  async function halt(held: Held, reason: string): Promise<void> {
    logger.error({ partition: held.partition, reason }, 'partition halted')
    await store.halt(held.partition, held.epoch, reason)
    holding.delete(held.partition)
  }
}

const newNamespace = (): string => randomBytes(9).toString('base64url')

/** Ties an offset to what was there when it was measured. */
export function digestOf(record: LogRecord): Uint8Array {
  return createHash('sha256')
    .update(`${record.offset} ${record.at} ${record.events} `)
    .update(record.value)
    .digest()
    .subarray(0, 16)
}

const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0
