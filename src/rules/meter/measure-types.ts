import type { Instant } from '../../std/instant.ts'
import type { AggregationType, Filter, LogTimeRange, Mode } from './meter.ts'

/** The meters of one business and mode, as measuring needs them. `version` is the store's. */
export interface BusinessCatalog {
  readonly businessId: string
  readonly mode: Mode
  readonly version: number
  readonly meters: readonly CatalogMeter[]
}

export interface CatalogMeter {
  readonly meterId: string
  readonly eventName: string
  readonly aggregation: AggregationType
  readonly aggregationKey: string | null
  readonly filter: Filter | null
  readonly archived: readonly LogTimeRange[]
}

/** What a worker is given. Plain data: it crosses a thread. */
export interface MeasureTask {
  readonly slices: readonly MeasureSlice[]
  /**
   * JSON of `BusinessCatalog[]` in UTF-8 in shared memory; parsed anew only when `version` moves.
   */
  readonly catalog: { readonly version: number; readonly json: Uint8Array }
  /** 16 bytes, the installation's. */
  readonly fingerprintKey: Uint8Array
}

/** Some businesses of what was measured, to be measured again. */
export interface MeasureAgainTask {
  readonly slices: readonly MeasureSlice[]
  /** What the whole of it said. */
  readonly unreadable: MeasureResult['unreadable']
  /** JSON of `BusinessCatalog[]` in UTF-8: the businesses, as their catalogs are now. */
  readonly catalogs: Uint8Array
}

/** What a worker answers of them, events numbered as before. */
export type MeasuredAgain = Pick<MeasureResult, 'groups' | 'rows' | 'catalogs'>

export interface MeasureSlice {
  readonly partition: number
  readonly records: readonly {
    readonly offset: number
    readonly at: Instant
    readonly events: number
    readonly value: Uint8Array
  }[]
}

/** What a worker answers: columns, no sums yet. */
export interface MeasureResult {
  /**
   * Businesses that the catalog did not hold: load them and measure again. Then all else is empty.
   */
  readonly missing: readonly { readonly businessId: string; readonly mode: Mode }[]
  /** Readable events in log order: slice by slice, record by record, line by line. */
  readonly events: number
  /** [hi, lo] an event. */
  readonly fingerprints: Uint32Array
  /** Log time of each event's record, in microseconds. */
  readonly receivedAt: Float64Array
  /** Where each slice's events begin; one more entry than slices, the last is `events`. */
  readonly sliceStarts: Uint32Array
  /** Records that cannot be read: not NDJSON of ours, or another count of lines than `events`. */
  readonly unreadable: readonly {
    readonly slice: number
    readonly offset: number
    readonly reason: string
  }[]
  /** (business, mode, customer, meter), numbered by position. */
  readonly groups: readonly MeasureGroup[]
  /** One row for each meter that an event matches with a quantity, in event order. */
  readonly rows: MeasureRows
  /** The catalog versions that were used, one for each business seen. */
  readonly catalogs: readonly {
    readonly businessId: string
    readonly mode: Mode
    readonly version: number
  }[]
}

export interface MeasureGroup {
  readonly businessId: string
  readonly mode: Mode
  readonly customerId: string
  readonly meterId: string
  readonly aggregation: AggregationType
}

export interface MeasureRows {
  readonly count: number
  /** Which event. */
  readonly event: Uint32Array
  /** Which group. */
  readonly group: Uint32Array
  /** The event's own timestamp, in microseconds. */
  readonly timestamp: Float64Array
  /** Safe integers as they are (1 for count); NaN: see `exact`. */
  readonly quantity: Float64Array
  /** Row → quantity scaled by 10^18, for those that are not safe integers. */
  readonly exact: ReadonlyMap<number, bigint>
  /** Row → event id, for rows of `last` meters only: the tie-break. */
  readonly eventIds: ReadonlyMap<number, string>
}
