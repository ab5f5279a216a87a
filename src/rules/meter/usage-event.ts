import type { Instant } from '../../std/instant.ts'
import type { Mode } from './meter.ts'

/** Free-form; meters read top-level strings, numbers and booleans. [events#metadata] */
export type Metadata = Readonly<Record<string, unknown>>

/**
 * A property that was sent, else undefined. `__proto__`, `constructor` and the like are ordinary
 * keys here, and what every object inherits does not count. [events#metadata]
 */
export function propertyOf(metadata: Metadata | null | undefined, key: string): unknown {
  if (metadata === null || metadata === undefined) return undefined
  return Object.hasOwn(metadata, key) ? metadata[key] : undefined
}

/** One immutable fact of use. */
export interface UsageEvent {
  readonly eventId: string
  readonly customerId: string
  readonly eventName: string
  readonly timestamp: Instant
  readonly metadata: Metadata | null
  /** As its line has it (LogLine.backfilled_at): the business's time. */
  readonly backfilledAt?: Instant
}

/**
 * One line of a record in the event log [machines#the-log]. It is complete in itself, so that
 * anyone can read the topic. `timestamp` is always present, in UTC with microseconds; `metadata`
 * only where it was sent. `backfilled_at` is the business's time at receipt, present only where the
 * event was older than an hour by then: it decides whether its cycle still takes its usage.
 * [meters#late-usage]
 */
export interface LogLine {
  readonly business_id: string
  readonly mode: Mode
  readonly event_id: string
  readonly customer_id: string
  readonly event_name: string
  readonly timestamp: string
  readonly backfilled_at?: string
  readonly metadata?: Metadata | null
}
