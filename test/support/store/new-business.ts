import type { Db } from '../../../src/parts/store/postgres/connection/client.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'

/** Makes a business in both modes; answers its id. */
export async function newBusiness(db: Db, businessId: string): Promise<string> {
  await db.query(sql`
    with business as (
      insert into businesses (business_id, name, rate_tier, created_at)
      values (${businessId}, 'Test', '0', now())
      returning business_id
    )
    insert into business_modes (business_id, mode)
    select business_id, mode from business, unnest(array['test', 'live']) as mode`)
  return businessId
}
