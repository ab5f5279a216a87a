import type { ProductEntitlement } from '../../../../rules/commerce/entitlements/product-entitlement.ts'
import type { ProductEntitlements } from '../../product-entitlements.ts'
import type { Page, Scope } from '../../scope.ts'
import type { Db } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'
import type { ProductEntitlementRow } from './product-entitlement-rows.ts'
import { productEntitlementColumns, productEntitlementOf } from './product-entitlement-rows.ts'

export function productEntitlements(db: Db): ProductEntitlements {
  return { get, many, list }

  async function get(scope: Scope, entitlementId: string): Promise<ProductEntitlement | null> {
    return (await many(scope, [entitlementId])).get(entitlementId) ?? null
  }

  async function many(
    { businessId, mode }: Scope,
    entitlementIds: readonly string[],
  ): Promise<ReadonlyMap<string, ProductEntitlement>> {
    if (entitlementIds.length === 0) return new Map()
    const rows = await db.query<ProductEntitlementRow>(sql`
      select ${productEntitlementColumns} from product_entitlements
      where (business_id, mode) = (${businessId}, ${mode})
      and entitlement_id = any(${entitlementIds}::text[])`)
    return new Map(rows.map((row) => [row.entitlement_id, productEntitlementOf(row)]))
  }

  async function list(
    { businessId, mode }: Scope,
    { type }: Parameters<ProductEntitlements['list']>[1],
    page: Page,
  ): Promise<readonly ProductEntitlement[]> {
    const rows = await db.query<ProductEntitlementRow>(sql`
      select ${productEntitlementColumns} from product_entitlements
      where (business_id, mode) = (${businessId}, ${mode}) and deleted_at is null
      and (${type}::text is null or integration_type = ${type})
      order by created_at desc, entitlement_id desc
      limit ${page.limit} offset ${page.offset}`)
    return rows.map(productEntitlementOf)
  }
}
