import { notFound, refuse } from '../../faults.ts'
import { rowAlone } from '../../parts/store/changes.ts'
import type { Scope } from '../../parts/store/scope.ts'
import { disabledRejection } from '../../rules/commerce/catalog/brand.ts'
import type { ProductCollection } from '../../rules/commerce/catalog/collection.ts'
import { productIdsOf, withChanges } from '../../rules/commerce/catalog/collection.ts'
import { archivedCollectionRejection } from '../../rules/commerce/catalog/collection-rules.ts'
import type { Instant } from '../../std/instant.ts'
import { lost, untilWritten } from '../accounts/until-written.ts'
import { brandOrNotFound, relyingOn } from '../brands/find-brand.ts'
import type { CollectionNeeds } from './change-collection.ts'
import { collectionOrNotFound } from './change-collection.ts'

interface Target {
  readonly collectionId: string
  readonly at: Instant
}

/**
 * Its products stay in it, and go on being sold.
 *
 * @throws Fault 404 for none, 409 on an archived brand, 410 when it is archived already
 * [resources#product-collections]
 */
export async function archiveCollection(
  needs: CollectionNeeds,
  scope: Scope,
  { collectionId, at }: Target,
): Promise<void> {
  await untilWritten<undefined>(needs, 'archive_collection', async () => {
    const was = await collectionOrNotFound(needs, scope, collectionId)
    refuse(archivedCollectionRejection(was))
    refuse(disabledRejection(await brandOrNotFound(needs, scope, was.brandId)))
    const row = withChanges(was, { archivedAt: at }, at)
    const changed = { noun: 'collection', expected: was.updatedAt, row } as const
    const outcome = await needs.changes.commit(rowAlone(scope, changed))
    return outcome === 'committed' ? undefined : lost
  })
}

/**
 * Leaves out the products that are archived, and answers their ids.
 *
 * @throws Fault 404 for none, and for one that is not archived; 409 on an archived brand
 * [resources#product-collections]
 */
export function unarchiveCollection(
  needs: CollectionNeeds,
  scope: Scope,
  { collectionId, at }: Target,
): Promise<readonly string[]> {
  return untilWritten(needs, 'unarchive_collection', async () => {
    const was = await collectionOrNotFound(needs, scope, collectionId)
    if (was.archivedAt === null) throw notFound('archived product collection', collectionId)
    const brand = await brandOrNotFound(needs, scope, was.brandId)
    refuse(disabledRejection(brand))
    const excluded = await archivedProductsOf(needs, scope, was)
    const row = withChanges(was, { groups: without(was, excluded), archivedAt: null }, at)
    const outcome = await needs.changes.commit({
      scope,
      clockAhead: null,
      rows: [...relyingOn(brand, scope), { noun: 'collection', expected: was.updatedAt, row }],
      accounts: [],
      facts: [],
    })
    return outcome === 'committed' ? excluded : lost
  })
}

async function archivedProductsOf(
  { products }: CollectionNeeds,
  scope: Scope,
  collection: ProductCollection,
): Promise<readonly string[]> {
  const ids = productIdsOf(collection)
  const found = await products.many(scope, ids)
  return ids.filter((id) => (found.get(id)?.archivedAt ?? null) !== null)
}

const without = ({ groups }: ProductCollection, excluded: readonly string[]) =>
  groups.map((group) => ({
    ...group,
    items: group.items.filter(({ productId }) => !excluded.includes(productId)),
  }))
