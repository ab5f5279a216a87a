import type { LogRecord, LogSlice } from '../../parts/event-log/port.ts'
import type { MeasuredSlice, Quarantined } from '../../parts/store/measuring.ts'
import { packFingerprints } from '../../rules/archive/fingerprints.ts'
import type { MeasureResult } from '../../rules/meter/measure-types.ts'
import { markBytes } from '../../rules/meter/route-mark.ts'
import { fingerprintWords } from '../../std/fingerprint.ts'
import type { Duration, Instant } from '../../std/instant.ts'
import { laterOf } from '../../std/instant.ts'
import { digestOf } from './agreement.ts'
import { verdict } from './first-of-id.ts'
import type { Held } from './partitions.ts'

/** A slice on its way to the store: where it lies in the result, and which of its events count. */
export interface Part {
  readonly held: Held
  readonly slice: LogSlice
  readonly first: number
  readonly end: number
  readonly startOffset: number
  readonly endOffset: number
  readonly unreadable: readonly Quarantined[]
  readonly fresh: Uint8Array
}

/** What is known of each event besides its columns: bytes, in the order of the result. */
interface Known {
  readonly billed: Uint8Array
  readonly marks: Uint8Array
}

export function sliceOf(
  part: Part,
  result: MeasureResult,
  { billed, marks }: Known,
): MeasuredSlice {
  const count = part.end - part.first
  const verdicts = new Uint8Array(count)
  const totals = { billed: 0, unmatched: 0, duplicates: 0 }
  for (let event = 0; event < count; event += 1) {
    if (part.fresh[event] !== 1) {
      verdicts[event] = verdict.duplicate
      totals.duplicates += 1
    } else if (billed[part.first + event] === 1) {
      totals.billed += 1
    } else {
      verdicts[event] = verdict.unmatched
      totals.unmatched += 1
    }
  }
  const quarantined = part.unreadable.reduce((sum, record) => sum + record.events, 0)
  return {
    partition: part.held.partition,
    epoch: part.held.epoch,
    start: part.startOffset,
    end: part.endOffset,
    logAt: logTimeOf(part),
    ran: ranOf(part),
    digest: digestOf(lastRecordOf(part)),
    // Counted by the records' own headers, not by what was judged, so that a wrong count shows.
    events: part.slice.records.reduce((sum, record) => sum + record.events, 0),
    ...totals,
    quarantined,
    fingerprints: packFingerprints(printsOf(result, part)),
    verdicts,
    routeMarks: marks.subarray(part.first * markBytes, part.end * markBytes),
  }
}

/** The fingerprints of the events of a part. */
export const printsOf = (
  { fingerprints }: MeasureResult,
  { first, end }: Pick<Part, 'first' | 'end'>,
): Uint32Array => fingerprints.subarray(first * fingerprintWords, end * fingerprintWords)

function lastRecordOf(part: Part): LogRecord {
  const last = part.slice.records.at(-1)
  if (last === undefined) throw new Error('A slice without records reached the commit.')
  return last
}

/** When the last record of the part came in; ids of the earlier ones are remembered as long. */
export const ranOf = ({ held, endOffset }: Part): Duration => held.arrivals.of(endOffset - 1)

/** The latest log time of the part, since log time may step back. */
const logTimeOf = (part: Part): Instant =>
  part.slice.records.reduce((latest, { at }) => laterOf(latest, at), lastRecordOf(part).at)

export function unreadableOf(result: MeasureResult, index: number, slice: LogSlice): Quarantined[] {
  return result.unreadable
    .filter((unreadable) => unreadable.slice === index)
    .flatMap(({ offset, reason }) => {
      const record = slice.records.find((each) => each.offset === offset)
      if (record === undefined) return []
      const { value, events } = record
      return [{ partition: slice.partition, offset, reason, value, events }]
    })
}
