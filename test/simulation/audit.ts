import { Buffer } from 'node:buffer'
import type { LogRecord } from '../../src/parts/event-log/port.ts'
import type { LogLine } from '../../src/rules/meter/usage-event.ts'
import { instantOf, parseInstant, second } from '../../src/std/instant.ts'
import type { ModelEvent } from '../model/usage.ts'
import { modelUsage, rowName } from '../model/usage.ts'
import { facts } from './audit-facts.ts'
import type { Promises } from './clients.ts'
import type { Fleet } from './fleet.ts'
import type { Received } from './receiver.ts'
import { accountKeys, links, meters, scopes, unitsPerCredit } from './shop.ts'
import type { Tables, UsageRow } from './tables.ts'
import { keyName } from './tables.ts'

export interface Audit {
  readonly fleet: Fleet
  /** Everything that was ever in the log, in order. */
  readonly records: readonly (readonly LogRecord[])[]
  readonly promises: Promises
  readonly received: Received
}

/** Compares the books with what the clients were promised; answers what differs. */
export function audit(audited: Audit): readonly string[] {
  const tables = audited.fleet.site.store.tables()
  const told = [
    ...clocks(audited.fleet),
    ...accountsAside(tables),
    ...facts(audited, tables),
    ...halted(audited, tables),
  ]
  if (audited.fleet.hasLost()) return [...told, ...counted(tables)]
  const read = readLog(audited.records)
  return [
    ...told,
    ...counted(tables),
    ...promised(audited.promises, read),
    ...usage(tables, read),
    ...totals(tables, read),
    ...credits(audited, tables),
  ]
}

interface ReadLog {
  /** First copies, by business. */
  readonly events: ReadonlyMap<string, readonly ModelEvent[]>
  readonly names: ReadonlySet<string>
  readonly totals: readonly {
    readonly events: number
    readonly distinct: number
    readonly bad: number
  }[]
}

/**
 * The model's own reading of the log: the first copy of an id counts, and what is not JSON does
 * not.
 */
function readLog(partitions: Audit['records']): ReadLog {
  const events = new Map<string, ModelEvent[]>()
  const names = new Set<string>()
  const totals = partitions.map((records) => {
    const total = { events: 0, distinct: 0, bad: 0 }
    for (const record of records) {
      total.events += record.events
      const lines = linesOf(record)
      if (lines === null) total.bad += record.events
      for (const line of lines ?? []) {
        const name = `${line.business_id} ${line.event_id}`
        if (names.has(name)) continue
        names.add(name)
        total.distinct += 1
        const own = events.get(line.business_id) ?? []
        own.push(modelEvent(line, record))
        events.set(line.business_id, own)
      }
    }
    return total
  })
  return { events, names, totals }
}

function linesOf({ value, events }: LogRecord): readonly LogLine[] | null {
  const texts = Buffer.from(value).toString().split('\n').slice(0, -1)
  if (texts.length !== events) return null
  try {
    const lines = texts.map((text) => JSON.parse(text) as LogLine)
    return lines.every(({ event_id }) => typeof event_id === 'string') ? lines : null
  } catch {
    return null
  }
}

const modelEvent = (line: LogLine, record: LogRecord): ModelEvent => ({
  eventId: line.event_id,
  customerId: line.customer_id,
  eventName: line.event_name,
  timestamp: parseInstant(line.timestamp) ?? instantOf(0),
  receivedAt: record.at,
  metadata: line.metadata ?? null,
})

/** [guarantees#durable] */
const promised = ({ accepted }: Promises, { names }: ReadLog): readonly string[] =>
  [...accepted].filter((name) => !names.has(name)).map((name) => `${name}: answered 200, and lost`)

/** [guarantees#exactly-once] */
function usage(tables: Tables, { events }: ReadLog): readonly string[] {
  return scopes.flatMap(({ businessId }) => {
    const expected = modelUsage(events.get(businessId) ?? [], meters, {
      routesOf: () => [],
      linksOf: () => links,
    })
    const rows = [...tables.usage.values()].filter((row) => row.businessId === businessId)
    const actual = new Map(rows.map((row) => [modelName(row), `${row.events} ${row.value}`]))
    return differences(`usage of ${businessId}`, expected, actual)
  })
}

const modelName = (row: UsageRow): string =>
  rowName([
    row.customerId,
    row.routeId,
    row.meterId,
    row.entitlementId,
    row.cycleAt,
    row.segmentAt,
    row.logHour,
  ])

function differences(
  what: string,
  expected: ReadonlyMap<string, string>,
  actual: ReadonlyMap<string, string>,
): readonly string[] {
  return [...new Set([...expected.keys(), ...actual.keys()])]
    .filter((name) => expected.get(name) !== actual.get(name))
    .map((name) => {
      const [right, wrong] = [expected.get(name) ?? 'nothing', actual.get(name) ?? 'nothing']
      return `${what}, ${name}: ${wrong} instead of ${right}`
    })
}

/** Everything must be accounted for, and judged as the log says. */
function totals({ checkpoints }: Tables, read: ReadLog): readonly string[] {
  return read.totals.flatMap(({ events, distinct, bad }, partition) => {
    const own = checkpoints.get(partition)?.totals
    if (own === undefined) return events === 0 ? [] : [`${partition} was never taken`]
    const expected = { events, counted: distinct, duplicates: events - bad - distinct, bad }
    const counted = own.billed + own.unmatched
    const { duplicates, quarantined } = own
    const actual = { events: own.events, counted, duplicates, bad: quarantined }
    const [right, wrong] = [JSON.stringify(expected), JSON.stringify(actual)]
    return right === wrong ? [] : [`totals of ${partition}: ${wrong} instead of ${right}`]
  })
}

