import type { Brand, BrandHoldings, MovedCounts } from '../../rules/commerce/catalog/brand.ts'
import type { Scope } from './scope.ts'

/** The brands that are made; the primary one is the business. */
export interface Brands {
  /** An archived one too. */
  get(scope: Scope, brandId: string): Promise<Brand | null>

  /** Newest first. */
  list(scope: Scope, filter: { readonly archived: boolean }): Promise<readonly Brand[]>

  /** How many there are, archived ones included. */
  counted(scope: Scope): Promise<number>

  /** Archived products count, and live subscriptions alone. */
  holdings(scope: Scope, brandId: string): Promise<BrandHoldings>

  /** What an archived brand gave away when it was archived. */
  moved(scope: Scope, brandId: string): Promise<MovedCounts>
}
