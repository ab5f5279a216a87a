import type { LogRecord, Offset } from '../../parts/event-log/port.ts'
import type { Owner } from '../../rules/archive/line.ts'
import { belongsTo, mayHoldAll, ndjsonLines, parseLine } from '../../rules/archive/line.ts'
import type { ReadEventNeeds } from './read-event.ts'

const chunkBytes = 512 * 1024
const bytesMax = 8 * 1024 * 1024

/** The offset (exclusive) up to which the partition of an event is measured. */
export async function measuredUpTo(
  needs: ReadEventNeeds,
  owner: Owner,
  eventId: string,
): Promise<Offset> {
  const partition = partitionOf(needs, owner, eventId)
  const positions = await needs.archive.positions()
  return positions.find((position) => position.partition === partition)?.measured ?? 0
}

/**
 * Whether the event is in the log from there on, accepted but not measured yet. True also when
 * measuring is so far behind that looking would take long, since any event may be there then.
 */
export async function isUnmeasured(
  needs: ReadEventNeeds,
  owner: Owner,
  { eventId, from }: { readonly eventId: string; readonly from: Offset },
): Promise<boolean> {
  const { reader } = needs
  if (reader === null) return false
  const partition = partitionOf(needs, owner, eventId)
  let bytes = 0
  for (let next = from; bytes < bytesMax; ) {
    const records = await reader.read(partition, next, chunkBytes)
    const last = records.at(-1)
    if (last === undefined) return false
    if (records.some((record) => holds(record, owner, eventId))) return true
    bytes += records.reduce((sum, record) => sum + record.value.length, 0)
    next = last.offset + 1
  }
  return true
}

/** A record that cannot be read holds no events, because measuring will put it into quarantine. */
function holds({ value }: LogRecord, owner: Owner, eventId: string): boolean {
  return ndjsonLines(value).some((text) => {
    if (!mayHoldAll(text, [eventId])) return false
    try {
      const line = parseLine(text)
      return line.event_id === eventId && belongsTo(owner, line)
    } catch {
      return false
    }
  })
}

function partitionOf(needs: ReadEventNeeds, { businessId, mode }: Owner, eventId: string) {
  const [, , , place] = needs.identity(businessId, mode, eventId)
  return needs.partitionOf(place, needs.partitions)
}