/** By the verdicts no id may count twice. */
function counted({ batches }: Tables): readonly string[] {
  return [...batches].flatMap(([partition, all]) => {
    const seen = new Set<string>()
    return all.flatMap(({ fingerprints, verdicts, start }) =>
      [...verdicts].flatMap((verdict, event) => {
        if (verdict === 2) return []
        const id = Buffer.from(fingerprints.subarray(event * 12, event * 12 + 12)).toString('hex')
        const twice = seen.has(id)
        seen.add(id)
        return twice ? [`${partition}: ${id} counts again in the batch at ${start}`] : []
      }),
    )
  })
}

/**
 * Nothing is lost or gained: what was granted, less debits and the worth of usage, must be there.
 * [guarantees#books-that-add-up]
 */
function credits({ fleet, promises }: Audit, tables: Tables): readonly string[] {
  return accountKeys.flatMap((key) => {
    const name = keyName(key)
    const row = [...tables.accounts.values()].find((each) => keyName(each.key) === name)
    const rows = [...tables.usage.values()].filter((each) => keyName(each) === name)
    const worth = meters.reduce((sum, { meterId, aggregation }) => {
      const hours = rows.filter((each) => each.meterId === meterId)
      return sum + worthOf(foldOf(hours, aggregation))
    }, 0n)
    const done = [...promises.asked.values()].filter(
      ({ idempotencyKey, key: of }) =>
        keyName(of) === name && tables.adjustments.has(`${row?.accountId} ${idempotencyKey}`),
    )
    const adjusted = done.reduce(
      (sum, { type, amount }) => sum + (type === 'credit' ? amount : -amount),
      0n,
    )
    const state = row?.account.state
    const balance = state?.holdings.reduce((sum, { remaining }) => sum + remaining, 0n) ?? 0n
    const held =
      balance - (state?.overage ?? 0n) - (state?.dropped ?? 0n) + (state?.unreturned ?? 0n)
    const wrong =
      held === adjusted - worth ? [] : [`${name}: ${held} credits instead of ${adjusted - worth}`]
    return fleet.wasRestored() ? wrong : [...wrong, ...adjustments(promises, tables, name)]
  })
}

/** One cycle, one segment; of more than one hour where a clock has stepped. */
function foldOf(hours: readonly UsageRow[], aggregation: string): bigint {
  const ordered = hours.toSorted((a, b) => (isAfter(a, b) ? 1 : -1))
  if (aggregation === 'last') return ordered.at(-1)?.value ?? 0n
  const values = hours.map(({ value }) => value)
  if (aggregation !== 'max') return values.reduce((sum, value) => sum + value, 0n)
  return values.toSorted((a, b) => (a < b ? -1 : 1)).at(-1) ?? 0n
}

/** By timestamp, then receipt, then id. */
function isAfter(one: UsageRow, other: UsageRow): boolean {
  const keys = (row: UsageRow) => [row.lastAt ?? 0, row.lastReceived ?? 0, row.lastEventId ?? '']
  const [a, b] = [keys(one), keys(other)]
  const at = a.findIndex((each, index) => each !== b[index])
  return at >= 0 && (a[at] ?? 0) > (b[at] ?? 0)
}

/** No threshold. */
function worthOf(value: bigint): bigint {
  return value <= 0n ? 0n : (value * 100n) / unitsPerCredit
}

function adjustments(
  { adjusted, refused }: Promises,
  tables: Tables,
  name: string,
): readonly string[] {
  const has = (key: string): boolean =>
    [...tables.adjustments.keys()].some((each) => each.endsWith(` ${key}`))
  const of = (all: Promises['adjusted']) =>
    [...all.values()].filter(({ key }) => keyName(key) === name)
  return [
    ...of(adjusted)
      .filter(({ idempotencyKey }) => !has(idempotencyKey))
      .map(({ idempotencyKey }) => `${idempotencyKey}: answered, and lost`),
    ...of(refused)
      .filter(({ idempotencyKey }) => has(idempotencyKey))
      .map(({ idempotencyKey }) => `${idempotencyKey}: refused, and done`),
  ]
}

/**
 * Whatever the machines' clocks did, the processes' time must have gone on steadily.
 * [guarantees#clocks]
 */
const clocks = (fleet: Fleet): readonly string[] =>
  fleet
    .hosts()
    .filter(({ clock }) => Math.abs(clock.error()) > 2 * second)
    .map(({ clock, process }) => `${process.name} believes what is ${clock.error()} µs wrong`)

const accountsAside = ({ accounts }: Tables): readonly string[] =>
  [...accounts.values()].flatMap(({ setAside, accountId }) =>
    setAside === null ? [] : [`${accountId} was set aside: ${setAside}`],
  )

/** Exactly those partitions are halted that must be. */
function halted({ fleet }: Audit, { checkpoints }: Tables): readonly string[] {
  const { log } = fleet.site
  const ruined = fleet.ruined()
  return Array.from({ length: log.partitions }, (_, partition) => partition).flatMap(
    (partition) => {
      const reason = checkpoints.get(partition)?.halted ?? null
      if ((reason !== null) === ruined.has(partition)) return []
      // A log that was made anew is another log, so any partition of it may be halted.
      if (reason !== null && fleet.wasRemade()) return []
      return [
        reason === null ? `${partition} should be halted` : `${partition} is halted: ${reason}`,
      ]
    },
  )
}
