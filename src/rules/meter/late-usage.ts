import { limits } from '../../limits.ts'
import type { Cycle } from '../../std/calendar.ts'
import type { Instant } from '../../std/instant.ts'
import { after } from '../../std/instant.ts'
import type { Link, Segment, Stretch } from './route.ts'
import { segmentAt } from './route.ts'

/** What usage is tied to: a meter, and what its worth is charged in. */
export type Tie = Pick<Link, 'meterId' | 'entitlementId'>

/** Until when, by the business's time of receipt, a closed cycle takes usage that is late. */
export const openUntil = ({ end }: Pick<Cycle, 'end'>): Instant => after(end, limits.eventAgeMax)

export const ties = (segment: Segment, { meterId, entitlementId }: Tie): boolean =>
  segment.links.some((link) => link.meterId === meterId && link.entitlementId === entitlementId)

/** The segment that holds an event's timestamp, and what decides whether it takes its usage. */
export interface LateUsage {
  readonly own: Segment
  readonly of: Tie
  /** Absent: the event was not older than an hour, so its cycle takes it. */
  readonly backfilledAt: Instant | undefined
}

/**
 * The segment that takes an event's usage. An event that came in more than an hour after the end of
 * its cycle counts into the cycle that was open then, where the terms there tie its meter; else
 * into its own all the same, so that nothing is lost. Decided by what is stored alone: measuring, a
 * void and an explanation find the same, whenever they ask. [meters#late-usage]
 */
export function segmentTaking(
  stretches: readonly Stretch[],
  { own, of, backfilledAt }: LateUsage,
): Segment {
  if (backfilledAt === undefined || backfilledAt <= openUntil(own.cycle)) return own
  const present = segmentAt(stretches, backfilledAt)
  return present !== null && ties(present, of) ? present : own
}
