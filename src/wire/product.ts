import type { CatalogMetadata } from '../rules/commerce/catalog/metadata.ts'
import { baseAmount, isRecurring } from '../rules/commerce/catalog/price.ts'
import type { CreditMapping, Product, ProductParts } from '../rules/commerce/catalog/product.ts'
import type { Meter } from '../rules/meter/meter.ts'
import { formatInstant } from '../std/instant.ts'
import type { CreditMappingView } from './credit-mapping.ts'
import { creditMappingView } from './credit-mapping.ts'
import type { Currency, PricingMode, TaxCategory } from './enums.ts'
import type { PriceView } from './price.ts'
import { priceView } from './price.ts'

/** [resources#products] */
export interface ProductView {
  readonly product_id: string
  readonly business_id: string
  readonly brand_id: string
  readonly name: string
  readonly description: string | null
  readonly image: null
  readonly tax_category: TaxCategory
  readonly is_recurring: boolean
  readonly price: PriceView
  readonly pricing_mode: PricingMode | null
  readonly credit_entitlements: readonly CreditMappingView[]
  readonly entitlements: readonly never[]
  readonly addons: readonly string[] | null
  readonly product_collection_id: string | null
  readonly digital_product_delivery: null
  readonly license_key_enabled: boolean
  readonly license_key_activation_message: null
  readonly license_key_activations_limit: null
  readonly license_key_duration: null
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
  readonly image: null
  readonly tax_category: TaxCategory
  readonly is_recurring: boolean
  readonly currency: Currency
  readonly price: number
  readonly price_detail: PriceView
  readonly pricing_mode: PricingMode | null
  readonly tax_inclusive: boolean | null
  readonly entitlements: readonly never[]
  readonly metadata: CatalogMetadata
  readonly created_at: string
  readonly updated_at: string
}

export function productView(
  businessId: string,
  product: Product,
  parts: ProductParts,
): ProductView {
  return {
    product_id: product.productId,
    business_id: businessId,
    brand_id: product.brandId,
    name: product.name,
    description: product.description,
    image: null,
    tax_category: product.taxCategory,
    is_recurring: isRecurring(product.price),
    price: priceView(product.price, parts.meters),
    pricing_mode: product.pricingMode,
    credit_entitlements: product.creditEntitlements.flatMap(mappingViews),
    entitlements: [],
    addons: product.addonIds.length === 0 ? null : product.addonIds,
    product_collection_id: product.collectionId,
    digital_product_delivery: null,
    license_key_enabled: false,
    license_key_activation_message: null,
    license_key_activations_limit: null,
    license_key_duration: null,
    metadata: product.metadata,
    created_at: formatInstant(product.createdAt),
    updated_at: formatInstant(product.updatedAt),
  }

  function mappingViews(mapping: CreditMapping): readonly CreditMappingView[] {
    const entitlement = parts.entitlements.get(mapping.creditEntitlementId)
    return entitlement === undefined ? [] : [creditMappingView(mapping, entitlement)]
  }
}

export function productListItem(
  businessId: string,
  product: Product,
  meters: ReadonlyMap<string, Meter>,
): ProductListItem {
  return {
    product_id: product.productId,
    business_id: businessId,
    name: product.name,
    description: product.description,
    image: null,
    tax_category: product.taxCategory,
    is_recurring: isRecurring(product.price),
    currency: product.price.currency,
    price: baseAmount(product.price),
    price_detail: priceView(product.price, meters),
    pricing_mode: product.pricingMode,
    tax_inclusive: product.price.taxInclusive,
    entitlements: [],
    metadata: product.metadata,
    created_at: formatInstant(product.createdAt),
    updated_at: formatInstant(product.updatedAt),
  }
}
