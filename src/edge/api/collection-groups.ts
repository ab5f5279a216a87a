import type { CollectionNeeds } from '../../operations/collections/change-collection.ts'
import type { CollectionPartsNeeds } from '../../operations/collections/collection-parts.ts'
import { collectionParts } from '../../operations/collections/collection-parts.ts'
import type { ItemTarget } from '../../operations/collections/group-items.ts'
import { createItems, deleteItem, updateItem } from '../../operations/collections/group-items.ts'
import type { GroupTarget } from '../../operations/collections/groups.ts'
import { createGroup, deleteGroup, updateGroup } from '../../operations/collections/groups.ts'
import {
  groupChange,
  groupCreate,
  groupUpdate,
  itemsCreate,
  itemUpdate,
  wantedGroup,
  wantedItem,
} from '../../wire/collection.ts'
import { collectionProductViews, groupView } from '../../wire/collection-view.ts'
import { parse } from '../http/parse.ts'
import { parseId } from '../http/path-id.ts'
import type { Reply, Request, Route } from '../http/route.ts'
import { noContent, ok, route } from '../http/route.ts'

/** [resources#product-collections] */
export function collectionGroupRoutes(
  needs: CollectionNeeds & CollectionPartsNeeds,
): readonly Route[] {
  const groups = '/product-collections/:id/groups'
  const items = `${groups}/:group_id/items`
  return [
    route('POST', groups, 'write', create),
    route('PATCH', `${groups}/:group_id`, 'write', update),
    route('DELETE', `${groups}/:group_id`, 'write', remove),
    route('POST', items, 'write', addItems),
    route('PATCH', `${items}/:item_id`, 'write', changeItem),
    route('DELETE', `${items}/:item_id`, 'write', removeItem),
  ]

  async function create(request: Request): Promise<Reply> {
    const { caller, at } = request
    const wanted = wantedGroup(parse(groupCreate, request.body))
    const group = await createGroup(needs, caller, { collectionId: idOf(request), wanted, at })
    return ok(groupView(group, await collectionParts(needs, caller, [group])))
  }

  async function update(request: Request): Promise<Reply> {
    const change = groupChange(parse(groupUpdate, request.body))
    await updateGroup(needs, request.caller, { ...groupOf(request), change, at: request.at })
    return noContent
  }

  async function remove(request: Request): Promise<Reply> {
    await deleteGroup(needs, request.caller, { ...groupOf(request), at: request.at })
    return noContent
  }

  async function addItems(request: Request): Promise<Reply> {
    const { caller, at } = request
    const wanted = parse(itemsCreate, request.body).products.map(wantedItem)
    const made = await createItems(needs, caller, { ...groupOf(request), wanted, at })
    const parts = await collectionParts(needs, caller, [{ items: made }])
    return ok(collectionProductViews(made, parts))
  }

  async function changeItem(request: Request): Promise<Reply> {
    const { status } = parse(itemUpdate, request.body)
    await updateItem(needs, request.caller, { ...itemOf(request), status, at: request.at })
    return noContent
  }

  async function removeItem(request: Request): Promise<Reply> {
    await deleteItem(needs, request.caller, { ...itemOf(request), at: request.at })
    return noContent
  }
}

const idOf = (request: Request): string => parseId(request, 'id', 'product collection')

const groupOf = (request: Request): GroupTarget => ({
  collectionId: idOf(request),
  groupId: parseId(request, 'group_id', 'group'),
})

const itemOf = (request: Request): ItemTarget => ({
  ...groupOf(request),
  itemId: parseId(request, 'item_id', 'item'),
})
