import type { LogOrigin, LogReader } from '../port.ts'
import { continuedIdentity, offsetsOf } from './offsets.ts'

/** A reader of the log as it goes on from `origin`. */
export function continuedReader(reader: LogReader, origin: LogOrigin): LogReader {
  const { shown, start, stored } = offsetsOf(origin)
  return {
    partitions: reader.partitions,
    identity: continuedIdentity(reader.identity),
    lagMax: reader.lagMax,
    async read(partition, from, bytesMax) {
      const first = Math.max(stored(partition, from), start(partition).stored)
      const records = await reader.read(partition, first, bytesMax)
      return records.map((record) => ({ ...record, offset: shown(partition, record.offset) }))
    },
    async bounds(partition) {
      const { first, end } = await reader.bounds(partition)
      const { offset } = start(partition)
      return { first: Math.max(shown(partition, first), offset), end: shown(partition, end) }
    },
    async ends(partitions) {
      const ends = await reader.ends(partitions)
      return partitions.map((partition, index) => shown(partition, ends[index] ?? 0))
    },
    trim: (partition, offset) => reader.trim(partition, stored(partition, offset)),
    close: () => reader.close(),
  }
}
