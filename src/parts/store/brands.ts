import type { Brand, MovedCounts } from '../../rules/commerce/catalog/brand.ts'
import type { Scope } from './scope.ts'

/** The brands that are made; the primary one is the business. */
export interface Brands {
  /** An archived one too. */
  get(scope: Scope, brandId: string): Promise<Brand | null>

  /** Newest first. */
  list(scope: Scope, filter: { readonly archived: boolean }): Promise<readonly Brand[]>

  /** How many there are, archived ones included. */
  counted(scope: Scope): Promise<number>

  /**
   * What it would give away if it were archived now: archived products and collections count, and
   * live subscriptions alone.
   */
  holdings(scope: Scope, brandId: string): Promise<MovedCounts>

  /** What an archived brand gave away when it was archived. */
  moved(scope: Scope, brandId: string): Promise<MovedCounts>
}
