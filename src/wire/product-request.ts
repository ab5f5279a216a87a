import { limits } from '../limits.ts'
import type { CatalogMetadata } from '../rules/commerce/catalog/metadata.ts'
import type {
  ProductChange,
  WantedDelivery,
  WantedProduct,
} from '../rules/commerce/catalog/product.ts'
import type { ProductLicense } from '../rules/commerce/catalog/product-license.ts'
import type { Frequency } from '../std/calendar.ts'
import { defined } from '../std/defined.ts'
import { schema } from '../std/schema.ts'
import type { CreditMappingBody } from './credit-mapping.ts'
import { creditMapping, wantedMapping } from './credit-mapping.ts'
import type { PricingMode, TaxCategory } from './enums.ts'
import { pricingModes, taxCategories, timeIntervals } from './enums.ts'
import { externalUrl, fileIds, instructions } from './integration-config.ts'
import type { PriceBody } from './price.ts'
import { price, wantedPrice } from './price.ts'
import { flag, id, imageId, metadata, nullable, oneOf, text, whole } from './schemas.ts'

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
  readonly license_key_duration?: Frequency | null
  readonly license_key_enabled?: boolean | null
  readonly metadata?: CatalogMetadata | null
  readonly pricing_mode?: PricingMode | null
}

/**
 * Null clears what may be empty, and keeps the rest. Lists replace what there was.
 * [requests#nulls]
 */
export interface ProductUpdate
  extends Partial<
    Omit<ProductCreate, 'name' | 'price' | 'tax_category' | 'digital_product_delivery'>
  > {
  readonly name?: string | null
  readonly price?: PriceBody | null
  readonly tax_category?: TaxCategory | null
  readonly digital_product_delivery?: {
    readonly external_url?: string | null
    readonly instructions?: string | null
    readonly files?: readonly string[] | null
  } | null
  readonly image_id?: string | null
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

const delivery = { external_url: externalUrl, instructions }

const fields = {
  name: text(1, limits.productNameMax),
  price,
  tax_category: oneOf(taxCategories),
  addons: { type: ['array', 'null'], maxItems: limits.addonsPerProductMax, items: id },
  brand_id: nullable(id),
  credit_entitlements: {
    type: ['array', 'null'],
    maxItems: limits.creditsPerProductMax,
    items: creditMapping,
  },
  description: nullable(text(0, limits.descriptionMax)),
  digital_product_delivery: { type: ['object', 'null'], properties: delivery },
  entitlements: {
    type: ['array', 'null'],
    maxItems: limits.entitlementsPerProductMax,
    items: attachedEntitlement,
  },
  license_key_activation_message: nullable(text(0, limits.activationMessageMax)),
  license_key_activations_limit: nullable(whole(1, limits.moneyMax)),
  license_key_duration: licenseKeyDuration,
  license_key_enabled: nullable(flag),
  metadata: nullable(metadata),
  pricing_mode: nullable(oneOf(pricingModes)),
}

export const productCreate = schema<ProductCreate>({
  type: 'object',
  required: ['name', 'price', 'tax_category'],
  properties: fields,
})

export const productUpdate = schema<ProductUpdate>({
  type: 'object',
  properties: {
    ...fields,
    name: nullable(fields.name),
    price: nullable(fields.price),
    tax_category: nullable(fields.tax_category),
    image_id: imageId,
    digital_product_delivery: {
      type: ['object', 'null'],
      properties: { ...delivery, files: nullable(fileIds) },
    },
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
  pricingMode: body.pricing_mode ?? null,
  entitlementIds: (body.entitlements ?? []).map((attached) => attached.entitlement_id),
  license: licenseOf(body),
  delivery: deliveryIn(body.digital_product_delivery ?? null),
})

/** Absent: kept. Null: cleared where the field may be empty, else kept. [requests#nulls] */
export const productChange = (body: ProductUpdate): ProductChange => ({
  ...defined({
    name: body.name ?? undefined,
    description: body.description,
    taxCategory: body.tax_category ?? undefined,
    price: isSent(body.price) ? wantedPrice(body.price) : undefined,
    metadata: body.metadata === undefined ? undefined : (body.metadata ?? {}),
    brandId: body.brand_id ?? undefined,
    creditEntitlements: body.credit_entitlements?.map(wantedMapping),
    addonIds: body.addons ?? undefined,
    pricingMode: body.pricing_mode,
    imageId: body.image_id,
    entitlementIds: body.entitlements?.map((attached) => attached.entitlement_id),
    delivery:
      body.digital_product_delivery === undefined
        ? undefined
        : deliveryIn(body.digital_product_delivery),
  }),
  license: licenseChange(body),
})

const isSent = <T>(value: T | null | undefined): value is T => (value ?? null) !== null

/** Absent fields stay as they are; null clears one. */
const deliveryIn = (
  sent: NonNullable<ProductUpdate['digital_product_delivery']> | null,
): WantedDelivery | null =>
  sent === null
    ? null
    : defined({
        externalUrl: sent.external_url,
        instructions: sent.instructions,
        fileIds: sent.files === undefined ? undefined : (sent.files ?? []),
      })

const licenseOf = (body: ProductCreate): ProductLicense => ({
  enabled: body.license_key_enabled ?? false,
  activationMessage: body.license_key_activation_message ?? null,
  activationsLimit: body.license_key_activations_limit ?? null,
  duration: body.license_key_duration ?? null,
})

const licenseChange = (body: ProductUpdate): Partial<ProductLicense> =>
  defined({
    enabled: body.license_key_enabled ?? undefined,
    activationMessage: body.license_key_activation_message,
    activationsLimit: body.license_key_activations_limit,
    duration: body.license_key_duration,
  })
