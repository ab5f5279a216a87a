import {
  collectionAnswer,
  collectionGroupAnswer,
  collectionItemAnswer,
  collectionProductsAnswer,
  collectionUnarchiveAnswer,
} from '../answers/collections.ts'
import {
  collectionCreate,
  collectionUpdate,
  groupCreate,
  groupUpdate,
  itemsCreate,
  itemUpdate,
} from '../collection.ts'
import type { DescribedRoutes } from './described.ts'
import { flagQuery, textQuery } from './described.ts'

/** What a change of a collection is refused for. */
const refusals = [
  'NOT_FOUND',
  'BRAND_NOT_ENABLED',
  'CONFLICT',
  'PRODUCT_COLLECTION_IS_DELETED',
  'PRODUCT_IS_DELETED',
  'BRAND_MISMATCH',
] as const

export const collectionsDescribed: DescribedRoutes = {
  'GET /product-collections': {
    id: 'listProductCollections',
    summary: 'List product collections',
    query: { archived: flagQuery, brand_id: textQuery },
    paged: true,
    answers: { items: collectionItemAnswer },
  },
  'POST /product-collections': {
    id: 'createProductCollection',
    summary: 'Create a product collection',
    body: { schema: collectionCreate, example: { name: 'Plans', groups: [] } },
    answers: collectionAnswer,
    refusals,
  },
  'GET /product-collections/:id': {
    id: 'getProductCollection',
    summary: 'Read a product collection',
    answers: collectionAnswer,
  },
  'PATCH /product-collections/:id': {
    id: 'updateProductCollection',
    summary: 'Change a product collection',
    body: { schema: collectionUpdate, example: { name: 'All plans', description: null } },
    answers: null,
    refusals,
  },
  'DELETE /product-collections/:id': {
    id: 'archiveProductCollection',
    summary: 'Archive a product collection',
    answers: null,
    refusals: ['BRAND_NOT_ENABLED', 'PRODUCT_COLLECTION_IS_DELETED'],
  },
  'POST /product-collections/:id/unarchive': {
    id: 'unarchiveProductCollection',
    summary: 'Take a product collection out of the archive',
    answers: collectionUnarchiveAnswer,
    refusals: ['BRAND_NOT_ENABLED'],
  },
  'POST /product-collections/:id/groups': {
    id: 'createProductCollectionGroup',
    summary: 'Add a group to a product collection',
    body: { schema: groupCreate, example: { group_name: 'Monthly', products: [] } },
    answers: collectionGroupAnswer,
    refusals,
  },
  'PATCH /product-collections/:id/groups/:group_id': {
    id: 'updateProductCollectionGroup',
    summary: 'Change a group of a product collection',
    body: { schema: groupUpdate, example: { group_name: 'Each month', status: true } },
    answers: null,
    refusals,
  },
  'DELETE /product-collections/:id/groups/:group_id': {
    id: 'deleteProductCollectionGroup',
    summary: 'Take a group out of a product collection',
    answers: null,
    refusals: [...refusals, 'PRODUCT_COLLECTION_MUST_HAVE_PRODUCTS'],
  },
  'POST /product-collections/:id/groups/:group_id/items': {
    id: 'createProductCollectionItems',
    summary: 'Put products into a group',
    body: { schema: itemsCreate, example: { products: [{ product_id: 'pdt_1' }] } },
    answers: collectionProductsAnswer,
    refusals,
  },
  'PATCH /product-collections/:id/groups/:group_id/items/:item_id': {
    id: 'updateProductCollectionItem',
    summary: 'Show a product of a group, or show it no more',
    body: { schema: itemUpdate, example: { status: false } },
    answers: null,
    refusals,
  },
  'DELETE /product-collections/:id/groups/:group_id/items/:item_id': {
    id: 'deleteProductCollectionItem',
    summary: 'Take a product out of a group',
    answers: null,
    refusals: [...refusals, 'PRODUCT_COLLECTION_MUST_HAVE_PRODUCTS'],
  },
}
