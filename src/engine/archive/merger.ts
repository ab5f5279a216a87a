import type { Partition } from '../../parts/event-log/port.ts'
import type { ArchiveWriter } from '../../parts/store/archive.ts'
import { draftOf, recordsOf } from '../../rules/archive/block.ts'
import { headReader } from '../../rules/archive/head.ts'
import { blocksToMerge } from '../../rules/archive/merging.ts'
import type { Mode } from '../../rules/meter/meter.ts'
import { passing } from '../../runtime/moments.ts'
import type { Fingerprint } from '../../std/fingerprint.ts'
import type { Indexed } from './indexing.ts'
import { blockWith } from './indexing.ts'

export interface MergerNeeds {
  readonly archive: ArchiveWriter
  readonly indexed: Indexed
  /** The keyed hash of an event's identity (std/fingerprint.ts). */
  fingerprint(businessId: string, mode: Mode, eventId: string): Fingerprint
}

// How many of the latest blocks are looked at. Small blocks are young, and older ones are merged
// already.
const looked = 128

/**
 * Makes one block of neighbouring small ones, if there are enough. True when it did, and there may
 * be more to merge. A crash before the last line, which is one statement, costs nothing.
 */
export async function mergeNext(
  { archive, fingerprint, indexed }: MergerNeeds,
  partition: Partition,
): Promise<boolean> {
  const run = blocksToMerge(await archive.latest(partition, looked))
  const [first, last] = [run[0], run.at(-1)]
  if (first === undefined || last === undefined) return false
  const bodies = await archive.load(run)
  // Another process merged some of them first: the next look finds its result.
  if (bodies.includes(null)) return false
  const headOf = headReader()
  const records = bodies.flatMap((body) => (body === null ? [] : recordsOf(body, identityOf)))
  const block = await blockWith(indexed, draftOf(records, first.start, last.end))
  passing('merging')
  return archive.replace(partition, run, block)

  function identityOf(text: string): Fingerprint {
    const { businessId, eventId, mode } = headOf(text)
    return fingerprint(businessId, mode, eventId)
  }
}
