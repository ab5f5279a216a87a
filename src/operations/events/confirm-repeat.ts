import type { Partition } from '../../parts/event-log/port.ts'
import type { ArchiveView, BlockCursor } from '../../parts/store/archive.ts'
import { probesOf } from '../../rules/archive/bloom.ts'
import { findFingerprint } from '../../rules/archive/fingerprints.ts'
import { headReader } from '../../rules/archive/head.ts'
import type { Owner } from '../../rules/archive/line.ts'
import { linesOf, verdicts } from '../../rules/archive/line.ts'
import { measuredRecords } from './measured-records.ts'
import type { ReadEventPorts } from './read-event.ts'

export type ConfirmPorts = Omit<ReadEventPorts, 'eventRetention'>

interface Wanted {
  readonly owner: Owner
  readonly eventId: string
  readonly partition: Partition
  readonly words: readonly [number, number]
}

/** What counted under a fingerprint, as far as it was looked at. */
interface Found {
  same: boolean
  another: boolean
}

/**
 * Whether it is certain that an event whose fingerprint is known is another one than those that
 * counted with it: such a one is there, and none with the id itself. Where the first copy cannot be
 * found any more nothing is certain, and it is a repeat. [issue 10.8]
 *
 * @throws while log or store are away.
 */
export async function isAnother(
  ports: ConfirmPorts,
  owner: Owner,
  eventId: string,
): Promise<boolean> {
  const words = ports.fingerprint(owner.businessId, owner.mode, eventId)
  const partition = ports.partitionOf(...words, ports.partitions)
  const wanted = { owner, eventId, partition, words }
  const found = { same: false, another: false }
  // The tail first: what leaves it meanwhile is in the archive by then.
  await lookInTail(ports, wanted, found)
  if (!found.same) {
    await ports.archive.view((view) => lookInBlocks({ ...ports, view }, wanted, found))
  }
  return found.another && !found.same
}

const tailEventsMax = 20_000
/** A longer tail is not read for it. */
const stretchesMax = 20

async function lookInTail(
  { archive, reader }: ConfirmPorts,
  wanted: Wanted,
  found: Found,
): Promise<void> {
  const { partition, words } = wanted
  const position = (await archive.positions()).find((one) => one.partition === partition)
  if (reader === null || position === undefined) return
  let from = position.archived ?? (await reader.bounds(partition)).first
  for (let looked = 0; from < position.measured && looked < stretchesMax; looked += 1) {
    const range = { from, to: position.measured, eventsMax: tailEventsMax }
    const stretch = await archive.measured(partition, range)
    if (stretch.batches.some((batch) => findFingerprint(batch.fingerprints, words) >= 0)) {
      const whole = { partition, from, bytesMax: Number.POSITIVE_INFINITY }
      const read = await measuredRecords(reader, stretch, whole)
      if (read.kind === 'misfit') return
      for (const record of read.records) {
        const passes = (index: number) =>
          record.verdicts[index] === verdicts.duplicate ||
          record.fingerprints[index * 2] !== words[0] ||
          record.fingerprints[index * 2 + 1] !== words[1]
        note(found, wanted, { lines: linesOf(record.value), passes })
      }
    }
    from = stretch.end
  }
}

async function lookInBlocks(
  { view, fingerprint }: Pick<ConfirmPorts, 'fingerprint'> & { readonly view: ArchiveView },
  wanted: Wanted,
  found: Found,
): Promise<void> {
  const { partition, words } = wanted
  let behind: BlockCursor | null = null
  while (!found.same) {
    const blocks = await view.holding(partition, probesOf(...words), behind)
    for (const block of blocks) {
      const lines = linesOf(await block.ndjson())
      const headOf = headReader()
      const passes = (index: number) => {
        if (block.verdicts[index] === verdicts.duplicate) return true
        const { businessId, mode, eventId } = headOf(lines[index] ?? '')
        const [hi, lo] = fingerprint(businessId, mode, eventId)
        return hi !== words[0] || lo !== words[1]
      }
      note(found, wanted, { lines, passes })
      if (found.same) return
    }
    const last = blocks.at(-1)
    if (last === undefined) return
    behind = { at: last.logAt, blockId: last.blockId }
  }
}

interface Lines {
  readonly lines: readonly string[]
  passes(index: number): boolean
}

/** Notes the lines that counted with the fingerprint; `passes` leaves out the others. */
function note(found: Found, { owner, eventId }: Wanted, { lines, passes }: Lines): void {
  const headOf = headReader()
  for (let index = 0; index < lines.length; index += 1) {
    if (passes(index)) continue
    const head = headOf(lines[index] ?? '')
    const isSame =
      head.eventId === eventId && head.businessId === owner.businessId && head.mode === owner.mode
    if (isSame) found.same = true
    else found.another = true
  }
}
