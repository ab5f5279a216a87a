import type { CatalogOf } from './catalog.ts'
import { doubles, words } from './column.ts'
import type { Lines } from './lines.ts'
import { readRecord } from './lines.ts'
import type { KnownBusiness } from './measure-rows.ts'
import { measureRows } from './measure-rows.ts'
import type { MeasureGroup, MeasureResult, MeasureSlice } from './measure-types.ts'
import type { LogLine } from './usage-event.ts'

/** Hashes event ids to [hi, lo, rest] each (std/fingerprint.ts). */
export interface IdFingerprinter {
  fingerprints(businessId: string, mode: string, ids: readonly string[]): Uint32Array
}

/**
 * Turns records of the event log into columns: which event, whose meter, how much. Sums nothing up,
 * because it is not known yet which events are repeats. The result depends on the arguments alone,
 * so a slice that is measured again gives the same columns. Never throws because of what a record
 * holds. [machines#settling, guarantees#exactly-once]
 */
export function measure(
  task: { readonly slices: readonly MeasureSlice[] },
  fingerprinter: IdFingerprinter,
  catalogOf: CatalogOf,
): MeasureResult {
  const read: Lines = { lines: [], timestamps: [], backfilledAt: [] }
  const businesses = businessTable(catalogOf)
  const ids = idColumn(fingerprinter)
  const rows = measureRows()
  const receivedAt = doubles()
  const sliceStarts = words()
  const unreadable: { slice: number; offset: number; reason: string }[] = []
  let events = 0
  for (const [slice, { records }] of task.slices.entries()) {
    sliceStarts.push(events)
    for (const record of records) {
      const reason = readRecord(record.value, record.events, read)
      if (reason !== null) {
        unreadable.push({ slice, offset: record.offset, reason })
        continue
      }
      for (const [index, line] of read.lines.entries()) {
        ids.add(line)
        receivedAt.push(record.at)
        const timestamp = read.timestamps[index]
        const business = businesses.of(line)
        if (business !== null && timestamp !== undefined) {
          const backfilledAt = read.backfilledAt[index]
          const moment = { event: events, timestamp, receivedAt: record.at, backfilledAt }
          rows.match(line, business, moment)
        }
        events += 1
      }
    }
  }
  sliceStarts.push(events)
  if (businesses.missing.length > 0) return nothing(businesses.missing, task.slices.length)
  return {
    missing: [],
    events,
    fingerprints: ids.done(),
    receivedAt: receivedAt.done(),
    sliceStarts: sliceStarts.done(),
    unreadable,
    groups: rows.groups,
    rows: rows.done(),
    catalogs: businesses.catalogs(),
  }
}

function businessTable(catalogOf: CatalogOf) {
  const known = new Map<string, KnownBusiness | null>()
  const missing: Pick<MeasureGroup, 'businessId' | 'mode'>[] = []
  let lastLine: LogLine | null = null
  let last: KnownBusiness | null = null
  return { of, missing, catalogs }

  /**
   * The business of a line; null: the catalog does not have it. Lines of one business mostly follow
   * each other.
   */
  function of(line: LogLine): KnownBusiness | null {
    if (lastLine?.business_id === line.business_id && lastLine.mode === line.mode) return last
    lastLine = line
    last = find(line)
    return last
  }

  function find({ business_id: businessId, mode }: LogLine): KnownBusiness | null {
    const key = `${mode} ${businessId}`
    const found = known.get(key)
    if (found !== undefined) return found
    const catalog = catalogOf(businessId, mode)
    const business = catalog === null ? null : { catalog, names: new Map() }
    known.set(key, business)
    if (business === null) missing.push({ businessId, mode })
    return business
  }

  function catalogs(): MeasureResult['catalogs'] {
    return [...known.values()].flatMap((business) => {
      if (business === null) return []
      const { businessId, mode, version } = business.catalog
      return [{ businessId, mode, version }]
    })
  }
}

/** Hashes the ids of consecutive events of one business in one call. */
function idColumn(fingerprinter: IdFingerprinter) {
  const fingerprints = words()
  let run: { readonly first: LogLine; readonly ids: string[] } | null = null
  return { add, done }

  function add(line: LogLine): void {
    if (run?.first.business_id === line.business_id && run.first.mode === line.mode) {
      run.ids.push(line.event_id)
      return
    }
    flush()
    run = { first: line, ids: [line.event_id] }
  }

  function flush(): void {
    if (run === null) return
    const { first, ids } = run
    fingerprints.append(fingerprinter.fingerprints(first.business_id, first.mode, ids))
    run = null
  }

  function done(): Uint32Array {
    flush()
    return fingerprints.done()
  }
}

function nothing(missing: MeasureResult['missing'], slices: number): MeasureResult {
  const rows = measureRows()
  return {
    missing,
    events: 0,
    fingerprints: new Uint32Array(0),
    receivedAt: new Float64Array(0),
    sliceStarts: new Uint32Array(slices + 1),
    unreadable: [],
    groups: rows.groups,
    rows: rows.done(),
    catalogs: [],
  }
}
