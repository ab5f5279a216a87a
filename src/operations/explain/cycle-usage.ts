import { limits } from '../../limits.ts'
import type { SegmentUsage } from '../../rules/accounts/worth.ts'
import type { Owner } from '../../rules/archive/line.ts'
import type { CycleUsage, SegmentFolds } from '../../rules/explain/usage-so-far.ts'
import type { CatalogMeter } from '../../rules/meter/measure-types.ts'
import type { Meter } from '../../rules/meter/meter.ts'
import type { Link, Stretch } from '../../rules/meter/route.ts'
import { segmentAt } from '../../rules/meter/route.ts'
import type { Duration, Instant } from '../../std/instant.ts'
import { after } from '../../std/instant.ts'
import type { Walk } from './walk.ts'

/** Whose events, and which cycles they may count into. */
export interface WalkedCycles {
  readonly customerId: string
  readonly eventName: string
  readonly cycles: readonly { readonly start: Instant; readonly end: Instant }[]
  /** How old an event may be when it is sent. */
  readonly backfillMax: Duration
}

/** A walk through all of a customer's events of a name that may count into these cycles. */
export function walkOf(
  owner: Owner,
  { customerId, eventName, cycles, backfillMax }: WalkedCycles,
): Omit<Walk, 'wants'> {
  // A subscription's first cycle also takes events of the five minutes before it, and each one
  // takes what came in while it was open, too late for its own. [meters#late-usage]
  const earlier = Math.max(limits.eventLeadMax, backfillMax)
  const starts = cycles.map(({ start }) => after(start, -earlier))
  return {
    owner,
    customerId,
    eventName,
    from: Math.min(...starts) as Instant,
    to: Math.max(...cycles.map(({ end }) => end)) as Instant,
  }
}

/** Folds with the terms of their segments, without segments whose terms are gone. */
export function termed(
  folds: SegmentFolds,
  stretches: readonly Stretch[],
  { meter, entitlementId }: Pick<CycleUsage, 'meter' | 'entitlementId'>,
): readonly SegmentUsage[] {
  return [...folds].flatMap(([start, fold]) => {
    const link = linkIn(segmentAt(stretches, start)?.links ?? [], meter.meterId, entitlementId)
    return link === null ? [] : [{ start, fold, link }]
  })
}

export const linkIn = (
  links: readonly Link[],
  meterId: string,
  entitlementId: string | null,
): Link | null =>
  links.find((link) => link.meterId === meterId && link.entitlementId === entitlementId) ?? null

export const catalogMeter = (meter: Meter): CatalogMeter => ({
  meterId: meter.meterId,
  eventName: meter.eventName,
  aggregation: meter.aggregation.type,
  aggregationKey: meter.aggregation.key,
  filter: meter.filter,
  archived: meter.archived,
})
