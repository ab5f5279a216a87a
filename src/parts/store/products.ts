import type { Product } from '../../rules/commerce/catalog/product.ts'
import type { Mode } from '../../rules/meter/meter.ts'
import type { Page, Scope } from './scope.ts'

export interface Products {
  /** Archived ones too. */
  get(scope: Scope, productId: string): Promise<Product | null>

  /** The products that exist among these ids, by id; archived ones too. */
  many(scope: Scope, productIds: readonly string[]): Promise<ReadonlyMap<string, Product>>

  /** The product of this id and its business, archived or not; for pages, without a key. */
  find(mode: Mode, productId: string): Promise<(Scope & { readonly product: Product }) | null>

  /** Newest first. */
  list(scope: Scope, filter: ProductFilter, page: Page): Promise<readonly Product[]>
}

export interface ProductFilter {
  readonly archived: boolean
  readonly brandId: string | null
  /** True: subscriptions; false: single purchases; null: both. */
  readonly recurring: boolean | null
}
