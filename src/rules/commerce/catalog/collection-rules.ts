import { limits } from '../../../limits.ts'
import type { Brand } from './brand.ts'
import { disabledRejection } from './brand.ts'
import type { CollectionGroup, ProductCollection } from './collection.ts'
import { itemsHeld, productIdsOf } from './collection.ts'
import type { Product } from './product.ts'
import type { Rejection } from './rejection.ts'
import { firstOf, firstOfEach, invalid } from './rejection.ts'

/** A collection that is to be stored, with all that it names, as far as it exists. */
export interface CollectionPlan {
  readonly collection: ProductCollection
  /** As it is now; null: it is new. */
  readonly before: ProductCollection | null
  readonly brand: Brand
  readonly products: ReadonlyMap<string, Product>
}

/**
 * Why the collection must not become this: first products that are missing, then what is archived
 * or another's, then rules. [resources#product-collections, requests#refusals]
 */
export function collectionRejection(plan: CollectionPlan): Rejection | null {
  const { collection, before, brand, products } = plan
  const carried = new Set(before === null ? [] : productIdsOf(before))
  const added = productIdsOf(collection).filter((id) => !carried.has(id))
  return firstOf([
    () => firstOfEach(added, (id) => unknownProduct(id, products)),
    () => disabledRejection(brand),
    () => firstOfEach(added, (id) => archivedProduct(id, products)),
    () => firstOfEach(added, (id) => elsewhere(id, products)),
    () => firstOfEach(productIdsOf(collection), repeated),
    () => firstOfEach(collection.groups, sameName),
    () => firstOfEach(productIdsOf(collection), (id) => otherBrand(id, plan)),
    () => tooMany(collection),
    () => emptied(plan),
  ])
}

/** Nothing of an archived collection changes but that it can be brought back. */
export const archivedCollectionRejection = ({
  collectionId,
  archivedAt,
}: ProductCollection): Rejection | null =>
  archivedAt === null
    ? null
    : {
        code: 'PRODUCT_COLLECTION_IS_DELETED',
        problem: `The product collection '${collectionId}' is archived. Unarchive it first.`,
      }

function unknownProduct(id: string, products: ReadonlyMap<string, Product>): Rejection | null {
  if (products.has(id)) return null
  return { code: 'NOT_FOUND', problem: `There is no product with the id '${id}'.` }
}

function archivedProduct(id: string, products: ReadonlyMap<string, Product>): Rejection | null {
  if ((products.get(id)?.archivedAt ?? null) === null) return null
  const problem = `The product '${id}' is archived. Unarchive it first.`
  return { code: 'PRODUCT_IS_DELETED', problem }
}

/** A new one is not in this collection: so it is in another one, if it is in any. */
function elsewhere(id: string, products: ReadonlyMap<string, Product>): Rejection | null {
  const collectionId = products.get(id)?.collectionId ?? null
  if (collectionId === null) return null
  const problem = `The product '${id}' is in the collection '${collectionId}' already.`
  return { code: 'CONFLICT', problem }
}

function repeated(id: string, index: number, all: readonly string[]): Rejection | null {
  if (all.indexOf(id) === index) return null
  return invalid(`The product '${id}' would be in the collection twice.`)
}

function sameName(
  { name }: CollectionGroup,
  index: number,
  groups: readonly CollectionGroup[],
): Rejection | null {
  if (name === null || groups.findIndex((other) => other.name === name) === index) return null
  return invalid(`group_name: the collection has a group called '${name}' already.`)
}

function otherBrand(id: string, { collection, products }: CollectionPlan): Rejection | null {
  const brandId = products.get(id)?.brandId ?? collection.brandId
  if (brandId === collection.brandId) return null
  const problem = `The product '${id}' is of the brand '${brandId}', and the collection of '${collection.brandId}'.`
  return { code: 'BRAND_MISMATCH', problem }
}

function tooMany(collection: ProductCollection): Rejection | null {
  const [groups, items] = [collection.groups.length, itemsHeld(collection).length]
  if (groups <= limits.collectionGroupsMax && items <= limits.collectionProductsMax) return null
  return invalid(
    `A collection has at most ${limits.collectionGroupsMax} groups and ${limits.collectionProductsMax} products.`,
  )
}

function emptied({ collection, before }: CollectionPlan): Rejection | null {
  if (before === null || itemsHeld(before).length === 0) return null
  return itemsHeld(collection).length > 0 ? null : withoutProducts
}

const withoutProducts: Rejection = {
  code: 'PRODUCT_COLLECTION_MUST_HAVE_PRODUCTS',
  problem: 'A collection keeps at least one product: archive the collection instead.',
}
