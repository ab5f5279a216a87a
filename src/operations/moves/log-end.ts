import { Refusal } from '../../faults.ts'
import type {
  LogReader,
  LogRecord,
  NewRecord,
  Offset,
  Partition,
} from '../../parts/event-log/port.ts'
import type { MovedPartition } from '../../parts/store/moving.ts'
import type { Instant } from '../../std/instant.ts'
import { instantOf } from '../../std/instant.ts'

/** The records of a partition that the next log needs: [from, end). */
export interface LogEnd {
  readonly partition: Partition
  readonly from: Offset
  readonly end: Offset
}

/**
 * What a store needs of its log besides what it has measured and archived: all that comes after
 * that, and the record before it, whose digest proves that the log is still the same one.
 * [machines#measuring]
 *
 * @throws Refusal where store and log do not fit together.
 */
export async function logEnds(
  log: LogReader,
  positions: readonly MovedPartition[],
): Promise<readonly LogEnd[]> {
  const ends: LogEnd[] = []
  for (let partition = 0; partition < log.partitions; partition += 1) {
    const { first, end } = await log.bounds(partition)
    const position = positions.find((each) => each.partition === partition)
    if (position === undefined) {
      ends.push({ partition, from: first, end })
      continue
    }
    refuseMisfit(log, position, { first, end })
    const { measured, archived } = position
    const needed = Math.min(archived ?? first, measured)
    ends.push({ partition, from: Math.max(first, needed - 1), end })
  }
  return ends
}

function refuseMisfit(
  { identity }: LogReader,
  { partition, halted, logIdentity, measured, archived }: MovedPartition,
  { first, end }: { readonly first: Offset; readonly end: Offset },
): void {
  const because = (reason: string) =>
    new Refusal(`Partition ${partition} cannot be moved: ${reason}. Mend that first.`)
  if (halted !== null) throw because(`it is halted, since ${halted}`)
  if (identity !== logIdentity) throw because('the event log is not the one that was measured')
  const needed = Math.min(archived ?? first, measured)
  if (needed < first) throw because(`its log begins at ${first}, and ${needed} is needed`)
  if (measured > end) throw because(`its log ends at ${end}, before what was measured`)
}

/** The records of a partition's end, some at a time, without a gap. */
export async function* readEnd(
  log: LogReader,
  { partition, from, end }: LogEnd,
): AsyncIterable<readonly LogRecord[]> {
  for (let next = from; next < end; ) {
    const records = await log.read(partition, next, readBytes)
    const wanted = records.filter(({ offset }) => offset < end)
    for (const { offset } of wanted) {
      if (offset !== next) throw new Error(gap(partition, next))
      next += 1
    }
    if (wanted.length === 0) throw new Error(gap(partition, next))
    yield wanted
  }
}

const readBytes = 1024 * 1024
const gap = (partition: Partition, offset: Offset): string =>
  `Record ${offset} of partition ${partition} is not in the log any more: export again.`

/** A record in a file: log time in microseconds, number of events, the value in base64. */
export type RecordLine = readonly [at: Instant, events: number, value: string]

export const lineOf = ({ at, events, value }: LogRecord): RecordLine => [
  at,
  events,
  Buffer.from(value).toString('base64'),
]

export const recordIn = (partition: Partition, [at, events, value]: RecordLine): NewRecord => ({
  partition,
  at: instantOf(at),
  events,
  value: Buffer.from(value, 'base64'),
})
