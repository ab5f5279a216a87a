import type { CatalogMetadata } from '../../../../rules/commerce/catalog/metadata.ts'
import type { Product, TaxCategory } from '../../../../rules/commerce/catalog/product.ts'
import type { Instant } from '../../../../std/instant.ts'
import type { ProductFilter, Products } from '../../products.ts'
import type { Page, Scope } from '../../scope.ts'
import type { Db } from '../connection/client.ts'
import { timestamptz } from '../connection/client.ts'
import { joined, sql } from '../connection/sql.ts'
import type { MappingJson } from './mapping-json.ts'
import { mappingFrom, mappingJson } from './mapping-json.ts'
import type { PriceJson } from './price-json.ts'
import { priceFrom, priceJson } from './price-json.ts'

export function products(db: Db): Products {
  return { insert, get, many, list }

  async function insert({ businessId, mode }: Scope, product: Product): Promise<void> {
    await db.query(sql`
      insert into products (
        business_id, mode, product_id, brand_id, name, description, tax_category, price,
        credit_entitlements, metadata, archived_at, created_at, updated_at
      ) values (
        ${businessId}, ${mode}, ${product.productId}, ${product.brandId}, ${product.name},
        ${product.description}, ${product.taxCategory},
        ${JSON.stringify(priceJson(product.price))}::jsonb,
        ${JSON.stringify(product.creditEntitlements.map(mappingJson))}::jsonb,
        ${JSON.stringify(product.metadata)}::jsonb, ${timestamptz(product.archivedAt)},
        ${timestamptz(product.createdAt)}, ${timestamptz(product.updatedAt)}
      )`)
  }

  async function get(scope: Scope, productId: string): Promise<Product | null> {
    return (await many(scope, [productId])).get(productId) ?? null
  }

  async function many(
    { businessId, mode }: Scope,
    productIds: readonly string[],
  ): Promise<ReadonlyMap<string, Product>> {
    if (productIds.length === 0) return new Map()
    const rows = await db.query<Row>(sql`
      select ${columns} from products
      where business_id = ${businessId} and mode = ${mode}
      and product_id = any(${productIds}::text[])`)
    return new Map(rows.map((row) => [row.product_id, productOf(row)]))
  }

  async function list(
    { businessId, mode }: Scope,
    { archived, brandId, recurring }: ProductFilter,
    page: Page,
  ): Promise<readonly Product[]> {
    const conditions = [
      sql`business_id = ${businessId} and mode = ${mode}`,
      sql`(archived_at is not null) = ${archived}`,
      ...(brandId === null ? [] : [sql`brand_id = ${brandId}`]),
      ...(recurring === null ? [] : [sql`(price ->> 'type' <> 'one_time_price') = ${recurring}`]),
    ]
    const rows = await db.query<Row>(sql`
      select ${columns} from products
      where ${joined(conditions, ' and ')}
      order by created_at desc, product_id desc
      limit ${page.limit} offset ${page.offset}`)
    return rows.map(productOf)
  }
}

interface Row {
  readonly product_id: string
  readonly brand_id: string
  readonly name: string
  readonly description: string | null
  readonly tax_category: TaxCategory
  readonly price: PriceJson
  readonly credit_entitlements: readonly MappingJson[]
  readonly metadata: CatalogMetadata
  readonly archived_at: Instant | null
  readonly created_at: Instant
  readonly updated_at: Instant
}

const columns = sql`
  product_id, brand_id, name, description, tax_category, price, credit_entitlements, metadata,
  archived_at, created_at, updated_at`

const productOf = (row: Row): Product => ({
  productId: row.product_id,
  brandId: row.brand_id,
  name: row.name,
  description: row.description,
  taxCategory: row.tax_category,
  price: priceFrom(row.price),
  creditEntitlements: row.credit_entitlements.map(mappingFrom),
  metadata: row.metadata,
  archivedAt: row.archived_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
