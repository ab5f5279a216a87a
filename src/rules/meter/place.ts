import type { Instant } from '../../std/instant.ts'

/** For each partition (its number as text) the offset after everything that is meant. */
export type Positions = Readonly<Record<string, number>>

/** Where an event lies in the log, and when it came there. */
export interface EventPlace {
  readonly partition: number
  readonly offset: number
  /** Which event of its record, from 0. */
  readonly index: number
  /** Log time. */
  readonly receivedAt: Instant
}

/** Whether the positions have passed the event. */
export const isCovered = (
  { partition, offset }: Pick<EventPlace, 'partition' | 'offset'>,
  positions: Positions,
): boolean => offset < (positions[String(partition)] ?? 0)

/** The order of receipt over all partitions: a total one, so that "before" has one meaning. */
export const compareReceipt = (a: EventPlace, b: EventPlace): number =>
  a.receivedAt - b.receivedAt ||
  a.partition - b.partition ||
  a.offset - b.offset ||
  a.index - b.index
