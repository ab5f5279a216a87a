import type { Scope } from '../../parts/store/scope.ts'
import type {
  ProductCollection,
  WantedCollection,
} from '../../rules/commerce/catalog/collection.ts'
import { newGroup } from '../../rules/commerce/catalog/collection.ts'
import type { Instant } from '../../std/instant.ts'
import { lost, untilWritten } from '../accounts/until-written.ts'
import type { CollectionNeeds } from './change-collection.ts'
import { writeCollection } from './change-collection.ts'

/** @throws Fault as changeCollection() does [resources#product-collections] */
export function createCollection(
  needs: CollectionNeeds,
  scope: Scope,
  { wanted, at }: { readonly wanted: WantedCollection; readonly at: Instant },
): Promise<ProductCollection> {
  const collection: ProductCollection = {
    collectionId: needs.newId('pdc'),
    brandId: wanted.brandId ?? scope.businessId,
    name: wanted.name,
    description: wanted.description,
    groups: wanted.groups.map((group) => newGroup(needs.newUuid, group)),
    planChanges: wanted.planChanges,
    imageId: null,
    archivedAt: null,
    createdAt: at,
    updatedAt: at,
  }
  return untilWritten(needs, 'create_collection', async () => {
    const written = await writeCollection(needs, scope, { before: null, next: collection })
    return written ? collection : lost
  })
}
