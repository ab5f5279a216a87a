import { AssertionError } from 'node:assert/strict'
import type { Logger } from '../../../runtime/logger.ts'
import { loop } from '../../../runtime/loop.ts'
import type { GroupHandler, Offset, Partition } from '../port.ts'
import type { ReadAhead } from './read-ahead.ts'
import { moveTo, readAheadOf } from './read-ahead.ts'
import type { Signal } from './signal.ts'

export interface HeldPartitionsNeeds {
  readonly handler: GroupHandler
  readonly logger: Logger
  /** Fires when the group closes, so that nobody waits any longer. */
  readonly stopping: Signal
  /** Called when the offsets or partitions to be fetched have changed. */
  readonly changed: () => void
  readonly failed: (error: AssertionError) => void
}

/** The partitions that this member holds, and where each is read. */
export interface HeldPartitions {
  all(): readonly ReadAhead[]
  partitions(): readonly Partition[]
  /** Undefined where this member does not hold the partition. */
  get(partition: Partition): ReadAhead | undefined
  pause(partition: Partition, paused: boolean): void
  /** Called after every join with this member's share. */
  share(partitions: readonly Partition[]): void
  /** Called when the log does not have the offset that is to be read. */
  outOfRange(partition: Partition): void
  /** How far the handler has come; where the handler cannot say, how far polls have come. */
  positions(): ReadonlyMap<Partition, Offset>
  close(): void
}

interface Held {
  readonly ahead: ReadAhead
  /**
   * `taking`: the handler is being asked where to read on. `again`: it must be asked once more
   * after that.
   */
  taking: boolean
  again: boolean
  answeredAt: number
  missedAt: number
}

/**
 * To take a partition is to ask the handler where to read it from. That happens after every join,
 * after an offset that the log does not have, and when the handler says that it does not hold the
 * partition. Until it answers, nothing of the partition is read; other partitions go on. A handler
 * that throws is asked again.
 */
export function createHeldPartitions(needs: HeldPartitionsNeeds): HeldPartitions {
  const { handler, logger, stopping } = needs
  const holding = new Map<Partition, Held>()
  const pausing = new Set<Partition>()
  let closed = false
  const watch = loop({
    name: 'dropped partitions',
    idleMs: watchMs,
    restsFirst: true,
    logger,
    async work() {
      lookForDropped()
      return false
    },
  })
  watch.start()
  return {
    all: () => [...holding.values()].map(({ ahead }) => ahead),
    partitions: () => [...holding.keys()],
    get: (partition) => holding.get(partition)?.ahead,
    pause,
    share,
    outOfRange,
    positions,
    close,
  }

  function pause(partition: Partition, paused: boolean): void {
    if (paused) pausing.add(partition)
    else pausing.delete(partition)
    const held = holding.get(partition)
    if (held !== undefined) held.ahead.paused = paused
  }

  function share(partitions: readonly Partition[]): void {
    if (closed) return
    for (const partition of holding.keys()) {
      if (partitions.includes(partition)) continue
      holding.delete(partition)
      handler.lost(partition)
    }
    for (const partition of partitions) {
      if (!holding.has(partition)) holding.set(partition, heldOf(partition))
      take(partition)
    }
    needs.changed()
  }

  function heldOf(partition: Partition): Held {
    const ahead = readAheadOf(partition)
    ahead.paused = pausing.has(partition)
    const never = Number.NEGATIVE_INFINITY
    return { ahead, taking: false, again: false, answeredAt: never, missedAt: never }
  }

  function take(partition: Partition): void {
    const held = holding.get(partition)
    if (held === undefined) return
    moveTo(held.ahead, null)
    held.again = true
    // One question at a time: otherwise the older of two answers could come last.
    if (!held.taking) void taken(partition, held)
  }

  async function taken(partition: Partition, held: Held): Promise<void> {
    held.taking = true
    for (let failures = 0; held.again && ours(partition, held); ) {
      held.again = false
      try {
        const from = await handler.taken(partition)
        // A seek that came meanwhile counts, because it is younger than the answer.
        if (!held.again && held.ahead.next === null) moveTo(held.ahead, from)
        held.answeredAt = performance.now()
      } catch (error) {
        if (error instanceof AssertionError) return needs.failed(error)
        logger.warn({ error, partition }, 'the partition cannot be taken yet')
        held.again = true
        failures += 1
        await stopping.fired(Math.min(250 * 2 ** failures, retryMsMax))
      }
    }
    held.taking = false
    // Another member got the partition while the handler was asked, so it was told `lost` too
    // early; told again.
    if (!ours(partition, held) && !holding.has(partition)) handler.lost(partition)
    needs.changed()
  }

  function ours(partition: Partition, held: Held): boolean {
    return !closed && holding.get(partition) === held
  }

  function outOfRange(partition: Partition): void {
    const held = holding.get(partition)
    if (held === undefined) return
    const { ahead } = held
    logger.error(
      { partition, offset: ahead.fetched },
      'the event log does not have the offset that comes next: nothing is read past the gap',
    )
    const soon = performance.now() - held.missedAt < gapMs
    held.missedAt = performance.now()
    moveTo(ahead, null)
    if (soon) takeLater(partition, held)
    else take(partition)
  }

  function takeLater(partition: Partition, held: Held): void {
    void stopping.fired(gapMs).then(() => {
      if (ours(partition, held) && held.ahead.next === null && !held.taking) take(partition)
    })
  }

  /**
   * Takes a partition again that the handler has dropped: another process had taken it with a
   * younger epoch, and the group has given it back to this one since.
   */
  function lookForDropped(): void {
    if (handler.position === undefined) return
    for (const [partition, { ahead, taking, answeredAt }] of holding) {
      if (taking || ahead.next === null || ahead.next === Number.MAX_SAFE_INTEGER) continue
      if (performance.now() - answeredAt < watchMs || handler.position(partition) !== null) continue
      logger.warn({ partition }, 'the partition is ours and nobody measures it: taken again')
      take(partition)
    }
  }

  function positions(): ReadonlyMap<Partition, Offset> {
    const found = new Map<Partition, Offset>()
    for (const [partition, { ahead }] of holding) {
      const position = handler.position === undefined ? ahead.next : handler.position(partition)
      if (position !== null && position < Number.MAX_SAFE_INTEGER) found.set(partition, position)
    }
    return found
  }

  function close(): void {
    closed = true
    void watch.stop()
  }
}

const watchMs = 5_000
const gapMs = 10_000
const retryMsMax = 5_000
