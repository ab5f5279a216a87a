import type { Offset, Partition } from '../../parts/event-log/port.ts'
import type {
  ArchivePosition,
  ArchiveStretches,
  ReceivedFilter,
} from '../../parts/store/archive.ts'
import type { FoldState, UsageSource, Voids } from '../../parts/store/voids.ts'
import { eventNameText } from '../../parts/store/voids.ts'
import type { MeasuredRecord } from '../../rules/archive/block.ts'
import { recordsOf } from '../../rules/archive/block.ts'
import {
  belongsTo,
  eventOf,
  mayHoldAll,
  ndjsonLines,
  parseLine,
  verdicts,
} from '../../rules/archive/line.ts'
import type { Fold } from '../../rules/meter/fold.ts'
import { emptyFold, mergeFolds } from '../../rules/meter/fold.ts'
import { markAt } from '../../rules/meter/route-mark.ts'
import type { UsageKey } from '../../rules/meter/usage-delta.ts'
import { compareUsage } from '../../rules/meter/usage-delta.ts'
import type { MeasuredUnder } from '../../rules/meter/void.ts'
import { catalogVersionIn, measuredInto } from '../../rules/meter/void.ts'
import type { Fingerprint } from '../../std/fingerprint.ts'
import { groupBy } from '../../std/group.ts'
import { after, hour, instantOf } from '../../std/instant.ts'

export interface FoldAgainNeeds {
  readonly archive: ArchiveStretches
  readonly voids: Voids
}

/**
 * What became of one try. `folded`; `waiting`: events of the row are not archived yet; `gone`:
 * nothing of the row is pending any more; `lost`: the row changed meanwhile.
 */
export type FoldAgainOutcome = 'folded' | 'waiting' | 'gone' | 'lost'

/** A row with at most so many events is folded at once; a larger one when its hour is over. */
const eagerEventsMax = 20_000

/**
 * Folds a row of usage (max or last, one hour of log time) again from the archive, without its
 * voided events. Each event counts as measuring took it, under the versions of its own batch.
 *
 * Exact without any lock: whatever the archive shows did go into the row, so when it shows as many
 * events as the row has, less the voided ones, they must be the same events. What is measured later
 * merges with the new fold as it would have with the old one.
 */
export async function foldAgain(needs: FoldAgainNeeds, key: UsageKey): Promise<FoldAgainOutcome> {
  const state = await needs.voids.state(key)
  if (state === null) return 'gone'
  const positions = await needs.archive.positions()
  const end = after(startOf(key), hour)
  const over = positions.every((position) => isArchivedTo(position, end))
  if (!over && state.events > eagerEventsMax) return 'waiting'
  const folding = foldingOf(needs, key, state)
  for (const { partition } of positions) await folding.partition(partition)
  const fold = folding.fold()
  if (fold.events + state.pending.length !== state.events) return 'waiting'
  return (await needs.voids.foldAgain(key, state, fold)) ? 'folded' : 'lost'
}

const startOf = ({ logHour }: UsageKey) => instantOf(logHour * hour)

const isArchivedTo = (position: ArchivePosition, at: number): boolean =>
  position.archivedAt >= at || (position.archived ?? 0) >= position.measured

function foldingOf(needs: FoldAgainNeeds, key: UsageKey, state: FoldState) {
  const { businessId, mode, customerId } = key
  const source: UsageSource = { businessId, mode, customerId, eventName: state.eventName }
  const filter = { ...source, from: startOf(key), to: after(startOf(key), hour) }
  const under = underOf(needs.voids, source)
  let folded: Fold = emptyFold(state.aggregation)
  return { partition, fold: () => folded }

  async function partition(of: Partition): Promise<void> {
    for (let next: Offset | null = 0; next !== null; ) next = await addFrom(of, next)
  }

  /**
   * Goes by offset, so that an event counts once although blocks may be merged meanwhile. Answers
   * where to list the blocks again when one has gone since; null at the end.
   */
  async function addFrom(of: Partition, from: Offset): Promise<Offset | null> {
    let next = from
    for (const block of await needs.archive.received(of, from, filter)) {
      const [body] = await needs.archive.load([block])
      if (body === null || body === undefined) return next
      for (const record of recordsOf(body, unnamed)) {
        if (record.offset >= next && isWithin(record, filter)) await add(record)
      }
      next = block.end
      await breath()
    }
    return null
  }

  async function add(record: MeasuredRecord): Promise<void> {
    const catalog = catalogVersionIn(record.catalog, source)
    if (catalog === null) return
    const byMark = groupBy(ownLines(record), ({ routeMark }) => routeMark)
    for (const [routeMark, own] of byMark) {
      const lines = own.map(({ line }) => line)
      const usage = measuredInto(
        { businessId, mode, lines, receivedAt: record.at },
        await under(catalog, routeMark),
      )
      const deltas = usage.filter((delta) => compareUsage(delta, key) === 0)
      for (const delta of deltas) folded = mergeFolds(folded, delta.fold)
    }
  }

  /** The events of the record that may be in the row and still count. */
  function ownLines(record: MeasuredRecord) {
    return ndjsonLines(record.value).flatMap((line, index) => {
      if (record.verdicts[index] !== verdicts.billed) return []
      if (!mayHoldAll(line, [businessId, customerId, source.eventName])) return []
      const read = parseLine(line)
      if (!belongsTo(source, read) || read.customer_id !== customerId) return []
      if (read.event_name !== source.eventName || state.voided.has(eventNameText(eventOf(read))))
        return []
      return [{ line, routeMark: markAt(record.routeMarks, index) }]
    })
  }
}

/** Remembers the last versions, under which most events of a row were measured. */
function underOf(voids: Voids, source: UsageSource) {
  const known = new Map<string, MeasuredUnder>()
  return async (catalog: number, routeMark: number): Promise<MeasuredUnder> => {
    const name = `${catalog} ${routeMark}`
    const found = known.get(name) ?? (await voids.under(source, { catalog, routeMark }))
    known.set(name, found)
    return found
  }
}

const isWithin = ({ at }: MeasuredRecord, { from, to }: ReceivedFilter): boolean =>
  at >= from && at < to

/** Stands in for fingerprints, which nothing here looks at. */
const unnamed = (): Fingerprint => [0, 0, 0]

/** Reading a block's lines takes milliseconds; this lets others have their turn in between. */
const breath = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
