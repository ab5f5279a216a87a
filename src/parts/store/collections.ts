import type { ProductCollection } from '../../rules/commerce/catalog/collection.ts'
import type { Page, Scope } from './scope.ts'

export interface Collections {
  /** An archived one too. */
  get(scope: Scope, collectionId: string): Promise<ProductCollection | null>

  /** Newest first. */
  list(scope: Scope, filter: CollectionFilter, page: Page): Promise<readonly ProductCollection[]>
}

export interface CollectionFilter {
  readonly archived: boolean
  readonly brandId: string | null
}
