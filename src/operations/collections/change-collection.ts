import { Fault, orNotFound, refuse } from '../../faults.ts'
import type { Changes } from '../../parts/store/changes.ts'
import type { Collections } from '../../parts/store/collections.ts'
import type { Products } from '../../parts/store/products.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type {
  CollectionGroup,
  NewUuid,
  ProductCollection,
} from '../../rules/commerce/catalog/collection.ts'
import { productIdsOf } from '../../rules/commerce/catalog/collection.ts'
import {
  archivedCollectionRejection,
  collectionRejection,
} from '../../rules/commerce/catalog/collection-rules.ts'
import type { NewId } from '../../std/id.ts'
import type { Operation, Tries } from '../accounts/until-written.ts'
import { lost, untilWritten } from '../accounts/until-written.ts'
import type { FindBrandNeeds } from '../brands/find-brand.ts'
import { brandOrNotFound, relyingOn } from '../brands/find-brand.ts'
import type { KnownImageNeeds } from '../files/known-image.ts'
import { refuseUnknownImage } from '../files/known-image.ts'

export interface CollectionNeeds extends FindBrandNeeds, KnownImageNeeds, Tries {
  readonly changes: Pick<Changes, 'commit'>
  readonly collections: Pick<Collections, 'get'>
  readonly products: Pick<Products, 'many'>
  readonly newId: NewId
  readonly newUuid: NewUuid
}

export interface ChangingCollection {
  readonly operation: Operation
  readonly collectionId: string
  /** Pure: what becomes of it. Throws a Fault to refuse. */
  readonly decide: (was: ProductCollection) => ProductCollection
}

/**
 * The collection as it is afterwards.
 *
 * @throws Fault 404; 409 where its brand, 410 where itself is archived; and what
 * collectionRejection() refuses. [resources#product-collections]
 */
export const changeCollection = (
  needs: CollectionNeeds,
  scope: Scope,
  { operation, collectionId, decide }: ChangingCollection,
): Promise<ProductCollection> =>
  untilWritten(needs, operation, async () => {
    const was = await collectionOrNotFound(needs, scope, collectionId)
    refuse(archivedCollectionRejection(was))
    const next = decide(was)
    return (await writeCollection(needs, scope, { before: was, next })) ? next : lost
  })

/** Whether it was written: the state before, its brand and its products were as loaded. */
export async function writeCollection(
  needs: CollectionNeeds,
  scope: Scope,
  { before, next }: { readonly before: ProductCollection | null; readonly next: ProductCollection },
): Promise<boolean> {
  const brand = await brandOrNotFound(needs, scope, next.brandId)
  const products = await needs.products.many(scope, productIdsOf(next))
  if (next.imageId !== before?.imageId) await refuseUnknownImage(needs, scope, next.imageId)
  refuse(collectionRejection({ collection: next, before, brand, products }))
  const outcome = await needs.changes.commit({
    scope,
    clockAhead: null,
    rows: [
      ...relyingOn(brand, scope),
      { noun: 'collection', expected: before?.updatedAt ?? null, row: next },
    ],
    accounts: [],
    facts: [],
  })
  return outcome === 'committed'
}

export const collectionOrNotFound = async (
  { collections }: Pick<CollectionNeeds, 'collections'>,
  scope: Scope,
  id: string,
): Promise<ProductCollection> =>
  orNotFound(await collections.get(scope, id), 'product collection', id)

/** @throws Fault 404 */
export const groupOrNotFound = (
  { groups }: ProductCollection,
  groupId: string,
): CollectionGroup => {
  const group = groups.find((each) => each.groupId === groupId)
  return orNotFound(group ?? null, 'group', groupId)
}

/** @throws Fault 422 where the ids are not those of all. */
export function ordered<T>(inOrder: readonly T[] | null, field: string): readonly T[] {
  if (inOrder !== null) return inOrder
  throw new Fault('INVALID_REQUEST_BODY', `${field} must hold the id of each one, once.`)
}
