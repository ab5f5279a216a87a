import type { BusinessCatalog } from '../../rules/meter/measure-types.ts'
import type { Meter } from '../../rules/meter/meter.ts'
import type { DefaultLinks } from '../../rules/meter/route.ts'
import type { Instant } from '../../std/instant.ts'
import type { Page, Scope } from './scope.ts'

/** Every change moves the catalog's version in the same statement. */
export interface Meters {
  /** `full`: the business has `limits.metersMax` meters, or the event name `metersPerNameMax`. */
  insert(scope: Scope, meter: Meter): Promise<'inserted' | 'full'>

  /** Archived ones too. */
  get(scope: Scope, meterId: string): Promise<Meter | null>

  /** Newest first: those that live, or with `archived` those that are archived. */
  list(scope: Scope, archived: boolean, page: Page): Promise<readonly Meter[]>

  /** Those of the ids that exist, archived ones included. */
  many(scope: Scope, meterIds: readonly string[]): Promise<ReadonlyMap<string, Meter>>

  /** Events received from `change.logAt` on count nothing. */
  archive(scope: Scope, meterId: string, change: MeterChange): Promise<MeterChanged>

  /** Events received from `change.logAt` on count again. */
  unarchive(scope: Scope, meterId: string, change: MeterChange): Promise<MeterChanged>

  /**
   * Catalogs with their versions, each of one moment. A business that does not exist is left out.
   */
  catalogOf(scopes: readonly Scope[]): Promise<readonly CatalogSnapshot[]>
}

export interface MeterChange {
  /** Real time, with which the log stamps its records. */
  readonly logAt: Instant
  /** The business's time. */
  readonly at: Instant
}

/**
 * `unchanged`: it was archived already (or was not archived). `full`: it is archived, and was so
 * `limits.archivedRangesMax` times before.
 */
export type MeterChanged = 'changed' | 'unchanged' | 'unknown' | 'full'

export interface CatalogSnapshot {
  /** With archived meters: what was received before their end still counts. */
  readonly catalog: BusinessCatalog
  /** The default links of entitlements that are not deleted. [meters#who-takes-the-usage] */
  readonly links: readonly DefaultLinks[]
}
