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

/**
 * Each partition with records may take an equal part of `bytesMax`, and leaves the rest to those
 * behind it. A record larger than its part is taken if it fits into what is left, or if it would be
 * the only one.
 */
export function collect(ready: readonly ReadAhead[], bytesMax: number): LogSlice[] {
  const slices: LogSlice[] = []
  let left = bytesMax
  for (const [index, ahead] of ready.entries()) {
    const share = Math.floor(left / (ready.length - index))
    const count = fitting(ahead, { share, left, atLeastOne: slices.length === 0 })
    if (count === 0) continue
    const records = ahead.records.splice(0, count)
    const bytes = records.reduce((sum, { value }) => sum + value.length, 0)
    ahead.bytes -= bytes
    left -= bytes
    ahead.next = ahead.records[0]?.offset ?? ahead.fetched
    slices.push({ partition: ahead.partition, records })
  }
  return slices
}

interface Room {
  readonly share: number
  readonly left: number
  readonly atLeastOne: boolean
}

function fitting({ records }: ReadAhead, { share, left, atLeastOne }: Room): number {
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
