import type { BusinessCatalog } from '../../rules/meter/measure-types.ts'
import type { Meter } from '../../rules/meter/meter.ts'
import type { DefaultLinks } from '../../rules/meter/route.ts'
import type { Instant } from '../../std/instant.ts'
import type { Page, Scope } from './scope.ts'

/** Every change moves the catalog's version in the same statement. */
export interface Meters {
  /** `full`: there are `limits.metersMax` of the business, or `metersPerNameMax` of the name. */
  insert(scope: Scope, meter: Meter): Promise<'inserted' | 'full'>

  /** Archived ones too. */
  get(scope: Scope, meterId: string): Promise<Meter | null>

  /** Newest first: those that live, or those that are archived. */
  list(scope: Scope, archived: boolean, page: Page): Promise<readonly Meter[]>

  /** Those of the ids that exist, archived ones included. */
  many(scope: Scope, meterIds: readonly string[]): Promise<ReadonlyMap<string, Meter>>

  /** From `change.logAt` on, what is received counts nothing. */
  archive(scope: Scope, meterId: string, change: MeterChange): Promise<MeterChanged>

  /** From `change.logAt` on, what is received counts again. */
  unarchive(scope: Scope, meterId: string, change: MeterChange): Promise<MeterChanged>

  /** Version and content are of one moment. A business that does not exist is left out. */
  catalogOf(scopes: readonly Scope[]): Promise<readonly CatalogSnapshot[]>
}

export interface MeterChange {
  /** Real time: what the log's records are stamped with. */
  readonly logAt: Instant
  /** The business's time. */
  readonly at: Instant
}

/**
 * `unchanged`: it was archived (or not) already. `full`: it is archived, and was
 * `limits.archivedRangesMax` times before.
 */
export type MeterChanged = 'changed' | 'unchanged' | 'unknown' | 'full'

export interface CatalogSnapshot {
  /** Archived meters included: what was received before still counts. */
  readonly catalog: BusinessCatalog
  /** The default links of entitlements that are not deleted. [meters#who-takes-the-usage] */
  readonly links: readonly DefaultLinks[]
}
