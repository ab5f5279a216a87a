import type { Product } from '../../../../rules/commerce/catalog/product.ts'
import type { Mode } from '../../../../rules/meter/meter.ts'
import type { ProductFilter, Products } from '../../products.ts'
import type { Page, Scope } from '../../scope.ts'
import type { Db } from '../connection/client.ts'
import { joined, sql } from '../connection/sql.ts'
import type { ProductRow } from './product-rows.ts'
import { productColumns, productOf } from './product-rows.ts'

export function products(db: Db): Products {
  return { get, many, find, list }

  async function get(scope: Scope, productId: string): Promise<Product | null> {
    return (await many(scope, [productId])).get(productId) ?? null
  }

  async function many(
    { businessId, mode }: Scope,
    productIds: readonly string[],
  ): Promise<ReadonlyMap<string, Product>> {
    if (productIds.length === 0) return new Map()
    const rows = await db.query<ProductRow>(sql`
      select ${productColumns} from products
      where business_id = ${businessId} and mode = ${mode}
      and product_id = any(${productIds}::text[])`)
    return new Map(rows.map((row) => [row.product_id, productOf(row)]))
  }

  async function find(mode: Mode, productId: string) {
    const [row] = await db.query<ProductRow & { business_id: string }>(sql`
      select business_id, ${productColumns} from products
      where product_id = ${productId} and mode = ${mode}`)
    return row === undefined ? null : { businessId: row.business_id, mode, product: productOf(row) }
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
    const rows = await db.query<ProductRow>(sql`
      select ${productColumns} from products
      where ${joined(conditions, ' and ')}
      order by created_at desc, product_id desc
      limit ${page.limit} offset ${page.offset}`)
    return rows.map(productOf)
  }
}
