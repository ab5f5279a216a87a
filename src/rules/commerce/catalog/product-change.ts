import type { NewId } from '../../../std/id.ts'
import type { Instant } from '../../../std/instant.ts'
import { changeTime } from './change-time.ts'
import { metersOf } from './price.ts'
import type { CreditMapping, Product, ProductChange, WantedMapping } from './product.ts'
import type { Rejection } from './rejection.ts'
import { invalid } from './rejection.ts'

/** The product after a change. An entitlement that stays attached keeps its mapping's id. */
export function changedProduct(
  was: Product,
  change: ProductChange,
  { newId, at }: { readonly newId: NewId; readonly at: Instant },
): Product {
  const { creditEntitlements, delivery: _, license, ...fields } = change
  return {
    ...was,
    ...fields,
    creditEntitlements:
      creditEntitlements === undefined
        ? was.creditEntitlements
        : creditEntitlements.map((mapping) => mapped(newId, mapping, was.creditEntitlements)),
    license: { ...was.license, ...license },
    updatedAt: changeTime(was, at),
  }
}

export function mapped(
  newId: NewId,
  wanted: WantedMapping,
  before: readonly CreditMapping[] = [],
): CreditMapping {
  const known = before.find((each) => each.creditEntitlementId === wanted.creditEntitlementId)
  return { mappingId: known?.mappingId ?? newId('cem'), ...wanted }
}

/** The kind of a price is for good: subscriptions and carts rely on it. [resources#products] */
export function kindRejection(was: Product, { price }: ProductChange): Rejection | null {
  if (price === undefined || price.type === was.price.type) return null
  return invalid(`price.type cannot be changed: it is ${was.price.type}. Create another product.`)
}

/** Collections are of one brand, and so are their products. [resources#product-collections] */
export function brandRejection(
  was: Product,
  { brandId = was.brandId }: ProductChange,
): Rejection | null {
  if (brandId === was.brandId || was.collectionId === null) return null
  const problem = `The product is in the collection '${was.collectionId}', of its own brand: take it out first.`
  return { code: 'BRAND_MISMATCH', problem }
}

/** Whether a change touches what rules between the fields of a product are about. */
export const isStructural = (change: ProductChange): boolean =>
  change.price !== undefined ||
  change.creditEntitlements !== undefined ||
  change.addonIds !== undefined ||
  change.pricingMode !== undefined

/** What a product names already: deleted or archived since, it lives on there. */
export interface Carried {
  readonly meterIds: ReadonlySet<string>
  readonly entitlementIds: ReadonlySet<string>
}

export const carriedBy = (product: Product): Carried => ({
  meterIds: new Set(metersOf(product.price).map(({ meterId }) => meterId)),
  entitlementIds: new Set(
    product.creditEntitlements.map(({ creditEntitlementId }) => creditEntitlementId),
  ),
})

export const carriesNothing: Carried = { meterIds: new Set(), entitlementIds: new Set() }

export function archivedProduct(was: Product, at: Instant): Product {
  const time = changeTime(was, at)
  return { ...was, archivedAt: time, updatedAt: time }
}

export const unarchivedProduct = (was: Product, at: Instant): Product => ({
  ...was,
  archivedAt: null,
  updatedAt: changeTime(was, at),
})

/** An archived product cannot be sold. */
export const archivedRejection = (product: Product): Rejection | null =>
  product.archivedAt === null
    ? null
    : {
        code: 'PRODUCT_IS_DELETED',
        problem: `The product '${product.productId}' is archived; choose another.`,
      }
