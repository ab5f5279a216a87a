import type { Scope } from '../../parts/store/scope.ts'
import type {
  CollectionChange,
  ProductCollection,
} from '../../rules/commerce/catalog/collection.ts'
import { inOrder, withChanges } from '../../rules/commerce/catalog/collection.ts'
import type { Instant } from '../../std/instant.ts'
import type { CollectionNeeds } from './change-collection.ts'
import { changeCollection, ordered } from './change-collection.ts'

/** @throws Fault as changeCollection() does [resources#product-collections] */
export async function updateCollection(
  needs: CollectionNeeds,
  scope: Scope,
  input: { readonly collectionId: string; readonly change: CollectionChange; readonly at: Instant },
): Promise<void> {
  const { collectionId, change, at } = input
  await changeCollection(needs, scope, {
    operation: 'update_collection',
    collectionId,
    decide: (was) => changed(was, change, at),
  })
}

function changed(
  was: ProductCollection,
  { groupOrder, planChanges, ...fields }: CollectionChange,
  at: Instant,
): ProductCollection {
  const groups =
    groupOrder === undefined
      ? was.groups
      : ordered(
          inOrder(was.groups, groupOrder, ({ groupId }) => groupId),
          'group_order',
        )
  return withChanges(
    was,
    { ...fields, groups, planChanges: { ...was.planChanges, ...planChanges } },
    at,
  )
}
