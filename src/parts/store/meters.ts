import type { BusinessCatalog } from '../../rules/meter/measure-types.ts'
import type { Meter } from '../../rules/meter/meter.ts'
import type { DefaultLinks } from '../../rules/meter/route.ts'
import type { Page, Scope } from './scope.ts'

export interface Meters {
  /** How many there are, archived ones included: of the business, and of the event name. */
  counted(
    scope: Scope,
    eventName: string,
  ): Promise<{ readonly all: number; readonly named: number }>

  /** Archived ones too. */
  get(scope: Scope, meterId: string): Promise<Meter | null>

  /** Newest first: those that live, or with `archived` those that are archived. */
  list(scope: Scope, archived: boolean, page: Page): Promise<readonly Meter[]>

  /** Those of the ids that exist, archived ones included. */
  many(scope: Scope, meterIds: readonly string[]): Promise<ReadonlyMap<string, Meter>>

  /**
   * Catalogs with their versions, each of one moment. A business that does not exist is left out.
   */
  catalogOf(scopes: readonly Scope[]): Promise<readonly CatalogSnapshot[]>
}

export interface CatalogSnapshot {
  /** With archived meters: what was received before their end still counts. */
  readonly catalog: BusinessCatalog
  /** The default links of entitlements that are not deleted. [meters#who-takes-the-usage] */
  readonly links: readonly DefaultLinks[]
}
