import {
  archiveCollection,
  unarchiveCollection,
} from '../../operations/collections/archive-collection.ts'
import type { CollectionNeeds } from '../../operations/collections/change-collection.ts'
import { collectionOrNotFound } from '../../operations/collections/change-collection.ts'
import type { CollectionPartsNeeds } from '../../operations/collections/collection-parts.ts'
import { collectionParts } from '../../operations/collections/collection-parts.ts'
import { createCollection } from '../../operations/collections/create-collection.ts'
import { updateCollection } from '../../operations/collections/update-collection.ts'
import type { Collections } from '../../parts/store/collections.ts'
import type { ProductCollection } from '../../rules/commerce/catalog/collection.ts'
import {
  collectionChange,
  collectionCreate,
  collectionUpdate,
  wantedCollection,
} from '../../wire/collection.ts'
import {
  collectionListItem,
  collectionUnarchiveView,
  collectionView,
} from '../../wire/collection-view.ts'
import { page } from '../../wire/schemas.ts'
import { parse, parseFlag, parsePage } from '../http/parse.ts'
import { parseId } from '../http/path-id.ts'
import type { Reply, Request, Route } from '../http/route.ts'
import { noContent, ok, route } from '../http/route.ts'
import { baseUrlOf } from './base-url.ts'
import { collectionGroupRoutes } from './collection-groups.ts'
import { parseText } from './parameters.ts'

export interface CollectionRouteNeeds extends CollectionNeeds, CollectionPartsNeeds {
  /** The beginning of addresses in answers; null: the request's host. */
  readonly publicUrl: string | null
  readonly collections: Collections
  readonly products: CollectionNeeds['products'] & CollectionPartsNeeds['products']
}

/** [resources#product-collections] */
export function collectionRoutes(needs: CollectionRouteNeeds): readonly Route[] {
  return [
    route('GET', '/product-collections', 'read', list),
    route('POST', '/product-collections', 'write', create),
    route('GET', '/product-collections/:id', 'read', retrieve),
    route('PATCH', '/product-collections/:id', 'write', update),
    route('DELETE', '/product-collections/:id', 'write', archive),
    route('POST', '/product-collections/:id/unarchive', 'write', unarchive, 'none'),
    ...collectionGroupRoutes(needs),
  ]

  async function list(request: Request): Promise<Reply> {
    const filter = {
      archived: parseFlag(request, 'archived') ?? false,
      brandId: parseText(request, 'brand_id'),
    }
    const found = await needs.collections.list(request.caller, filter, parsePage(request))
    const base = baseUrlOf(request, needs.publicUrl)
    return ok(page(found.map((each) => collectionListItem(each, base))))
  }

  async function create(request: Request): Promise<Reply> {
    const { caller, body, at } = request
    const command = { wanted: wantedCollection(parse(collectionCreate, body)), at }
    return shown(request, await createCollection(needs, caller, command))
  }

  async function retrieve(request: Request): Promise<Reply> {
    const { caller } = request
    return shown(request, await collectionOrNotFound(needs, caller, idOf(request)))
  }

  async function update(request: Request): Promise<Reply> {
    const change = collectionChange(parse(collectionUpdate, request.body))
    const command = { collectionId: idOf(request), change, at: request.at }
    await updateCollection(needs, request.caller, command)
    return noContent
  }

  async function archive(request: Request): Promise<Reply> {
    const target = { collectionId: idOf(request), at: request.at }
    await archiveCollection(needs, request.caller, target)
    return noContent
  }

  async function unarchive(request: Request): Promise<Reply> {
    const collectionId = idOf(request)
    const target = { collectionId, at: request.at }
    const excluded = await unarchiveCollection(needs, request.caller, target)
    return ok(collectionUnarchiveView(collectionId, excluded))
  }

  async function shown(request: Request, collection: ProductCollection): Promise<Reply> {
    const parts = await collectionParts(needs, request.caller, collection.groups)
    return ok(collectionView(collection, parts, baseUrlOf(request, needs.publicUrl)))
  }
}

const idOf = (request: Request): string => parseId(request, 'id', 'product collection')
