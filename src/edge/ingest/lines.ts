import { limits } from '../../limits.ts'
import type { Mode } from '../../rules/meter/meter.ts'
import type { Instant } from '../../std/instant.ts'
import { formatInstant } from '../../std/instant.ts'
import type { EventInput } from '../../wire/usage-event.ts'
import type { Inspected } from './inspect.ts'
import type { Piece } from './packer.ts'
import type { Timestamps } from './timestamp.ts'

export interface LineContext {
  readonly businessId: string
  readonly mode: Mode
  /** The partition of each event, by its index. */
  readonly partitions: ArrayLike<number>
  readonly timestamps: Timestamps
  /** The business's time. */
  readonly at: Instant
}

/**
 * Writes the events at the indices `fresh` as lines of the event log (LogLine), joined by partition
 * and cut into pieces that fit a record. Strings are joined instead of objects stringified, because
 * `business_id` and `mode` are the same in all lines.
 */
export function linesOf(
  events: readonly EventInput[],
  inspected: Inspected,
  fresh: readonly number[],
  context: LineContext,
): readonly Piece[] {
  const { businessId, mode, partitions, timestamps, at } = context
  const start = `{"business_id":${quoted(businessId)},"mode":"${mode}","event_id":`
  const earliest = at - limits.eventAgeMax
  const pieces: Growing[] = []
  // The last piece of each partition; for one event no map is needed.
  const last = fresh.length === 1 ? null : new Map<number, Growing>()
  for (const index of fresh) {
    const [event, time] = [events[index], inspected.times[index]]
    const partition = partitions[index]
    if (event === undefined || time === undefined || partition === undefined) continue
    const backfilledAt = time < earliest ? formatInstant(at) : null
    const line = `${start}${ownFieldsOf(event, timestamps.write(time), backfilledAt)}\n`
    const piece = last?.get(partition)
    if (piece === undefined || piece.text.length >= limits.pieceCharactersMax) {
      const begun = { partition, text: line, events: 1 }
      pieces.push(begun)
      last?.set(partition, begun)
    } else {
      piece.text += line
      piece.events += 1
    }
  }
  return pieces.map(({ partition, text, events: count }) => ({
    partition,
    bytes: Buffer.from(text),
    events: count,
  }))
}

interface Growing {
  readonly partition: number
  text: string
  events: number
}

/** What is known of an event itself, from the text of its id to the closing brace. */
export function ownFieldsOf(
  event: EventInput,
  timestamp: string,
  backfilledAt: string | null = null,
): string {
  const { customer_id, event_id, event_name, metadata } = event
  const received = backfilledAt === null ? '' : `,"backfilled_at":"${backfilledAt}"`
  const end = metadata === undefined ? '' : `,"metadata":${JSON.stringify(metadata)}`
  return (
    `${quoted(event_id)},"customer_id":${quoted(customer_id)},"event_name":${quoted(event_name)}` +
    `,"timestamp":"${timestamp}"${received}${end}}`
  )
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON escapes.
const escaped = /["\\\u0000-\u001f]/

/**
 * Ids and names hold no half surrogates (inspect.ts), the only other thing that JSON would escape.
 */
const quoted = (text: string): string => (escaped.test(text) ? JSON.stringify(text) : `"${text}"`)
