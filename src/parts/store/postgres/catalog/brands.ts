import type { Brand, MovedCounts } from '../../../../rules/commerce/catalog/brand.ts'
import { liveStatuses } from '../../../../rules/commerce/catalog/brand.ts'
import type { Brands } from '../../brands.ts'
import type { Scope } from '../../scope.ts'
import type { Db } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'
import type { BrandRow } from './brand-rows.ts'
import { brandColumns, brandOf } from './brand-rows.ts'

export function brands(db: Db): Brands {
  return { get, list, counted, holdings, moved }

  async function get({ businessId, mode }: Scope, brandId: string): Promise<Brand | null> {
    const [row] = await db.query<BrandRow>(sql`
      select ${brandColumns} from brands
      where (business_id, mode, brand_id) = (${businessId}, ${mode}, ${brandId})`)
    return row === undefined ? null : brandOf(row)
  }

  async function list(
    { businessId, mode }: Scope,
    { archived }: { readonly archived: boolean },
  ): Promise<readonly Brand[]> {
    const rows = await db.query<BrandRow>(sql`
      select ${brandColumns} from brands
      where (business_id, mode) = (${businessId}, ${mode})
        and (${archived} or archived_at is null)
      order by created_at desc, brand_id desc`)
    return rows.map(brandOf)
  }

  async function counted({ businessId, mode }: Scope): Promise<number> {
    const [row] = await db.query<{ brands: number }>(sql`
      select count(*) as brands from brands where (business_id, mode) = (${businessId}, ${mode})`)
    return row?.brands ?? 0
  }

  async function holdings({ businessId, mode }: Scope, brandId: string): Promise<MovedCounts> {
    const [row] = await db.query<MovedCounts>(sql`
      select (
        select count(*) from products
        where (business_id, mode, brand_id) = (${businessId}, ${mode}, ${brandId})
      ) as products, (
        select count(*) from subscriptions
        where (business_id, mode, brand_id) = (${businessId}, ${mode}, ${brandId})
          and status = any(${liveStatuses}::text[])
      ) as subscriptions, (
        select count(*) from product_collections
        where (business_id, mode, brand_id) = (${businessId}, ${mode}, ${brandId})
      ) as collections`)
    return row ?? { products: 0, subscriptions: 0, collections: 0 }
  }

  async function moved({ businessId, mode }: Scope, brandId: string): Promise<MovedCounts> {
    const [row] = await db.query<MovedCounts>(sql`
      select products_moved as products, subscriptions_moved as subscriptions,
        collections_moved as collections
      from brands
      where (business_id, mode, brand_id) = (${businessId}, ${mode}, ${brandId})`)
    return row ?? { products: 0, subscriptions: 0, collections: 0 }
  }
}
