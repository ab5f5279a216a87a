import type { Offset, Partition } from '../../parts/event-log/port.ts'
import type { ArchiveStretches, ReceivedFilter } from '../../parts/store/archive.ts'
import type { EventName, UsageSource, Voids } from '../../parts/store/voids.ts'
import type { MeasuredRecord } from '../../rules/archive/block.ts'
import { recordsOf } from '../../rules/archive/block.ts'
import {
  eventOf,
  mayHoldAll,
  ndjsonLines,
  parseLine,
  sourceOf,
  verdicts,
} from '../../rules/archive/line.ts'
import { mergeFolds } from '../../rules/meter/fold.ts'
import { markAt } from '../../rules/meter/route-mark.ts'
import type { UsageDelta } from '../../rules/meter/usage-delta.ts'
import type { MeasuredUnder } from '../../rules/meter/void.ts'
import { catalogVersionIn, measuredInto } from '../../rules/meter/void.ts'
import type { Fingerprint } from '../../std/fingerprint.ts'
import { groupBy } from '../../std/group.ts'

/** Whose events are measured again, and which of them still count. */
export interface CountedSource {
  readonly source: UsageSource
  readonly isVoided: (event: EventName) => boolean
}

/** The usage of one source, made once more from its events. */
export interface UsageOfSource {
  /** One delta per row of usage, for all that was added. */
  usage(): readonly UsageDelta[]
  /** Whether an event was added of which no routes are known (rules/meter/route-mark.ts). */
  isUnmarked(): boolean
}

/** The same of several sources, in their order. */
export interface UsageOfSources {
  /** Adds the events of a record that are a source's and still count. */
  add(record: MeasuredRecord): Promise<void>
  readonly of: readonly UsageOfSource[]
}

/** Measures events as measuring took them, each under the versions of its own batch. */
export function usageOfSources(
  voids: Pick<Voids, 'under'>,
  sources: readonly CountedSource[],
): UsageOfSources {
  const counts = sources.map((counted) => ({ ...counted, ...usageOfSource(voids, counted.source) }))
  const [first] = sources
  /** What each line has, where all of them have something in common. */
  const common =
    first === undefined || sources.length > 1
      ? []
      : [first.source.businessId, first.source.customerId, first.source.eventName]
  const bySource = new Map(counts.map((count) => [sourceName(count.source), count]))
  return { add, of: counts }

  async function add(record: MeasuredRecord): Promise<void> {
    const own = ndjsonLines(record.value).flatMap((line, index) => {
      if (record.verdicts[index] !== verdicts.billed || !mayHoldAll(line, common)) return []
      const read = parseLine(line)
      const count = bySource.get(sourceName(sourceOf(read)))
      if (count === undefined || count.isVoided(eventOf(read))) return []
      return [{ count, line, routeMark: markAt(record.routeMarks, index) }]
    })
    for (const [count, of] of groupBy(own, (one) => one.count)) {
      for (const [routeMark, lines] of groupBy(of, (one) => one.routeMark)) {
        await count.add(record, { routeMark, lines: lines.map(({ line }) => line) })
      }
    }
  }
}

/** The key of a source in maps. */
export const sourceName = ({ businessId, customerId, eventName, mode }: UsageSource): string =>
  JSON.stringify([businessId, mode, customerId, eventName])

interface MarkedLines {
  readonly routeMark: number
  readonly lines: readonly string[]
}

function usageOfSource(voids: Pick<Voids, 'under'>, source: UsageSource) {
  const { businessId, mode } = source
  const under = underOf(voids, source)
  const folded = new Map<string, UsageDelta>()
  let unmarked = false
  return { add, usage: () => [...folded.values()], isUnmarked: () => unmarked }

  async function add({ at, catalog }: MeasuredRecord, { lines, routeMark }: MarkedLines) {
    const version = catalogVersionIn(catalog, source)
    if (version === null) return
    if (routeMark === 0) unmarked = true
    const received = { businessId, mode, lines, receivedAt: at }
    for (const delta of measuredInto(received, await under(version, routeMark))) merge(delta)
  }

  function merge(delta: UsageDelta): void {
    const { routeId, entitlementId, meterId, segmentAt, logHour } = delta
    const row = JSON.stringify([routeId, entitlementId, meterId, segmentAt, logHour])
    const before = folded.get(row)
    const fold = before === undefined ? delta.fold : mergeFolds(before.fold, delta.fold)
    folded.set(row, { ...delta, fold })
  }
}

/** Remembers the last versions, under which most events were measured. */
function underOf(voids: Pick<Voids, 'under'>, source: UsageSource) {
  const known = new Map<string, MeasuredUnder>()
  return async (catalog: number, routeMark: number): Promise<MeasuredUnder> => {
    const name = `${catalog} ${routeMark}`
    const found = known.get(name) ?? (await voids.under(source, { catalog, routeMark }))
    known.set(name, found)
    return found
  }
}

/** What of a partition's archive is read. */
export interface ArchivedStretch {
  readonly partition: Partition
  /** The offset where it ends, which is excluded; absent: all that is archived. */
  readonly upTo?: Offset
  readonly filter: ReceivedFilter
}

/**
 * Gives the archived records that may hold events of a source, each once. Goes by offset, since
 * blocks may be merged meanwhile.
 *
 * @param visit Answers whether to go on.
 */
export async function eachArchived(
  archive: Pick<ArchiveStretches, 'received' | 'load'>,
  { partition, upTo = Number.POSITIVE_INFINITY, filter }: ArchivedStretch,
  visit: (record: MeasuredRecord) => Promise<boolean>,
): Promise<void> {
  for (let next: Offset | null = 0; next !== null; ) next = await visitFrom(next)

  /** Answers where to list the blocks again when one has gone since; null at the end. */
  async function visitFrom(from: Offset): Promise<Offset | null> {
    let next = from
    for (const block of await archive.received(partition, from, filter)) {
      const [body] = await archive.load([block])
      if (body === null || body === undefined) return next
      for (const record of recordsOf(body, unnamed)) {
        const { at, offset } = record
        if (offset < next || offset >= upTo || at < filter.from || at >= filter.to) continue
        if (!(await visit(record))) return null
      }
      next = block.end
      await breath()
    }
    return null
  }
}

/** Stands in for fingerprints, which nothing here looks at. */
const unnamed = (): Fingerprint => [0, 0, 0]

/** Reading a block's lines takes milliseconds; this lets others have their turn in between. */
const breath = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
