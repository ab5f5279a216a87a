import type { LogReader, LogRecord, Offset, Partition } from '../../parts/event-log/port.ts'
import type { MeasuredBatch, MeasuredStretch } from '../../parts/store/archive.ts'
import type { MeasuredRecord } from '../../rules/archive/block.ts'
import { markBytes } from '../../rules/meter/route-mark.ts'
import { fingerprintWords } from '../../std/fingerprint.ts'

/** Records with their verdicts, or the reason why log and store do not fit together. */
export type RecordsRead =
  | { readonly kind: 'records'; readonly records: readonly MeasuredRecord[]; readonly end: Offset }
  | { readonly kind: 'misfit'; readonly reason: string }

export interface Wanted {
  readonly partition: Partition
  readonly from: Offset
  /** After so many bytes of the log no further batch is read; batches are always read whole. */
  readonly bytesMax: number
}

const chunkBytes = 512 * 1024

/**
 * Reads what a stretch of batches covers, and gives every record its verdicts. Verdicts are counted
 * off in log order; for a batch that began before `from`, from its end.
 *
 * Never guesses: a record that is in no batch and not in quarantine, or a batch whose number of
 * verdicts is not the number of its events in the log, is a misfit.
 */
export async function measuredRecords(
  reader: Pick<LogReader, 'read'>,
  stretch: MeasuredStretch,
  { partition, from, bytesMax }: Wanted,
): Promise<RecordsRead> {
  const quarantined = new Set(stretch.quarantined)
  const records: MeasuredRecord[] = []
  let ahead: readonly LogRecord[] = []
  let readTo = from
  let next = from
  let bytes = 0
  for (const batch of stretch.batches) {
    const found = await readable(batch.end)
    const judged = withVerdicts(batch, found, from)
    if (typeof judged === 'string') return { kind: 'misfit', reason: judged }
    records.push(...judged)
    next = batch.end
    if (bytes >= bytesMax) return { kind: 'records', records, end: next }
  }
  const rest = await readable(stretch.end)
  if (rest[0] !== undefined) return { kind: 'misfit', reason: unmeasured(rest[0]) }
  return { kind: 'records', records, end: stretch.end }

  /** The records up to `end`; what a chunk holds beyond it is kept for the next batch. */
  async function readable(end: Offset): Promise<readonly LogRecord[]> {
    const found: LogRecord[] = []
    for (;;) {
      const beyond = ahead.findIndex((record) => record.offset >= end)
      found.push(...(beyond === -1 ? ahead : ahead.slice(0, beyond)))
      ahead = beyond === -1 ? [] : ahead.slice(beyond)
      if (beyond !== -1 || readTo >= end) break
      const some = await reader.read(partition, readTo, chunkBytes)
      const last = some.at(-1)
      if (last === undefined) break
      ahead = some
      readTo = last.offset + 1
    }
    bytes += found.reduce((sum, record) => sum + record.value.length, 0)
    return found.filter((record) => !quarantined.has(record.offset))
  }
}

function withVerdicts(
  batch: MeasuredBatch,
  found: readonly LogRecord[],
  from: Offset,
): readonly MeasuredRecord[] | string {
  const before = found.find((record) => record.offset < batch.start)
  if (before !== undefined) return unmeasured(before)
  const events = found.reduce((sum, record) => sum + record.events, 0)
  const { verdicts, fingerprints, routeMarks } = batch
  const skipped = verdicts.length - events
  if (skipped < 0 || (skipped > 0 && batch.start >= from)) {
    return `The batch at offset ${batch.start} has ${verdicts.length} verdicts, the log ${events} events for it.`
  }
  let next = skipped
  return found.map((record) => {
    const first = next
    next += record.events
    return {
      offset: record.offset,
      at: record.at,
      events: record.events,
      value: record.value,
      verdicts: verdicts.subarray(first, next),
      fingerprints: fingerprints.subarray(first * fingerprintWords, next * fingerprintWords),
      routeMarks: routeMarks.subarray(first * markBytes, next * markBytes),
      catalog: batch.catalog,
    }
  })
}

const unmeasured = (record: LogRecord): string =>
  `The record at offset ${record.offset} lies before the checkpoint, but in no batch and not in quarantine.`
