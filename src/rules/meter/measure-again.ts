import { textOf } from '../../std/bytes.ts'
import type { Instant } from '../../std/instant.ts'
import { compileCatalogs } from './catalog.ts'
import { doubles, words } from './column.ts'
import { lineTexts, readLineAgain } from './lines.ts'
import type { KnownBusiness } from './measure-rows.ts'
import { measureRows } from './measure-rows.ts'
import type {
  BusinessCatalog,
  MeasureAgainTask,
  MeasuredAgain,
  MeasureGroup,
  MeasureResult,
  MeasureRows,
  MeasureSlice,
} from './measure-types.ts'

/**
 * Measures the events of some businesses again, under catalogs that have moved since everything was
 * measured. Lines of other businesses are passed over unread, so this costs them little.
 * [machines#the-catalogue-while-it-changes]
 */
export function measureAgain({ slices, unreadable, catalogs }: MeasureAgainTask): MeasuredAgain {
  const businesses = JSON.parse(textOf(catalogs)) as readonly BusinessCatalog[]
  const catalogOf = compileCatalogs(businesses)
  const known = new Map<string, KnownBusiness>()
  for (const { businessId, mode } of businesses) {
    const catalog = catalogOf(businessId, mode)
    if (catalog !== null) known.set(`${mode} ${businessId}`, { catalog, names: new Map() })
  }
  const names = [...new Set(businesses.map(({ businessId }) => JSON.stringify(businessId)))]
  const rows = measureRows()
  let event = 0
  for (const record of recordsOf(slices, unreadable)) {
    for (const text of lineTexts(record.value)) {
      // A line with a backslash may write the names in more than one way, so it is read in any
      // case.
      if (text.includes('\\') || names.some((name) => text.includes(name))) {
        const { line, timestamp, backfilledAt } = readLineAgain(text)
        const business = known.get(`${line.mode} ${line.business_id}`)
        const moment = { event, timestamp, receivedAt: record.at, backfilledAt }
        if (business !== undefined) rows.match(line, business, moment)
      }
      event += 1
    }
  }
  const versions = businesses.map(({ businessId, mode, version }) => ({
    businessId,
    mode,
    version,
  }))
  return { groups: rows.groups, rows: rows.done(), catalogs: versions }
}

/** The records that could be read the first time: the same bytes can be read again. */
function* recordsOf(
  slices: readonly MeasureSlice[],
  unreadable: MeasureResult['unreadable'],
): Generator<MeasureSlice['records'][number]> {
  const skipped = new Set(unreadable.map(({ slice, offset }) => `${slice} ${offset}`))
  for (const [slice, { records }] of slices.entries()) {
    for (const record of records) if (!skipped.has(`${slice} ${record.offset}`)) yield record
  }
}

/** The result with the new rows of some businesses in place of the rows that it had of them. */
export function withMeasuredAgain(result: MeasureResult, again: MeasuredAgain): MeasureResult {
  const nameOf = ({ businessId, mode }: Pick<MeasureGroup, 'businessId' | 'mode'>): string =>
    `${mode} ${businessId}`
  const moved = new Set(again.catalogs.map(nameOf))
  const kept: MeasureGroup[] = []
  const numbers = result.groups.map((group) =>
    moved.has(nameOf(group)) ? null : kept.push(group) - 1,
  )
  return {
    ...result,
    groups: [...kept, ...again.groups],
    rows: joined(
      { rows: result.rows, numberOf: (group) => numbers[group] ?? null },
      { rows: again.rows, numberOf: (group) => kept.length + group },
    ),
    catalogs: [...result.catalogs.filter((used) => !moved.has(nameOf(used))), ...again.catalogs],
  }
}

interface RowsOf {
  readonly rows: MeasureRows
  /** The group's number among all that are joined; null: its rows are left out. */
  readonly numberOf: (group: number) => number | null
}

function joined(...parts: readonly RowsOf[]): MeasureRows {
  const columns = { event: words(), group: words(), timestamp: doubles(), quantity: doubles() }
  const exact = new Map<number, bigint>()
  const eventIds = new Map<number, string>()
  const backfilledAt = new Map<number, Instant>()
  let count = 0
  for (const { rows, numberOf } of parts) {
    for (let row = 0; row < rows.count; row += 1) {
      const group = numberOf(rows.group[row] ?? 0)
      if (group === null) continue
      columns.event.push(rows.event[row] ?? 0)
      columns.group.push(group)
      columns.timestamp.push(rows.timestamp[row] ?? 0)
      columns.quantity.push(rows.quantity[row] ?? 0)
      const [precise, eventId] = [rows.exact.get(row), rows.eventIds.get(row)]
      const backfilled = rows.backfilledAt.get(row)
      if (precise !== undefined) exact.set(count, precise)
      if (eventId !== undefined) eventIds.set(count, eventId)
      if (backfilled !== undefined) backfilledAt.set(count, backfilled)
      count += 1
    }
  }
  const { event, group, timestamp, quantity } = columns
  return {
    count,
    exact,
    eventIds,
    backfilledAt,
    event: event.done(),
    group: group.done(),
    timestamp: timestamp.done(),
    quantity: quantity.done(),
  }
}
