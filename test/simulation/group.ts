import type {
  EventLog,
  GroupHandler,
  LogGroup,
  LogReader,
  LogSlice,
  NewRecord,
  Offset,
  Partition,
} from '../../src/parts/event-log/port.ts'
import type { SimulatedLog } from './event-log.ts'
import type { Call } from './world.ts'

/**
 * One process's end of the event log. A connection learns the log's identity once, when it opens.
 */
export function logOf(log: SimulatedLog, call: Call): EventLog & LogReader {
  return {
    partitions: log.partitions,
    identity: log.identity(),
    lagMax: log.lagMax,
    append: (records: readonly NewRecord[]) =>
      call('log.append', (fate) =>
        fate === 'unanswered' ? log.appendSome(records) : log.append(records),
      ),
    read: (partition, from) => call(`log.read ${partition}`, () => log.read(partition, from, 5)),
    bounds: (partition) => call(`log.bounds ${partition}`, () => log.shownBounds(partition)),
    ends: (of) => call('log.ends', () => of.map((partition) => log.shownBounds(partition).end)),
    trim: (partition, offset) => call('log.trim', () => log.trim(partition, offset)),
    close: () => Promise.resolve(),
  }
}

/** How long after an answer a partition may be dropped before it is taken again. */
const watchMs = 1_000

interface Place {
  /** Null: the handler must be asked. */
  next: Offset | null
  paused: boolean
  /** Changes with every seek, so that what was fetched before does not move the place. */
  sought: number
}

/**
 * A member like that of a driver: it asks its handler at every rebalance, and again for a partition
 * whose place lies outside of the log.
 */
export function groupOf(options: {
  readonly log: SimulatedLog
  readonly call: Call
  readonly member: string
  readonly handler: GroupHandler
  /** Does something in the member's process a little later. */
  readonly soon: (work: () => void) => void
}): LogGroup {
  const { log, call, member, handler, soon } = options
  const places = new Map<Partition, Place>()
  const answeredAt = new Map<Partition, number>()
  let generation = -1
  let closed = false
  return { poll, seek, pause, close }

  async function poll(_bytesMax: number, waitMs: number): Promise<readonly LogSlice[]> {
    const found = await fetched()
    if (found.length > 0 || closed) return found
    await appended(waitMs)
    return fetched()
  }

  async function fetched(): Promise<readonly LogSlice[]> {
    for (const partition of forgotten()) await take(partition)
    const open = [...places].filter(([, place]) => !place.paused && place.next !== null)
    const before = new Map(open.map(([partition, place]) => [partition, place.sought]))
    const from = new Map(open.map(([partition, place]) => [partition, place.next ?? 0]))
    const answer = await call('group.fetch', () => log.fetch(member, generation, from))
    if (answer.kind === 'assigned') {
      await assigned(answer.held)
      // Set only now: where a handler threw, the next poll asks again.
      generation = answer.generation
      return []
    }
    for (const partition of answer.outside) await take(partition)
    for (const { partition, records } of answer.slices) {
      const place = places.get(partition)
      const last = records.at(-1)
      if (place === undefined || last === undefined) continue
      if (place.sought === before.get(partition)) place.next = last.offset + 1
    }
    return answer.slices
  }

  async function assigned(held: readonly Partition[]): Promise<void> {
    for (const partition of [...places.keys()]) {
      if (held.includes(partition)) continue
      places.delete(partition)
      handler.lost(partition)
    }
    for (const partition of held) await take(partition)
  }

  async function take(partition: Partition): Promise<void> {
    const known = places.get(partition)
    const sought = known?.sought ?? 0
    if (known !== undefined) known.next = null
    const next = await handler.taken(partition)
    answeredAt.set(partition, performance.now())
    const place = places.get(partition)
    // A seek that came meanwhile counts, because it is younger than the answer.
    if (place !== undefined && place.next !== null && place.sought !== sought) return
    places.set(partition, { next, paused: place?.paused ?? false, sought: sought + 1 })
  }

  /**
   * Partitions that are ours and that the handler has dropped a while ago, because a late process
   * had taken them.
   */
  function forgotten(): readonly Partition[] {
    const now = performance.now()
    return [...places].flatMap(([partition, { next }]) => {
      if (next === null) return [partition]
      if (next === Number.MAX_SAFE_INTEGER) return []
      if (now - (answeredAt.get(partition) ?? now) < watchMs) return []
      return handler.position?.(partition) === null ? [partition] : []
    })
  }

  function appended(waitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(done, waitMs)
      const forget = log.onAppend(() => soon(done))
      function done(): void {
        forget()
        clearTimeout(timer)
        resolve()
      }
    })
  }

  function seek(partition: Partition, offset: Offset): void {
    const place = places.get(partition)
    if (place === undefined) return
    place.next = offset
    place.sought += 1
  }

  function pause(partition: Partition, paused: boolean): void {
    const place = places.get(partition)
    if (place !== undefined) place.paused = paused
  }

  async function close(): Promise<void> {
    closed = true
    log.leave(member)
  }
}
