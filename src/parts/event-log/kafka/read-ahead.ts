import type { ShareRoom } from '../../../std/in-shares.ts'
import { inShares } from '../../../std/in-shares.ts'
import type { LogRecord, LogSlice, Offset, Partition } from '../port.ts'

/** What is read ahead of one partition. */
export interface ReadAhead {
  readonly partition: Partition
  paused: boolean
  /** The offset that the next poll begins with; null: not known yet, so nothing is read. */
  next: Offset | null
  /** The offset to fetch next. */
  fetched: Offset
  records: LogRecord[]
  bytes: number
}

export function readAheadOf(partition: Partition): ReadAhead {
  return { partition, paused: false, next: null, fetched: 0, records: [], bytes: 0 }
}

/** Forgets the records that were read ahead and reads on from `offset`; null: until it is known. */
export function moveTo(ahead: ReadAhead, offset: Offset | null): void {
  ahead.next = offset
  ahead.fetched = offset ?? 0
  ahead.records = []
  ahead.bytes = 0
}

/** Adds what a fetch from `from` brought, unless `moveTo` was called meanwhile. */
export function extend(
  ahead: ReadAhead,
  from: Offset,
  fetched: { readonly records: readonly LogRecord[]; readonly next: Offset },
): void {
  if (ahead.next === null || ahead.fetched !== from) return
  for (const record of fetched.records) {
    ahead.records.push(record)
    ahead.bytes += record.value.length
  }
  ahead.fetched = fetched.next
}

/** Takes up to `bytesMax` of what was read ahead. */
export function collect(ready: readonly ReadAhead[], bytesMax: number): LogSlice[] {
  const taken = inShares(ready, bytesMax, { take, sizeOf: ({ value }) => value.length })
  return [...taken].map(([{ partition }, records]) => ({ partition, records }))
}

function take(ahead: ReadAhead, room: ShareRoom): readonly LogRecord[] {
  const records = ahead.records.splice(0, fitting(ahead, room))
  if (records.length === 0) return records
  ahead.bytes -= records.reduce((sum, { value }) => sum + value.length, 0)
  ahead.next = ahead.records[0]?.offset ?? ahead.fetched
  return records
}

function fitting({ records }: ReadAhead, { share, left, atLeastOne }: ShareRoom): number {
  let [bytes, count] = [0, 0]
  for (const { value } of records) {
    bytes += value.length
    if (bytes > share) break
    count += 1
  }
  if (count > 0) return count
  const first = records[0]?.value.length ?? Number.POSITIVE_INFINITY
  return records.length > 0 && (atLeastOne || first <= left) ? 1 : 0
}
