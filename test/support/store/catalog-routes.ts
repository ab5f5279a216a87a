import { creditEntitlementRoutes } from '../../../src/edge/api/credit-entitlements.ts'
import { customerRoutes } from '../../../src/edge/api/customers.ts'
import { discountRoutes } from '../../../src/edge/api/discounts.ts'
import { meterRoutes } from '../../../src/edge/api/meters.ts'
import { productRoutes } from '../../../src/edge/api/products.ts'
import { walletRoutes } from '../../../src/edge/api/wallets.ts'
import { accounts } from '../../../src/parts/store/postgres/accounts/accounts.ts'
import { ledger } from '../../../src/parts/store/postgres/accounts/ledger.ts'
import { businesses } from '../../../src/parts/store/postgres/catalog/businesses.ts'
import { creditEntitlements } from '../../../src/parts/store/postgres/catalog/credit-entitlements.ts'
import { customers } from '../../../src/parts/store/postgres/catalog/customers.ts'
import { discounts } from '../../../src/parts/store/postgres/catalog/discounts.ts'
import { meters } from '../../../src/parts/store/postgres/catalog/meters.ts'
import { products } from '../../../src/parts/store/postgres/catalog/products.ts'
import { wallets } from '../../../src/parts/store/postgres/catalog/wallets.ts'
import { changes } from '../../../src/parts/store/postgres/changes/changes.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import { randomDiscountCode } from '../../../src/runtime/discount-code.ts'
import { randomIds } from '../../../src/runtime/ids.ts'
import { instantOf } from '../../../src/std/instant.ts'
import type { Call } from '../edge/call.ts'
import { caller } from '../edge/call.ts'
import { scratchDatabase } from './database.ts'

/** The catalog's routes on a database of their own, with a clock that tests set. */
export async function catalogOnScratch() {
  const scratch = await scratchDatabase()
  const { db } = scratch
  const newId = randomIds()
  const clock = { at: instantOf(1_700_000_000_000_000), now: () => clock.at }
  const repositories = {
    accounts: accounts(db),
    changes: changes(db),
    businesses: businesses(db),
    customers: customers(db),
    meters: meters(db),
    creditEntitlements: creditEntitlements(db),
    discounts: discounts(db),
    products: products(db),
    wallets: wallets(db),
  }
  const needs = { ...repositories, newId, clock, wrote: () => undefined }
  const log = { identity: 'none', partitions: 1 }
  const positions = { measuring: { checkpoints: async () => [] }, log }
  const routes = [
    ...customerRoutes({ ...needs, ledger: ledger(db), positions }),
    ...walletRoutes(needs),
    ...meterRoutes(needs),
    ...creditEntitlementRoutes(needs),
    ...productRoutes(needs),
    ...discountRoutes({ ...needs, newCode: randomDiscountCode }),
  ]
  return { ...repositories, db, clock, business, versionOf, drop: () => scratch.drop() }

  /** Makes a business in both modes. Its `call` calls the routes in test mode. */
  async function business(): Promise<{ readonly id: string; readonly call: Call }> {
    const id = newId('bus')
    await db.query(sql`
      with business as (
        insert into businesses (business_id, name, rate_tier, created_at)
        values (${id}, 'Test', '0', now())
        returning business_id
      )
      insert into business_modes (business_id, mode)
      select business_id, mode from business, unnest(array['test', 'live']) as mode`)
    return { id, call: caller(routes, { businessId: id }) }
  }

  async function versionOf(businessId: string): Promise<number> {
    const [snapshot] = await repositories.meters.catalogOf([{ businessId, mode: 'test' }])
    return snapshot?.catalog.version ?? -1
  }
}

export type ScratchCatalog = Awaited<ReturnType<typeof catalogOnScratch>>
