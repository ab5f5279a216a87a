import type { Scope } from '../../parts/store/scope.ts'
import type {
  CollectionGroup,
  GroupChange,
  ProductCollection,
  WantedGroup,
} from '../../rules/commerce/catalog/collection.ts'
import {
  inOrder,
  newGroup,
  replacedGroup,
  withChanges,
} from '../../rules/commerce/catalog/collection.ts'
import type { Instant } from '../../std/instant.ts'
import type { CollectionNeeds } from './change-collection.ts'
import { changeCollection, groupOrNotFound, ordered } from './change-collection.ts'

export interface GroupTarget {
  readonly collectionId: string
  readonly groupId: string
}

/** The new group. @throws Fault as changeCollection() does [resources#product-collections] */
export async function createGroup(
  needs: CollectionNeeds,
  scope: Scope,
  input: { readonly collectionId: string; readonly wanted: WantedGroup; readonly at: Instant },
): Promise<CollectionGroup> {
  const { collectionId, wanted, at } = input
  const group = newGroup(needs.newUuid, wanted)
  await changeCollection(needs, scope, {
    operation: 'create_collection_group',
    collectionId,
    decide: (was) => withChanges(was, { groups: [...was.groups, group] }, at),
  })
  return group
}

/** @throws Fault as changeCollection() does, 404 for the group [resources#product-collections] */
export async function updateGroup(
  needs: CollectionNeeds,
  scope: Scope,
  input: GroupTarget & { readonly change: GroupChange; readonly at: Instant },
): Promise<void> {
  const { collectionId, groupId, change, at } = input
  await changeCollection(needs, scope, {
    operation: 'update_collection_group',
    collectionId,
    decide: (was) => withGroup(was, changed(groupOrNotFound(was, groupId), change), at),
  })
}

/** @throws Fault as changeCollection() does, 404 for the group [resources#product-collections] */
export async function deleteGroup(
  needs: CollectionNeeds,
  scope: Scope,
  input: GroupTarget & { readonly at: Instant },
): Promise<void> {
  const { collectionId, groupId, at } = input
  await changeCollection(needs, scope, {
    operation: 'delete_collection_group',
    collectionId,
    decide: (was) => {
      groupOrNotFound(was, groupId)
      return withChanges(was, { groups: replacedGroup(was.groups, groupId, null) }, at)
    },
  })
}

/** The collection with this group in place of that of its id. */
export const withGroup = (
  was: ProductCollection,
  group: CollectionGroup,
  at: Instant,
): ProductCollection =>
  withChanges(was, { groups: replacedGroup(was.groups, group.groupId, group) }, at)

function changed(group: CollectionGroup, { itemOrder, ...fields }: GroupChange): CollectionGroup {
  if (itemOrder === undefined) return { ...group, ...fields }
  const items = ordered(
    inOrder(group.items, itemOrder, ({ itemId }) => itemId),
    'product_order',
  )
  return { ...group, ...fields, items }
}
