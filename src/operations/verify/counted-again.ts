import { limits } from '../../limits.ts'
import type { ArchiveStretches } from '../../parts/store/archive.ts'
import type { Audit, CountedRow } from '../../parts/store/audit.ts'
import type { EventName, UsageSource, Voids } from '../../parts/store/voids.ts'
import { eventNameText } from '../../parts/store/voids.ts'
import type { MeasuredRecord } from '../../rules/archive/block.ts'
import type { Fold } from '../../rules/meter/fold.ts'
import { emptyFold } from '../../rules/meter/fold.ts'
import type { UsageDelta } from '../../rules/meter/usage-delta.ts'
import { compareUsage } from '../../rules/meter/usage-delta.ts'
import { formatDecimal, parseDecimal } from '../../std/decimal.ts'
import { groupBy } from '../../std/group.ts'
import type { Instant } from '../../std/instant.ts'
import { formatInstant, instantOf, lastInstant } from '../../std/instant.ts'
import { plural } from '../../std/plural.ts'
import type { UsageOfSource } from '../events/usage-of-source.ts'
import { eachArchived, sourceName, usageOfSources } from '../events/usage-of-source.ts'
import type { MeasuredTailNeeds } from '../explain/tail.ts'
import { wholeTail } from '../explain/tail.ts'
import type { Difference } from './difference.ts'

/** Where events and their voids are read. */
export interface CountedAgainNeeds extends MeasuredTailNeeds {
  readonly archive: ArchiveStretches
  readonly voids: Pick<Voids, 'under' | 'ofCustomer'>
  /** In books with so many events all of them are read, once for all sources; absent: 300 000. */
  readonly allEventsMax?: number
}

/** How many rows of usage the sources are chosen by. */
const rowsMax = 500

/** To read them takes some seconds. */
const allEventsMax = 300_000
/** In larger books sources are read one by one, until so much was read. */
const bytesMax = 64 * 1024 * 1024

/** While its usage goes on, a source is counted so often until nothing came between. */
const triesMax = 3

type Needs = CountedAgainNeeds & { readonly audit: Audit }

/**
 * Usage whose events say otherwise: measures the events of some sources once more, each as it was
 * measured, and compares. Where usage has few rows these are all sources, else some by chance.
 * Where it goes on meanwhile, or some of it can no longer be read, nothing is said.
 * [guarantees#books-that-add-up]
 *
 * @param counted Called for each source that was counted.
 */
export async function* countedAgain(
  needs: Needs,
  businessId: string | null,
  counted: () => void,
): AsyncIterable<Difference> {
  const sources = await needs.audit.countedSources(businessId, rowsMax)
  const checkpoints = await needs.audit.checkpoints()
  const events = checkpoints.reduce((sum, { totals }) => sum + totals.events, 0)
  const isSmall = events <= (needs.allEventsMax ?? allEventsMax)
  const reading = {
    bytes: isSmall ? Number.POSITIVE_INFINITY : bytesMax,
    since: await needs.audit.archivedSince(),
  }
  let pending = isSmall && sources.length > 0 ? [sources] : sources.map((source) => [source])
  for (let tries = 0; tries < triesMax; tries += 1) {
    const moved: UsageSource[][] = []
    for (const some of pending) {
      if (reading.bytes < 0) return
      for (const { source, found } of await compared(needs, some, reading)) {
        if (found === 'moved') moved.push([source])
        if (typeof found === 'string') continue
        counted()
        for (const what of found) yield differenceOf(source, what)
      }
    }
    pending = moved
  }
}

interface Reading {
  /** How many may still be read. */
  bytes: number
  /** From when on the archive has every event; null: all of them. */
  readonly since: Instant | null
}

interface Compared {
  readonly source: UsageSource
  /** What differs; `moved`: its usage went on meanwhile; `unknown`: it cannot be told. */
  readonly found: readonly string[] | 'moved' | 'unknown'
}

