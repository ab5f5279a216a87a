import type {
  LogRecord,
  LogSlice,
  NewRecord,
  Offset,
  Partition,
} from '../../src/parts/event-log/port.ts'
import type { Duration, Instant } from '../../src/std/instant.ts'
import { after, second } from '../../src/std/instant.ts'
import type { World } from './world.ts'
import { away } from './world.ts'

/** How long a member may be silent before its partitions go to others. */
const sessionMax = 3 * second

/** How long a partition may show less than it has shown before. */
const lagMax = 2 * second

/** How long a partition takes nothing after its leader was lost with records that no other has. */
const electionTime = 1.5 * second

export type SimulatedLog = ReturnType<typeof simulatedLog>

/**
 * The brokers: partitions in arrays, a log clock that may step back, and which member holds which
 * partition. Everything here happens at one moment; callers add the ways there and back.
 */
export function simulatedLog(world: World, partitions: number) {
  let identity = 'log one'
  let clockOff = 0
  const records: LogRecord[][] = Array.from({ length: partitions }, () => [])
  const ever: LogRecord[][] = Array.from({ length: partitions }, () => [])
  const first = Array.from({ length: partitions }, () => 0)
  /** Where the next fetch reads from by mistake, once. */
  const misplaced = new Map<Partition, Offset>()
  const leaderless = new Map<Partition, Instant>()
  /** Partitions that do not show their newest records for a while. */
  const lagging = new Map<Partition, { readonly until: Instant; readonly by: number }>()
  const members = new Map<string, { seen: Instant }>()
  const holders = new Map<Partition, string[]>()
  const wakers = new Set<() => void>()
  let generation = 0
  return {
    partitions,
    lagMax,
    identity: () => identity,
    isOpen,
    append,
    appendSome,
    bounds,
    shownBounds,
    read,
    trim,
    trimTo,
    truncate,
    recreate,
    fetch,
    join,
    leave,
    assignTwice,
    rebalance,
    misplace: (partition: Partition, offset: Offset) => misplaced.set(partition, offset),
    holdersOf: (partition: Partition): readonly string[] => holders.get(partition) ?? [],
    members: () => [...members.keys()],
    /** Its leader does not know that its newest records are everywhere, or has missed them. */
    lag: (partition: Partition, by: number, length: Duration) =>
      lagging.set(partition, { until: after(world.now(), length), by }),
    stepClock: (by: number) => {
      clockOff += by
    },
    onAppend: (wake: () => void) => {
      wakers.add(wake)
      return () => wakers.delete(wake)
    },
    /** For the audit: all records, also those that were trimmed. */
    everOf: (partition: Partition): readonly LogRecord[] => ever[partition] ?? [],
    recordsOf: (partition: Partition): readonly LogRecord[] => records[partition] ?? [],
  }

  function of(partition: Partition): LogRecord[] {
    const found = records[partition]
    if (found === undefined) throw new Error(`There is no partition ${partition}.`)
    return found
  }

  function append(added: readonly NewRecord[]): readonly Offset[] {
    if (added.some(({ partition }) => !isOpen(partition))) throw away()
    const offsets = added.map((record) => {
      const all = of(record.partition)
      const at = after(world.now(), clockOff)
      const offset = end(record.partition)
      const appended = { ...record, value: Uint8Array.from(record.value), at, offset }
      all.push(appended)
      ever[record.partition]?.push(appended)
      return offset
    })
    for (const wake of [...wakers]) wake()
    return offsets
  }

  function isOpen(partition: Partition): boolean {
    return (leaderless.get(partition) ?? 0) <= world.now()
  }

  /** Appends some of the records, and some twice, as a producer without an answer may have done. */
  function appendSome(added: readonly NewRecord[]): readonly Offset[] {
    return added.flatMap((record) => {
      const copies = world.random.pick([0, 1, 1, 2])
      return Array.from({ length: copies }, () => append([record])).flat()
    })
  }

  function end(partition: Partition): Offset {
    return (of(partition).at(-1)?.offset ?? (first[partition] ?? 0) - 1) + 1
  }

  function bounds(partition: Partition): { readonly first: Offset; readonly end: Offset } {
    return { first: first[partition] ?? 0, end: end(partition) }
  }

  function shownBounds(partition: Partition): { readonly first: Offset; readonly end: Offset } {
    const { first: begins, end: ends } = bounds(partition)
    const { until = 0, by = 0 } = lagging.get(partition) ?? {}
    return { first: begins, end: until > world.now() ? Math.max(begins, ends - by) : ends }
  }

  function read(partition: Partition, from: Offset, count: number): readonly LogRecord[] {
    const { end: ends } = shownBounds(partition)
    return of(partition)
      .filter(({ offset }) => offset >= from && offset < ends)
      .slice(0, count)
  }

  /** Trims what measuring and archive have both read, but never more than half of it here. */
  function trim(partition: Partition, offset: Offset): void {
    trimTo(partition, Math.min(offset, end(partition)))
  }

  function trimTo(partition: Partition, offset: Offset): void {
    const kept = of(partition).filter((record) => record.offset >= offset)
    const next = end(partition)
    records[partition] = kept
    first[partition] = Math.max(first[partition] ?? 0, Math.min(offset, next))
  }

  /** An unclean election: it takes a while, the tail is lost, and its offsets are given again. */
  function truncate(partition: Partition, to: Offset): void {
    leaderless.set(partition, after(world.now(), electionTime))
    records[partition] = of(partition).filter(({ offset }) => offset < to)
  }

  function recreate(): void {
    identity = `${identity}, again`
    for (let partition = 0; partition < partitions; partition += 1) {
      records[partition] = []
      first[partition] = 0
      leaderless.set(partition, after(world.now(), electionTime))
    }
  }

  /**
   * What a member is told: its partitions, if they have changed, or records from where it stands.
   */
  function fetch(member: string, known: number, places: ReadonlyMap<Partition, Offset>) {
    join(member)
    expire()
    if (known !== generation) {
      const held = [...holders].flatMap(([partition, by]) =>
        by.includes(member) ? [partition] : [],
      )
      return { kind: 'assigned' as const, generation, held }
    }
    const slices: LogSlice[] = []
    const outside: Partition[] = []
    for (const [partition, offset] of places) {
      // A halted partition is not read on.
      if (offset === Number.MAX_SAFE_INTEGER) continue
      const { first: begins, end: ends } = shownBounds(partition)
      if (offset > ends || offset < begins) outside.push(partition)
      const from = misplaced.get(partition) ?? offset
      misplaced.delete(partition)
      const found = read(partition, from, 1 + world.random.below(4))
      if (found.length > 0) slices.push({ partition, records: found })
    }
    return { kind: 'records' as const, slices, outside }
  }

  function join(member: string): void {
    const one = members.get(member)
    if (one === undefined) {
      members.set(member, { seen: world.now() })
      rebalance()
    } else one.seen = world.now()
  }

  function leave(member: string): void {
    if (members.delete(member)) rebalance()
  }

  function expire(): void {
    const gone = [...members].filter(([, { seen }]) => world.now() - seen > sessionMax)
    for (const [member] of gone) members.delete(member)
    if (gone.length > 0) rebalance()
  }

  function rebalance(): void {
    generation += 1
    holders.clear()
    const all = world.random.shuffled([...members.keys()])
    for (let partition = 0; partition < partitions; partition += 1) {
      const member = all[partition % Math.max(1, all.length)]
      holders.set(partition, member === undefined ? [] : [member])
    }
    world.note('group', describe())
  }

  /** A broker's mistake: two members are told that they hold the same partition. */
  function assignTwice(partition: Partition): void {
    generation += 1
    holders.set(partition, world.random.shuffled([...members.keys()]).slice(0, 2))
    world.note('group', describe())
  }

  function describe(): string {
    const lines = [...holders].map(([partition, by]) => `${partition}: ${by.join(' and ')}`)
    return `generation ${generation}: ${lines.join(', ')}`
  }
}
