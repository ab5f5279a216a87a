import { Fault } from '../../faults.ts'
import type { Duration } from '../../std/instant.ts'
import { day } from '../../std/instant.ts'

/**
 * 404 for an event that was never accepted, or so long ago that it is no longer kept; both look the
 * same.
 */
export function eventNotFound(eventId: string, kept: Duration): Fault {
  const days = Math.floor(kept / day)
  const since = days === 1 ? 'a day' : `${days} days`
  return new Fault(
    'NOT_FOUND',
    `There is no event with the id '${eventId}' among those kept: events can be read for ${since}.`,
  )
}
