import { limits } from '../limits.ts'
import type { CatalogMetadata } from '../rules/commerce/catalog/metadata.ts'
import { baseAmount, isRecurring } from '../rules/commerce/catalog/price.ts'
import type {
  CreditMapping,
  Product,
  ProductParts,
  WantedProduct,
} from '../rules/commerce/catalog/product.ts'
import type { Meter } from '../rules/meter/meter.ts'
import { formatInstant } from '../std/instant.ts'
import { schema } from '../std/schema.ts'
import type { CreditMappingBody, CreditMappingView } from './credit-mapping.ts'
import { creditMapping, creditMappingView, wantedMapping } from './credit-mapping.ts'
import type { Currency, TaxCategory } from './enums.ts'
import { pricingModes, taxCategories, timeIntervals } from './enums.ts'
import type { PriceBody, PriceView } from './price.ts'
import { price, priceView, wantedPrice } from './price.ts'
import { flag, id, metadata, nullable, oneOf, text, whole } from './schemas.ts'

/** [resources#products] */
export interface ProductCreate {
  readonly name: string
  readonly price: PriceBody
  readonly tax_category: TaxCategory
  readonly addons?: readonly string[] | null
  readonly brand_id?: string | null
  readonly credit_entitlements?: readonly CreditMappingBody[] | null
  readonly description?: string | null
  readonly digital_product_delivery?: {
    readonly external_url?: string | null
    readonly instructions?: string | null
  } | null
  readonly entitlements?: readonly { readonly entitlement_id: string }[] | null
  readonly license_key_activation_message?: string | null
  readonly license_key_activations_limit?: number | null
  readonly license_key_duration?: object | null
  readonly license_key_enabled?: boolean | null
  readonly metadata?: CatalogMetadata | null
  readonly pricing_mode?: string | null
}

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
  readonly pricing_mode: null
  readonly credit_entitlements: readonly CreditMappingView[]
  readonly entitlements: readonly never[]
  readonly addons: readonly string[] | null
  readonly product_collection_id: null
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
  readonly pricing_mode: null
  readonly tax_inclusive: boolean | null
  readonly entitlements: readonly never[]
  readonly metadata: CatalogMetadata
  readonly created_at: string
  readonly updated_at: string
}

const licenseKeyDuration = {
  type: ['object', 'null'],
  required: ['count', 'interval'],
  properties: { count: whole(1, limits.intervalCountMax), interval: oneOf(timeIntervals) },
}

const attachedEntitlement = {
  type: 'object',
  required: ['entitlement_id'],
  properties: { entitlement_id: id },
}

export const productCreate = schema<ProductCreate>({
  type: 'object',
  required: ['name', 'price', 'tax_category'],
  properties: {
    name: text(1, limits.productNameMax),
    price,
    tax_category: oneOf(taxCategories),
    addons: { type: ['array', 'null'], maxItems: 10, items: id },
    brand_id: nullable(id),
    credit_entitlements: {
      type: ['array', 'null'],
      maxItems: limits.creditsPerProductMax,
      items: creditMapping,
    },
    description: nullable(text(0, limits.descriptionMax)),
    digital_product_delivery: {
      type: ['object', 'null'],
      properties: {
        external_url: nullable(text(0, limits.descriptionMax)),
        instructions: nullable(text(0, limits.descriptionMax)),
      },
    },
    entitlements: { type: ['array', 'null'], maxItems: 50, items: attachedEntitlement },
    license_key_activation_message: nullable(text(0, limits.descriptionMax)),
    license_key_activations_limit: nullable(whole(1, limits.moneyMax)),
    license_key_duration: licenseKeyDuration,
    license_key_enabled: nullable(flag),
    metadata: nullable(metadata),
    pricing_mode: nullable(oneOf(pricingModes)),
  },
})

/** The product that a body asks for. */
export const wantedProduct = (body: ProductCreate): WantedProduct => ({
  name: body.name,
  description: body.description ?? null,
  taxCategory: body.tax_category,
  price: wantedPrice(body.price),
  metadata: body.metadata ?? {},
  brandId: body.brand_id ?? null,
  creditEntitlements: (body.credit_entitlements ?? []).map(wantedMapping),
  addonIds: body.addons ?? [],
  entitlementIds: (body.entitlements ?? []).map((attached) => attached.entitlement_id),
  undelivered: undeliveredOf(body),
})

function undeliveredOf(body: ProductCreate): readonly string[] {
  const { external_url: url, instructions } = body.digital_product_delivery ?? {}
  const asked = {
    digital_product_delivery: (url ?? instructions ?? null) !== null,
    license_key_activation_message: (body.license_key_activation_message ?? null) !== null,
    license_key_activations_limit: (body.license_key_activations_limit ?? null) !== null,
    license_key_duration: (body.license_key_duration ?? null) !== null,
    license_key_enabled: body.license_key_enabled ?? false,
    pricing_mode: (body.pricing_mode ?? null) !== null,
  }
  return Object.entries(asked).flatMap(([field, isAsked]) => (isAsked ? [field] : []))
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
    pricing_mode: null,
    credit_entitlements: product.creditEntitlements.flatMap(mappingViews),
    entitlements: [],
    addons: null,
    product_collection_id: null,
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
    pricing_mode: null,
    tax_inclusive: product.price.taxInclusive,
    entitlements: [],
    metadata: product.metadata,
    created_at: formatInstant(product.createdAt),
    updated_at: formatInstant(product.updatedAt),
  }
}