async function compared(
  needs: Needs,
  sources: readonly UsageSource[],
  reading: Reading,
): Promise<readonly Compared[]> {
  const before = await rowsOf(needs, sources, reading)
  const again = await fromEvents(needs, sources, reading)
  if (again === null) return []
  const now = await rowsOf(needs, sources, reading)
  return sources.map((source, index) => {
    const [rows, usage] = [before(source), again[index]]
    if (JSON.stringify(rows) !== JSON.stringify(now(source))) return { source, found: 'moved' }
    // An older release kept no marks: where its customer has subscriptions, nobody knows whose
    // events they were.
    const isLost = usage?.isUnmarked() === true && rows.some(({ isRouted }) => isRouted)
    if (usage === undefined || isLost) return { source, found: 'unknown' }
    return { source, found: differences(rows, usage.usage()) }
  })
}

async function rowsOf(
  { audit }: Needs,
  sources: readonly UsageSource[],
  { since }: Reading,
): Promise<(source: UsageSource) => readonly CountedRow[]> {
  const rows = groupBy(await audit.countedRows(sources, since), sourceName)
  return (source) => rows.get(sourceName(source)) ?? []
}

/**
 * All events of the sources, the ones that are not archived yet first: events only move into the
 * archive. Null: some cannot be read, or there are too many.
 */
async function fromEvents(
  needs: CountedAgainNeeds,
  sources: readonly UsageSource[],
  reading: Reading,
): Promise<readonly UsageOfSource[] | null> {
  const again = usageOfSources(needs.voids, await Promise.all(sources.map(withVoids)))
  const source = sources.length === 1 ? (sources[0] ?? null) : null
  const filter = { source, from: instantOf(0), to: lastInstant }
  for (const { partition } of await needs.archive.positions()) {
    const tail = await wholeTail(needs, partition)
    if (tail === null) continue
    if (!tail.complete) return null
    for (const record of tail.records) await add(record)
    await eachArchived(needs.archive, { partition, upTo: tail.from, filter }, add)
    if (reading.bytes < 0) return null
  }
  return again.of

  async function withVoids(source: UsageSource) {
    const voided = await needs.voids.ofCustomer(source, source.customerId)
    return { source, isVoided: (event: EventName) => voided.has(eventNameText(event)) }
  }

  async function add(record: MeasuredRecord): Promise<boolean> {
    reading.bytes -= record.value.length
    if (reading.bytes < 0) return false
    await again.add(record)
    return true
  }
}

function differenceOf({ businessId, customerId: id }: UsageSource, what: string): Difference {
  return { kind: 'usage', id, businessId, sentence: `Customer ${id}: ${what}.` }
}

function differences(rows: readonly CountedRow[], usage: readonly UsageDelta[]): readonly string[] {
  const bent = rows.flatMap((row) => {
    const made = usage.find((delta) => compareUsage(delta, row) === 0)
    const fold = made?.fold ?? emptyFold(row.aggregation)
    const value = parseDecimal(row.value, limits.usageScale)
    if (!row.isWhole || (fold.events === row.events && fold.value === value)) return []
    const stands = `${row.value} of ${plural(row.events, 'event')}`
    return [`${nameOf(row)} is ${stands}, and its events make ${worthOf(fold)}`]
  })
  const missing = usage.flatMap((delta) => {
    if (rows.some((row) => compareUsage(delta, row) === 0)) return []
    return [`${nameOf(delta)} is not there, and its events make ${worthOf(delta.fold)}`]
  })
  return [...bent, ...missing]
}

const nameOf = ({ aggregation, meterId, routeId, segmentAt }: CountedRow | UsageDelta): string =>
  `its usage of meter ${meterId} through ${routeId} from ${formatInstant(segmentAt)} on (${aggregation})`

const worthOf = ({ events, value }: Fold): string =>
  `${formatDecimal(value, limits.usageScale)} of ${plural(events, 'event')}`
