import { Fault } from '../../faults.ts'
import { limits } from '../../limits.ts'
import { writeIndexes } from '../../std/index-ranges.ts'
import type { Duration, Instant } from '../../std/instant.ts'
import { formatInstant, instantOf } from '../../std/instant.ts'
import { oversizeProblem } from '../../std/number.ts'
import { isStorable } from '../../std/text.ts'
import type { EventInput } from '../../wire/usage-event.ts'
import { inspectMetadata } from './metadata.ts'
import type { Timestamps } from './timestamp.ts'

/** What reading the events found out, event by event. */
export interface Inspected {
  readonly ids: readonly string[]
  readonly times: readonly Instant[]
  /** Where an event holds an integer that JSON cannot carry exactly, by the index of the event. */
  readonly oversize: ReadonlyMap<number, string>
}

/**
 * Checks what the schema cannot. Throws INVALID_REQUEST_BODY (422). An event without a timestamp
 * happened at `at`, the business's time. [events#accepted, events#metadata, events#times]
 */
export function inspect(
  events: readonly EventInput[],
  at: Instant,
  timestamps: Timestamps,
): Inspected {
  const ids: string[] = []
  const times: Instant[] = []
  const oversize = new Map<number, string>()
  for (let index = 0; index < events.length; index += 1) {
    const event = events[index]
    if (event === undefined) break
    refuseUnstorable(event, index)
    ids.push(event.event_id)
    times.push(timeOf(event, index))
    if (event.metadata !== undefined && event.metadata !== null) {
      const path = inspectMetadata(event.metadata, index)
      if (path !== null) oversize.set(index, path)
    }
  }
  return { ids, times, oversize }

  function timeOf({ timestamp }: EventInput, index: number): Instant {
    if (timestamp === undefined || timestamp === null) return at
    const time = timestamps.read(timestamp)
    if (time !== null) return time
    throw new Fault(
      'INVALID_REQUEST_BODY',
      `events[${index}].timestamp must be an RFC 3339 date-time such as 2026-01-31T12:00:00Z.`,
    )
  }
}

/** Two ids that would be stored as the same text would count as one event. */
function refuseUnstorable(event: EventInput, index: number): void {
  const { customer_id, event_id, event_name } = event
  if (isStorable(event_id) && isStorable(customer_id) && isStorable(event_name)) return
  const field = !isStorable(event_id)
    ? 'event_id'
    : isStorable(customer_id)
      ? 'event_name'
      : 'customer_id'
  throw new Fault(
    'INVALID_REQUEST_BODY',
    `events[${index}].${field} must not hold U+0000 nor half of a surrogate pair.`,
  )
}

/** Refuses a request in which an id comes twice, whether known or not. [events#ids] */
export function refuseRepeated(ids: readonly string[]): void {
  if (ids.length === 1 || new Set(ids).size === ids.length) return
  const first = new Map<string, number>()
  ids.forEach((id, index) => {
    const earlier = first.get(id)
    if (earlier === undefined) first.set(id, index)
    else {
      throw new Fault(
        'DUPLICATE_EVENT_IDS',
        `events[${index}].event_id is that of events[${earlier}] too: ids must differ.`,
      )
    }
  })
}

/** [meters#quantities] */
export function refuseOversize({ oversize }: Inspected, fresh: readonly number[]): void {
  if (oversize.size === 0) return
  for (const index of fresh) {
    const path = oversize.get(index)
    if (path !== undefined) {
      throw new Fault('INVALID_REQUEST_PARAMETERS', `${path} holds ${oversizeProblem}`)
    }
  }
}

/** Which events of a request are refused for the same reason. */
const refusedHeader = 'Sluice-Refused'

/**
 * From `ageMax` before to five minutes after receipt, both inclusive. All that lie outside are
 * named at once: who has waited for longer than that has many of them. [events#times]
 */
export function refuseOutsideWindow(
  { times }: Inspected,
  fresh: readonly number[],
  { at, ageMax }: { readonly at: Instant; readonly ageMax: Duration },
): void {
  const earliest = instantOf(at - ageMax)
  const latest = instantOf(at + limits.eventLeadMax)
  const isOutside = (time: Instant): boolean => time < earliest || time > latest
  const outside = fresh.filter((index) => isOutside(times[index] ?? at))
  const [index] = outside
  if (index === undefined) return
  throw new Fault(
    'EVENT_TIMESTAMP_OUT_OF_RANGE',
    `events[${index}].timestamp must lie between ${formatInstant(earliest)} ` +
      `and ${formatInstant(latest)}.`,
    { headers: { [refusedHeader]: writeIndexes(outside, limits.refusedStretchesMax) } },
  )
}
