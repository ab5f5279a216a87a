import type { CatalogMetadata } from '../rules/commerce/catalog/metadata.ts'
import { baseAmount, isRecurring } from '../rules/commerce/catalog/price.ts'
import type { CreditMapping, Product, ProductParts } from '../rules/commerce/catalog/product.ts'
import type { GrantObjects } from '../rules/facts/grant-facts.ts'
import type { Meter } from '../rules/meter/meter.ts'
import type { Frequency } from '../std/calendar.ts'
import { formatInstant } from '../std/instant.ts'
import type { CreditMappingView } from './credit-mapping.ts'
import { creditMappingView } from './credit-mapping.ts'
import type { DeliveryView, DownloadLinks } from './download-link.ts'
import type { Currency, PricingMode, TaxCategory } from './enums.ts'
import type { AnswerPlace } from './image-address.ts'
import { imageAddress } from './image-address.ts'
import type { PriceView } from './price.ts'
import { priceView } from './price.ts'
import type { EntitlementSummary } from './product-entitlement.ts'
import { deliveryOfEntitlement, entitlementSummary } from './product-entitlement.ts'

/** [resources#products] */
export interface ProductView {
  readonly product_id: string
  readonly business_id: string
  readonly brand_id: string
  readonly name: string
  readonly description: string | null
  readonly image: string | null
  readonly tax_category: TaxCategory
  readonly is_recurring: boolean
  readonly price: PriceView
  readonly pricing_mode: PricingMode | null
  readonly credit_entitlements: readonly CreditMappingView[]
  readonly entitlements: readonly EntitlementSummary[]
  readonly addons: readonly string[] | null
  readonly product_collection_id: string | null
  readonly digital_product_delivery: DeliveryView | null
  readonly license_key_enabled: boolean
  readonly license_key_activation_message: string | null
  readonly license_key_activations_limit: number | null
  readonly license_key_duration: Frequency | null
  readonly metadata: CatalogMetadata
  readonly created_at: string
  readonly updated_at: string
}

/** [resources#products] */
export interface ProductListItem {
  readonly product_id: string
  readonly business_id: string
  readonly name: string
  readonly description: string | null
  readonly image: string | null
  readonly tax_category: TaxCategory
  readonly is_recurring: boolean
  readonly currency: Currency
  readonly price: number
  readonly price_detail: PriceView
  readonly pricing_mode: PricingMode | null
  readonly tax_inclusive: boolean | null
  readonly entitlements: readonly EntitlementSummary[]
  readonly metadata: CatalogMetadata
  readonly created_at: string
  readonly updated_at: string
}

/** Where answers are read that lead to files. */
export type ProductPlace = AnswerPlace & DownloadLinks

/** Entitlements that products name, deleted ones included, and the files that they hold. */
export type BroughtObjects = Pick<GrantObjects, 'entitlements' | 'files'>

export function productView(
  place: ProductPlace,
  product: Product,
  parts: ProductParts & { readonly brought: BroughtObjects },
): ProductView {
  const { base, businessId } = place
  const { entitlements, files } = parts.brought
  const delivery = entitlements.get(product.deliveryEntitlementId ?? '')
  return {
    product_id: product.productId,
    business_id: businessId,
    brand_id: product.brandId,
    name: product.name,
    description: product.description,
    image: imageAddress(base, product.imageId),
    tax_category: product.taxCategory,
    is_recurring: isRecurring(product.price),
    price: priceView(product.price, parts.meters),
    pricing_mode: product.pricingMode,
    credit_entitlements: product.creditEntitlements.flatMap(mappingViews),
    entitlements: summaries(place, product, parts.brought),
    addons: product.addonIds.length === 0 ? null : product.addonIds,
    product_collection_id: product.collectionId,
    digital_product_delivery:
      delivery === undefined ? null : deliveryOfEntitlement(place, delivery, files),
    license_key_enabled: product.license.enabled,
    license_key_activation_message: product.license.activationMessage,
    license_key_activations_limit: product.license.activationsLimit,
    license_key_duration: product.license.duration,
    metadata: product.metadata,
    created_at: formatInstant(product.createdAt),
    updated_at: formatInstant(product.updatedAt),
  }

  function mappingViews(mapping: CreditMapping): readonly CreditMappingView[] {
    const entitlement = parts.entitlements.get(mapping.creditEntitlementId)
    return entitlement === undefined ? [] : [creditMappingView(mapping, entitlement)]
  }
}

/** Those that nobody has deleted. */
const summaries = (
  place: ProductPlace,
  { entitlementIds }: Product,
  { entitlements, files }: BroughtObjects,
): readonly EntitlementSummary[] =>
  entitlementIds.flatMap((id) => {
    const entitlement = entitlements.get(id)
    if (entitlement === undefined || entitlement.deletedAt !== null) return []
    return [entitlementSummary(place, entitlement, files)]
  })

export function productListItem(
  place: ProductPlace,
  product: Product,
  parts: BroughtObjects & { readonly meters: ReadonlyMap<string, Meter> },
): ProductListItem {
  const { base, businessId } = place
  const { meters } = parts
  return {
    product_id: product.productId,
    business_id: businessId,
    name: product.name,
    description: product.description,
    image: imageAddress(base, product.imageId),
    tax_category: product.taxCategory,
    is_recurring: isRecurring(product.price),
    currency: product.price.currency,
    price: baseAmount(product.price),
    price_detail: priceView(product.price, meters),
    pricing_mode: product.pricingMode,
    tax_inclusive: product.price.taxInclusive,
    entitlements: summaries(place, product, parts),
    metadata: product.metadata,
    created_at: formatInstant(product.createdAt),
    updated_at: formatInstant(product.updatedAt),
  }
}
