import type { Product } from '../../rules/commerce/catalog/product.ts'
import type { Page, Scope } from './scope.ts'

export interface Products {
  /** Archived ones too. */
  get(scope: Scope, productId: string): Promise<Product | null>

  /** The products that exist among these ids, by id; archived ones too. */
  many(scope: Scope, productIds: readonly string[]): Promise<ReadonlyMap<string, Product>>

  /** Newest first. */
  list(scope: Scope, filter: ProductFilter, page: Page): Promise<readonly Product[]>
}

export interface ProductFilter {
  readonly archived: boolean
  readonly brandId: string | null
  /** True: subscriptions; false: single purchases; null: both. */
  readonly recurring: boolean | null
}
