import type { Instant } from '../../std/instant.ts'
import type { AggregationType, Filter, LogTimeRange, Mode } from './meter.ts'

/**
 * The meters of one business and mode, as measuring needs them. `version` is given by the store.
 */
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

/** What a worker is given: plain data, since it crosses to another thread. */
export interface MeasureTask {
  readonly slices: readonly MeasureSlice[]
  /**
   * `BusinessCatalog[]` as JSON, in UTF-8 and shared memory. Parsed anew only when `version` moves.
   */
  readonly catalog: { readonly version: number; readonly json: Uint8Array }
  /** The installation's 16 bytes. */
  readonly fingerprintKey: Uint8Array
}

/** Events of some businesses that were measured and are to be measured again. */
export interface MeasureAgainTask {
  readonly slices: readonly MeasureSlice[]
  /** The unreadable records of the first measuring. */
  readonly unreadable: MeasureResult['unreadable']
  /** `BusinessCatalog[]` as JSON in UTF-8: these businesses with their present catalogs. */
  readonly catalogs: Uint8Array
}

/** What a worker answers about these businesses; events have the same numbers as before. */
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

/** What a worker answers: columns, nothing is summed up yet. */
export interface MeasureResult {
  /**
   * Businesses that the catalog does not have: load them and measure again. All other fields are
   * empty then.
   */
  readonly missing: readonly { readonly businessId: string; readonly mode: Mode }[]
  /** Readable events in log order: slice by slice, record by record, line by line. */
  readonly events: number
  /** [hi, lo] for each event. */
  readonly fingerprints: Uint32Array
  /** Log time of each event's record, in microseconds. */
  readonly receivedAt: Float64Array
  /**
   * Where each slice's events begin: one number more than there are slices, the last being
   * `events`.
   */
  readonly sliceStarts: Uint32Array
  /** Records that cannot be read: not our NDJSON, or another number of lines than `events` says. */
  readonly unreadable: readonly {
    readonly slice: number
    readonly offset: number
    readonly reason: string
  }[]
  /** A group is (business, mode, customer, meter); its number is its position here. */
  readonly groups: readonly MeasureGroup[]
  /** One row for each meter that an event matches with a quantity, in event order. */
  readonly rows: MeasureRows
  /** The versions of the catalogs that were used, one for each business seen. */
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
  /** The number of the event. */
  readonly event: Uint32Array
  /** The number of the group. */
  readonly group: Uint32Array
  /** The event's own timestamp, in microseconds. */
  readonly timestamp: Float64Array
  /** Safe integers as they are (1 for count); NaN: the quantity is in `exact`. */
  readonly quantity: Float64Array
  /** Row → quantity scaled by 10^18, for quantities that are not safe integers. */
  readonly exact: ReadonlyMap<number, bigint>
  /** Row → event id, only for rows of `last` meters, where it decides between equal times. */
  readonly eventIds: ReadonlyMap<number, string>
  /** Row → the business's time at receipt, only for rows of events that were backfilled. */
  readonly backfilledAt: ReadonlyMap<number, Instant>
}
