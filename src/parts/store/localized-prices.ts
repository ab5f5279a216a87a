import type { LocalizedPrice } from '../../rules/commerce/catalog/localized-price.ts'
import type { Scope } from './scope.ts'

export interface LocalizedPrices {
  /** An archived one too. */
  get(scope: Scope, id: string): Promise<LocalizedPrice | null>

  /** Those of a product that are not archived, newest first: one for each market at the most. */
  active(scope: Scope, productId: string): Promise<readonly LocalizedPrice[]>
}
