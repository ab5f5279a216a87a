import { limits } from '../../src/limits.ts'
import type {
  Checkpoint,
  Committed,
  HealedStretch,
  IdlePartition,
  Measured,
  MeasuredSlice,
  StoredBatch,
  UsageIncrement,
} from '../../src/parts/store/measuring.ts'
import { compareText } from '../../src/rules/meter/fold.ts'
import { largerOf, parseDecimal } from '../../src/std/decimal.ts'
import type { Duration, Instant } from '../../src/std/instant.ts'
import { after, hour, instantOf, laterOf } from '../../src/std/instant.ts'
import type { CheckpointRow, Tables, UsageRow } from './tables.ts'
import { customerName, nextSerial, recordName, scopeName } from './tables.ts'

/** What can be wrong about a store: the simulation has to notice. */
export interface StoreMistakes {
  readonly ignoresEpoch?: boolean
  readonly ignoresOffset?: boolean
  readonly ignoresVersion?: boolean
}

// What the store's SQL functions do for measuring, each in one moment.

export function takePartition(
  { checkpoints }: Tables,
  partition: number,
  { epoch, logIdentity, namespace }: Pick<Checkpoint, 'epoch' | 'logIdentity' | 'namespace'>,
): Checkpoint {
  const known = checkpoints.get(partition)
  const none = { events: 0, billed: 0, unmatched: 0, duplicates: 0, quarantined: 0 }
  const fresh: CheckpointRow = {
    partition,
    nextOffset: 0,
    epoch,
    logIdentity,
    logAt: instantOf(0),
    idleAt: instantOf(0),
    ran: 0,
    digest: null,
    namespace,
    halted: null,
    leftOut: false,
    totals: none,
  }
  const before = known ?? fresh
  const row = { ...before, epoch }
  checkpoints.set(partition, row)
  return row
}

export function commitMeasured(
  tables: Tables,
  measured: Measured,
  mistakes: StoreMistakes,
): Committed {
  const lost = measured.slices.flatMap((slice) => {
    const row = tables.checkpoints.get(slice.partition)
    const unknown = { partition: slice.partition, epoch: 0, nextOffset: 0, halted: false }
    if (row === undefined) return [unknown]
    if (holds(row, slice, mistakes)) return []
    const { partition, epoch, nextOffset, halted } = row
    return [{ partition, epoch, nextOffset, halted: halted !== null }]
  })
  if (lost.length > 0) return { kind: 'lost', partitions: lost }
  const catalogs = measured.catalogs.filter(
    (used) => (tables.catalogVersions.get(scopeName(used)) ?? 1) !== used.version,
  )
  const customers = measured.routes.filter(
    (used) => (tables.routesVersions.get(customerName(used)) ?? 1) !== used.version,
  )
  if (catalogs.length > 0 || customers.length > 0) return { kind: 'stale', catalogs, customers }
  for (const slice of measured.slices) advance(tables, slice)
  for (const one of measured.quarantined)
    tables.quarantine.set(recordName(one.partition, one.offset), one)
  for (const increment of measured.usage) addUsage(tables.usage, increment)
  for (const account of measured.accounts) tables.unsettled.set(nextSerial(tables), account)
  return { kind: 'committed' }
}

function holds(row: CheckpointRow, slice: MeasuredSlice, mistakes: StoreMistakes): boolean {
  const sameEpoch = row.epoch === slice.epoch || mistakes.ignoresEpoch === true
  const sameOffset = row.nextOffset === slice.start || mistakes.ignoresOffset === true
  return sameEpoch && sameOffset && row.halted === null
}

function advance({ checkpoints, batches }: Tables, slice: MeasuredSlice): void {
  const row = checkpoints.get(slice.partition)
  if (row === undefined) return
  const { partition, start, end, logAt, ran, fingerprints, verdicts, digest } = slice
  const { totals } = row
  checkpoints.set(partition, {
    ...row,
    nextOffset: end,
    logAt: onFrom(row.logAt, logAt),
    ran: Math.max(row.ran, ran),
    digest: digest ?? row.digest,
    totals: {
      events: totals.events + slice.events,
      billed: totals.billed + slice.billed,
      unmatched: totals.unmatched + slice.unmatched,
      duplicates: totals.duplicates + slice.duplicates,
      quarantined: totals.quarantined + slice.quarantined,
    },
  })
  const batch = { partition, start, end, ran, fingerprints, verdicts }
  batches.set(partition, [...(batches.get(partition) ?? []), batch])
}

