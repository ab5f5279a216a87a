import type {
  GroupHandler,
  LogGroup,
  LogReader,
  LogSlice,
  Offset,
} from '../../../src/parts/event-log/port.ts'

/** One member that holds every partition of a log in memory. */
export interface MemoryGroup extends LogGroup {
  /** Records that were handed out, repeats included. */
  readonly delivered: number
}

/** `recordsMax` is small, so that several polls are under way. */
export function memoryGroup(log: LogReader, handler: GroupHandler, recordsMax = 3): MemoryGroup {
  const next = new Map<number, Offset>()
  let delivered = 0
  return {
    poll,
    seek: (partition, offset) => void next.set(partition, offset),
    pause: () => undefined,
    close: () => Promise.resolve(),
    get delivered() {
      return delivered
    },
  }

  async function poll(): Promise<readonly LogSlice[]> {
    const slices: LogSlice[] = []
    for (let partition = 0; partition < log.partitions; partition += 1) {
      if (!next.has(partition)) next.set(partition, await handler.taken(partition))
      const from = next.get(partition) ?? 0
      const { end } = await log.bounds(partition)
      const records = from < end ? await log.read(partition, from, Number.MAX_VALUE) : []
      const taken = records.slice(0, recordsMax)
      if (taken.length === 0) continue
      next.set(partition, from + taken.length)
      delivered += taken.length
      slices.push({ partition, records: taken })
    }
    // A real log without records waits, too, and lets others take their turn.
    await new Promise((done) => setTimeout(done, slices.length === 0 ? 5 : 0))
    return slices
  }
}
