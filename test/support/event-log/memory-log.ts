import type { LogReader, LogRecord, NewRecord } from '../../../src/parts/event-log/port.ts'
import type { Instant } from '../../../src/std/instant.ts'

/** An event log in memory, for tests of what reads one. */
export interface MemoryLog extends LogReader {
  append(record: NewRecord, at: Instant): LogRecord
  /** The most bytes that a read answers: where it is small, every read comes in pieces. */
  bytesMax: number
}

export function memoryLog(partitions: number): MemoryLog {
  const records: LogRecord[][] = Array.from({ length: partitions }, () => [])
  const firsts = Array.from({ length: partitions }, () => 0)
  const log: MemoryLog = {
    partitions,
    identity: 'memory',
    lagMax: 0,
    bytesMax: Number.POSITIVE_INFINITY,
    append,
    read,
    bounds,
    ends: (of) => Promise.all(of.map(async (partition) => (await bounds(partition)).end)),
    trim,
    close: () => Promise.resolve(),
  }
  return log

  function append(record: NewRecord, at: Instant): LogRecord {
    const all = of(record.partition)
    const appended = { ...record, at, offset: all.length }
    all.push(appended)
    return appended
  }

  function read(partition: number, from: number, bytesMax: number): Promise<readonly LogRecord[]> {
    const first = Math.max(from, firsts[partition] ?? 0)
    const found: LogRecord[] = []
    let bytes = 0
    for (const record of of(partition).slice(first)) {
      bytes += record.value.length
      if (found.length > 0 && bytes > Math.min(bytesMax, log.bytesMax)) break
      found.push(record)
    }
    return Promise.resolve(found)
  }

  function bounds(partition: number): Promise<{ first: number; end: number }> {
    return Promise.resolve({ first: firsts[partition] ?? 0, end: of(partition).length })
  }

  function trim(partition: number, offset: number): Promise<void> {
    firsts[partition] = Math.max(firsts[partition] ?? 0, offset)
    return Promise.resolve()
  }

  function of(partition: number): LogRecord[] {
    const found = records[partition]
    if (found === undefined) throw new Error(`There is no partition ${partition}.`)
    return found
  }
}
