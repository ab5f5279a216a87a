import type { Instant } from '../../std/instant.ts'

/** For each partition (its number as text), the offset after everything that is meant. */
export type Positions = Readonly<Record<string, number>>

/** Where an event lies in the log, and when it came in. */
export interface EventPlace {
  readonly partition: number
  readonly offset: number
  /** The number of the event in its record, from 0. */
  readonly index: number
  /** Log time. */
  readonly receivedAt: Instant
}

/** Whether the event lies before the positions. */
export const isCovered = (
  { partition, offset }: Pick<EventPlace, 'partition' | 'offset'>,
  positions: Positions,
): boolean => offset < (positions[String(partition)] ?? 0)

/** The order of receipt over all partitions. It is total, so that "before" has one meaning. */
export const compareReceipt = (a: EventPlace, b: EventPlace): number =>
  a.receivedAt - b.receivedAt ||
  a.partition - b.partition ||
  a.offset - b.offset ||
  a.index - b.index
