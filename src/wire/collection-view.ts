import type {
  CollectionGroup,
  CollectionItem,
  PlanChangeDefaults,
  ProductCollection,
} from '../rules/commerce/catalog/collection.ts'
import { itemsHeld } from '../rules/commerce/catalog/collection.ts'
import { baseAmount, isRecurring, metersOf } from '../rules/commerce/catalog/price.ts'
import type { Product } from '../rules/commerce/catalog/product.ts'
import type { ProductEntitlement } from '../rules/commerce/entitlements/product-entitlement.ts'
import { filesHeldBy } from '../rules/commerce/entitlements/product-entitlement.ts'
import type { Meter } from '../rules/meter/meter.ts'
import { formatInstant } from '../std/instant.ts'
import { plural } from '../std/plural.ts'
import type { Currency, TaxCategory } from './enums.ts'
import { imageAddress } from './image-address.ts'
import type { PriceView } from './price.ts'
import { priceView } from './price.ts'

/** [resources#product-collections] */
export interface CollectionView {
  readonly id: string
  readonly brand_id: string
  readonly name: string
  readonly description: string | null
  readonly image: string | null
  readonly groups: readonly GroupView[]
  readonly effective_at_on_upgrade: PlanChangeDefaults['effectiveAtOnUpgrade']
  readonly effective_at_on_downgrade: PlanChangeDefaults['effectiveAtOnDowngrade']
  readonly proration_billing_mode_on_upgrade: PlanChangeDefaults['prorationOnUpgrade']
  readonly proration_billing_mode_on_downgrade: PlanChangeDefaults['prorationOnDowngrade']
  readonly on_payment_failure: PlanChangeDefaults['onPaymentFailure']
  readonly created_at: string
  readonly updated_at: string
}

/** [resources#product-collections] */
export interface CollectionListItem {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly image: string | null
  readonly products_count: number
  readonly created_at: string
  readonly updated_at: string
}

/** [resources#product-collections] */
export interface GroupView {
  readonly group_id: string
  readonly group_name: string | null
  readonly status: boolean
  readonly products: readonly CollectionProductView[]
}

/** [resources#product-collections] */
export interface CollectionProductView {
  readonly id: string
  readonly product_id: string
  readonly status: boolean
  readonly name: string
  readonly description: string | null
  readonly is_recurring: boolean
  readonly currency: Currency
  readonly price: number
  readonly price_detail: PriceView
  readonly tax_category: TaxCategory
  readonly tax_inclusive: boolean | null
  readonly addons_count: number
  readonly files_count: number
  readonly meters_count: number
  readonly has_credit_entitlements: boolean
  readonly license_key_enabled: boolean
}

/** [resources#product-collections] */
export interface CollectionUnarchiveView {
  readonly collection_id: string
  readonly excluded_product_ids: readonly string[]
  readonly message: string
}

/** The products of a collection, with the meters of their prices and what they bring. */
export interface CollectionContents {
  readonly products: ReadonlyMap<string, Product>
  readonly entitlements: ReadonlyMap<string, ProductEntitlement>
  readonly meters: ReadonlyMap<string, Meter>
}

export const collectionView = (
  { planChanges, ...collection }: ProductCollection,
  parts: CollectionContents,
  base: string,
): CollectionView => ({
  id: collection.collectionId,
  brand_id: collection.brandId,
  name: collection.name,
  description: collection.description,
  image: imageAddress(base, collection.imageId),
  groups: collection.groups.map((group) => groupView(group, parts)),
  effective_at_on_upgrade: planChanges.effectiveAtOnUpgrade,
  effective_at_on_downgrade: planChanges.effectiveAtOnDowngrade,
  proration_billing_mode_on_upgrade: planChanges.prorationOnUpgrade,
  proration_billing_mode_on_downgrade: planChanges.prorationOnDowngrade,
  on_payment_failure: planChanges.onPaymentFailure,
  created_at: formatInstant(collection.createdAt),
  updated_at: formatInstant(collection.updatedAt),
})

export const collectionListItem = (
  collection: ProductCollection,
  base: string,
): CollectionListItem => ({
  id: collection.collectionId,
  name: collection.name,
  description: collection.description,
  image: imageAddress(base, collection.imageId),
  products_count: itemsHeld(collection).length,
  created_at: formatInstant(collection.createdAt),
  updated_at: formatInstant(collection.updatedAt),
})

export const groupView = (group: CollectionGroup, parts: CollectionContents): GroupView => ({
  group_id: group.groupId,
  group_name: group.name,
  status: group.status,
  products: collectionProductViews(group.items, parts),
})

export const collectionProductViews = (
  items: readonly CollectionItem[],
  { entitlements, products, meters }: CollectionContents,
): readonly CollectionProductView[] =>
  items.flatMap((item) => {
    const product = products.get(item.productId)
    return product === undefined ? [] : [productInside(item, product, { entitlements, meters })]
  })

const productInside = (
  { itemId, status }: CollectionItem,
  { price, ...product }: Product,
  { entitlements, meters }: Omit<CollectionContents, 'products'>,
): CollectionProductView => ({
  id: itemId,
  product_id: product.productId,
  status,
  name: product.name,
  description: product.description,
  is_recurring: isRecurring(price),
  currency: price.currency,
  price: baseAmount(price),
  price_detail: priceView(price, meters),
  tax_category: product.taxCategory,
  tax_inclusive: price.taxInclusive,
  addons_count: product.addonIds.length,
  files_count: product.entitlementIds
    .flatMap((id) => entitlements.get(id) ?? [])
    .filter(({ deletedAt }) => deletedAt === null)
    .flatMap(filesHeldBy).length,
  meters_count: metersOf(price).length,
  has_credit_entitlements: product.creditEntitlements.length > 0,
  license_key_enabled: product.license.enabled,
})

export const collectionUnarchiveView = (
  collectionId: string,
  excluded: readonly string[],
): CollectionUnarchiveView => ({
  collection_id: collectionId,
  excluded_product_ids: excluded,
  message:
    excluded.length === 0
      ? 'The collection is back with all its products.'
      : `The collection is back without ${plural(excluded.length, 'archived product')}.`,
})
