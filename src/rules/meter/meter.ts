import type { Instant } from '../../std/instant.ts'
import { laterOf } from '../../std/instant.ts'

/**
 * Test and live data never meet: they are stored apart, have keys of their own, and the host
 * chooses.
 */
export type Mode = 'test' | 'live'

export type AggregationType = 'count' | 'sum' | 'max' | 'last'

/** `key` is null for count only. [meters#aggregation] */
export interface Aggregation {
  readonly type: AggregationType
  readonly key: string | null
}

export type FilterOperator =
  | 'equals'
  | 'not_equals'
  | 'greater_than'
  | 'greater_than_or_equals'
  | 'less_than'
  | 'less_than_or_equals'
  | 'contains'
  | 'does_not_contain'

export type FilterValue = string | number | boolean

export interface FilterCondition {
  readonly key: string
  readonly operator: FilterOperator
  readonly value: FilterValue
}

/** Its clauses are all conditions, or all filters; at most three levels. [meters#aggregation] */
export interface Filter {
  readonly conjunction: 'and' | 'or'
  readonly clauses: readonly FilterCondition[] | readonly Filter[]
}

/** A stretch of log time; `to` null: it has not ended. */
export interface LogTimeRange {
  readonly from: Instant
  readonly to: Instant | null
}

export interface Meter {
  readonly meterId: string
  readonly name: string
  readonly eventName: string
  readonly aggregation: Aggregation
  readonly filter: Filter | null
  readonly measurementUnit: string
  readonly description: string | null
  /**
   * Usage that was received (log time) inside one of these ranges counts nothing.
   * [meters#late-usage]
   */
  readonly archived: readonly LogTimeRange[]
  readonly archivedAt: Instant | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** A meter as a caller asks for it. */
export type WantedMeter = Pick<
  Meter,
  'name' | 'eventName' | 'aggregation' | 'filter' | 'measurementUnit' | 'description'
>

export const isArchived = (meter: Meter): boolean => meter.archivedAt !== null

/** Whether an event received at `receivedAt` (log time) may count into the meter. */
export function countsAt(meter: Pick<Meter, 'archived'>, receivedAt: Instant): boolean {
  return !meter.archived.some(
    (range) => receivedAt >= range.from && (range.to === null || receivedAt < range.to),
  )
}

/** When a meter changes: in log time, which decides what counts, and in the business's time. */
export interface MeterMoment {
  readonly log: Instant
  readonly at: Instant
}

/** What is received from then on counts nothing. [meters#late-usage] */
export const archivedMeter = (meter: Meter, { log, at }: MeterMoment): Meter => ({
  ...meter,
  archived: [...meter.archived, { from: log, to: null }],
  archivedAt: at,
  updatedAt: laterOf(at, meter.updatedAt),
})

/**
 * What is received from then on counts again. A range never ends before it began, even when the
 * clock was set back in between. [meters#late-usage]
 */
export const unarchivedMeter = (meter: Meter, { log, at }: MeterMoment): Meter => ({
  ...meter,
  archived: meter.archived.map((range) =>
    range.to === null ? { from: range.from, to: laterOf(log, range.from) } : range,
  ),
  archivedAt: null,
  updatedAt: laterOf(at, meter.updatedAt),
})
