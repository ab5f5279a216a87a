import { notFound } from '../../faults.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type {
  CollectionGroup,
  CollectionItem,
  WantedItem,
} from '../../rules/commerce/catalog/collection.ts'
import { newItem } from '../../rules/commerce/catalog/collection.ts'
import type { Instant } from '../../std/instant.ts'
import type { CollectionNeeds } from './change-collection.ts'
import { changeCollection, groupOrNotFound } from './change-collection.ts'
import type { GroupTarget } from './groups.ts'
import { withGroup } from './groups.ts'

export interface ItemTarget extends GroupTarget {
  readonly itemId: string
}

/** The new items. @throws Fault as changeCollection() does, 404 for the group */
export async function createItems(
  needs: CollectionNeeds,
  scope: Scope,
  input: GroupTarget & { readonly wanted: readonly WantedItem[]; readonly at: Instant },
): Promise<readonly CollectionItem[]> {
  const { collectionId, groupId, wanted, at } = input
  const items = wanted.map((each) => newItem(needs.newUuid, each))
  await changeCollection(needs, scope, {
    operation: 'create_collection_items',
    collectionId,
    decide: (was) => {
      const group = groupOrNotFound(was, groupId)
      return withGroup(was, { ...group, items: [...group.items, ...items] }, at)
    },
  })
  return items
}

/** Shows it, or shows it no more. @throws Fault as changeCollection() does, 404 for the item */
export async function updateItem(
  needs: CollectionNeeds,
  scope: Scope,
  input: ItemTarget & { readonly status: boolean; readonly at: Instant },
): Promise<void> {
  const { collectionId, groupId, itemId, status, at } = input
  await changeCollection(needs, scope, {
    operation: 'update_collection_item',
    collectionId,
    decide: (was) => {
      const group = groupWith(groupOrNotFound(was, groupId), itemId)
      const items = group.items.map((item) => (item.itemId === itemId ? { ...item, status } : item))
      return withGroup(was, { ...group, items }, at)
    },
  })
}

/** Takes it out. @throws Fault as changeCollection() does, 404 for the item; 422 for the last */
export async function deleteItem(
  needs: CollectionNeeds,
  scope: Scope,
  input: ItemTarget & { readonly at: Instant },
): Promise<void> {
  const { collectionId, groupId, itemId, at } = input
  await changeCollection(needs, scope, {
    operation: 'delete_collection_item',
    collectionId,
    decide: (was) => {
      const group = groupWith(groupOrNotFound(was, groupId), itemId)
      const items = group.items.filter((item) => item.itemId !== itemId)
      return withGroup(was, { ...group, items }, at)
    },
  })
}

function groupWith(group: CollectionGroup, itemId: string): CollectionGroup {
  if (group.items.some((item) => item.itemId === itemId)) return group
  throw notFound('item', itemId)
}