function addUsage(rows: Map<string, UsageRow>, increment: UsageIncrement): void {
  const { customerId, routeId, meterId, entitlementId, segmentAt, logHour } = increment
  const place = [customerId, routeId, meterId, entitlementId, segmentAt, logHour]
  const name = JSON.stringify([scopeName(increment), ...place])
  const value = parseDecimal(increment.value, limits.usageScale) ?? 0n
  const added: UsageRow = { ...increment, value }
  const row = rows.get(name)
  rows.set(name, row === undefined ? added : merged(row, added))
}

function merged(row: UsageRow, added: UsageRow): UsageRow {
  const events = row.events + added.events
  const adds = row.aggregation === 'count' || row.aggregation === 'sum'
  if (adds) return { ...row, events, value: row.value + added.value }
  if (row.aggregation === 'max') return { ...row, events, value: largerOf(row.value, added.value) }
  return { ...(isLater(row, added) ? added : row), events }
}

function isLater(row: UsageRow, added: UsageRow): boolean {
  const compared =
    (added.lastAt ?? 0) - (row.lastAt ?? 0) ||
    (added.lastReceived ?? 0) - (row.lastReceived ?? 0) ||
    compareText(added.lastEventId ?? '', row.lastEventId ?? '')
  return compared === 0 ? added.value > row.value : compared > 0
}

export function renameNamespace(
  { batches, checkpoints }: Tables,
  to: HealedStretch & Pick<Checkpoint, 'partition' | 'namespace'>,
): boolean {
  const row = checkpoints.get(to.partition)
  if (row?.epoch !== to.epoch || row.nextOffset !== to.next) return false
  const oldest = row.ran - to.age
  const all = batches.get(to.partition) ?? []
  if (all.some(({ start, ran }) => start < to.from && ran >= oldest)) return false
  checkpoints.set(to.partition, { ...row, namespace: to.namespace })
  return true
}

export function haltPartition(
  { checkpoints }: Tables,
  { partition, epoch, reason }: { partition: number; epoch: number; reason: string },
): void {
  const row = checkpoints.get(partition)
  if (row?.epoch === epoch) checkpoints.set(partition, { ...row, halted: row.halted ?? reason })
}

export function resumePartition(
  { checkpoints }: Tables,
  { partition, epoch }: { partition: number; epoch: number },
): void {
  const row = checkpoints.get(partition)
  if (row?.epoch === epoch) checkpoints.set(partition, { ...row, halted: null })
}

/** A running maximum, but for what a clock that was wrong said. */
const onFrom = (before: Instant, at: Instant): Instant =>
  before > after(at, hour) ? at : laterOf(before, at)

export function keepHeartbeat({ checkpoints }: Tables, idle: readonly IdlePartition[]): void {
  for (const { partition, epoch, next, at, ran } of idle) {
    const row = checkpoints.get(partition)
    if (row === undefined || row.epoch !== epoch || row.nextOffset !== next) continue
    checkpoints.set(partition, {
      ...row,
      idleAt: onFrom(row.idleAt, at),
      logAt: row.logAt > after(at, hour) ? at : row.logAt,
      ran: Math.max(row.ran, ran),
    })
  }
}

export function watermarkOf({ checkpoints }: Tables): Instant | null {
  const live = [...checkpoints.values()].filter(({ halted }) => halted === null)
  if (live.length === 0) return null
  return instantOf(Math.min(...live.map(({ logAt, idleAt }) => Math.max(logAt, idleAt))))
}

/** A page of them: from the first one inside the window on. */
export function batchPage(
  { batches, checkpoints }: Tables,
  partition: number,
  { from, age, size }: { readonly from: number; readonly age: Duration; readonly size: number },
): readonly StoredBatch[] {
  const all = batches.get(partition) ?? []
  const oldest = (checkpoints.get(partition)?.ran ?? 0) - age
  const first = all.find(({ ran }) => ran >= oldest)?.start ?? Number.POSITIVE_INFINITY
  return all.filter(({ start }) => start >= Math.max(from, first)).slice(0, size)
}
