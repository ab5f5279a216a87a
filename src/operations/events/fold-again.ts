import type { ArchivePosition, ArchiveStretches } from '../../parts/store/archive.ts'
import type { EventName, FoldState, UsageSource, Voids } from '../../parts/store/voids.ts'
import { eventNameText } from '../../parts/store/voids.ts'
import type { Fold } from '../../rules/meter/fold.ts'
import { emptyFold } from '../../rules/meter/fold.ts'
import type { UsageKey } from '../../rules/meter/usage-delta.ts'
import { compareUsage } from '../../rules/meter/usage-delta.ts'
import { after, hour, instantOf } from '../../std/instant.ts'
import { eachArchived, usageOfSources } from './usage-of-source.ts'

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
  const fold = await foldOf(needs, { key, state }, positions)
  if (fold.events + state.pending.length !== state.events) return 'waiting'
  return (await needs.voids.foldAgain(key, state, fold)) ? 'folded' : 'lost'
}

const startOf = ({ logHour }: UsageKey) => instantOf(logHour * hour)

const isArchivedTo = (position: ArchivePosition, at: number): boolean =>
  position.archivedAt >= at || (position.archived ?? 0) >= position.measured

async function foldOf(
  needs: FoldAgainNeeds,
  { key, state }: { readonly key: UsageKey; readonly state: FoldState },
  positions: readonly ArchivePosition[],
): Promise<Fold> {
  const { aggregation, eventName, voided } = state
  const { businessId, mode, customerId } = key
  const source: UsageSource = { businessId, mode, customerId, eventName }
  const isVoided = (event: EventName): boolean => voided.has(eventNameText(event))
  const again = usageOfSources(needs.voids, [{ source, isVoided }])
  const filter = { source, from: startOf(key), to: after(startOf(key), hour) }
  for (const { partition } of positions) {
    await eachArchived(needs.archive, { partition, filter }, async (record) => {
      await again.add(record)
      return true
    })
  }
  const row = again.of[0]?.usage().find((delta) => compareUsage(delta, key) === 0)
  return row?.fold ?? emptyFold(aggregation)
}
