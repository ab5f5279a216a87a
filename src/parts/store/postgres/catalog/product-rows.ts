import type { CatalogMetadata } from '../../../../rules/commerce/catalog/metadata.ts'
import type { Product } from '../../../../rules/commerce/catalog/product.ts'
import type { PricingMode } from '../../../../rules/commerce/pricing-mode.ts'
import type { TaxCategory } from '../../../../rules/commerce/tax-category.ts'
import type { Instant } from '../../../../std/instant.ts'
import type { Scope } from '../../scope.ts'
import { timestamptz } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'
import type { LicenseJson } from './license-json.ts'
import { licenseFrom, licenseJson } from './license-json.ts'
import type { MappingJson } from './mapping-json.ts'
import { mappingFrom, mappingJson } from './mapping-json.ts'
import type { PriceJson } from './price-json.ts'
import { priceFrom, priceJson } from './price-json.ts'

/** A product as the database has it. */
export interface ProductRow {
  readonly product_id: string
  readonly brand_id: string
  readonly name: string
  readonly description: string | null
  readonly tax_category: TaxCategory
  readonly price: PriceJson
  readonly credit_entitlements: readonly MappingJson[]
  readonly addons: readonly string[]
  readonly pricing_mode: PricingMode | null
  readonly collection_id: string | null
  readonly metadata: CatalogMetadata
  readonly license: LicenseJson | null
  readonly entitlements: readonly string[]
  readonly delivery_entitlement_id: string | null
  readonly image_id: string | null
  readonly archived_at: Instant | null
  readonly created_at: Instant
  readonly updated_at: Instant
}

export const productColumns = sql`
  product_id, brand_id, name, description, tax_category, price, credit_entitlements, addons,
  pricing_mode, metadata, license, entitlements, delivery_entitlement_id, image_id, archived_at,
  created_at, updated_at, (
    select c.collection_id from collection_products c
    where (c.business_id, c.mode, c.product_id)
      = (products.business_id, products.mode, products.product_id)
  ) as collection_id`

export const productOf = (row: ProductRow): Product => ({
  productId: row.product_id,
  brandId: row.brand_id,
  name: row.name,
  description: row.description,
  taxCategory: row.tax_category,
  price: priceFrom(row.price),
  creditEntitlements: row.credit_entitlements.map(mappingFrom),
  addonIds: row.addons,
  pricingMode: row.pricing_mode,
  collectionId: row.collection_id,
  metadata: row.metadata,
  license: licenseFrom(row.license),
  entitlementIds: row.entitlements,
  deliveryEntitlementId: row.delivery_entitlement_id,
  imageId: row.image_id,
  archivedAt: row.archived_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** As write_products() takes it. */
export const productRow = (scope: Scope, product: Product): object => ({
  business_id: scope.businessId,
  mode: scope.mode,
  product_id: product.productId,
  brand_id: product.brandId,
  name: product.name,
  description: product.description,
  tax_category: product.taxCategory,
  price: priceJson(product.price),
  credit_entitlements: product.creditEntitlements.map(mappingJson),
  addons: product.addonIds,
  pricing_mode: product.pricingMode,
  metadata: product.metadata,
  license: licenseJson(product.license),
  entitlements: product.entitlementIds,
  delivery_entitlement_id: product.deliveryEntitlementId,
  image_id: product.imageId,
  archived_at: timestamptz(product.archivedAt),
  created_at: timestamptz(product.createdAt),
  updated_at: timestamptz(product.updatedAt),
})
