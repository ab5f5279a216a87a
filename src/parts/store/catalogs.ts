import type { BusinessCatalog } from '../../rules/meter/measure-types.ts'
import type { Mode } from '../../rules/meter/meter.ts'
import type { Stretch } from '../../rules/meter/route.ts'

/** An entitlement's default links through time. [ruling 15] */
export interface DefaultLinks {
  readonly entitlementId: string
  readonly stretches: readonly Stretch[]
}

export interface LoadedCatalog {
  readonly catalog: BusinessCatalog
  readonly defaultLinks: readonly DefaultLinks[]
}

/** Catalogues for measuring: content and version of one moment. */
export interface Catalogs {
  /** Those of the businesses that exist; versions and contents are of one snapshot. */
  load(
    businesses: readonly { readonly businessId: string; readonly mode: Mode }[],
  ): Promise<readonly LoadedCatalog[]>
}
