import type { LocalizedPrice } from '../../../../rules/commerce/catalog/localized-price.ts'
import type { LocalizedPrices } from '../../localized-prices.ts'
import type { Scope } from '../../scope.ts'
import type { Db } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'
import type { LocalizedPriceRow } from './localized-price-rows.ts'
import { localizedPriceColumns, localizedPriceOf } from './localized-price-rows.ts'

export function localizedPrices(db: Db): LocalizedPrices {
  return { get, active }

  async function get({ businessId, mode }: Scope, id: string): Promise<LocalizedPrice | null> {
    const [row] = await db.query<LocalizedPriceRow>(sql`
      select ${localizedPriceColumns} from localized_prices
      where (business_id, mode, localized_price_id) = (${businessId}, ${mode}, ${id})`)
    return row === undefined ? null : localizedPriceOf(row)
  }

  async function active(
    { businessId, mode }: Scope,
    productId: string,
  ): Promise<readonly LocalizedPrice[]> {
    const rows = await db.query<LocalizedPriceRow>(sql`
      select ${localizedPriceColumns} from localized_prices
      where (business_id, mode, product_id) = (${businessId}, ${mode}, ${productId})
        and archived_at is null
      order by created_at desc, localized_price_id desc`)
    return rows.map(localizedPriceOf)
  }
}
