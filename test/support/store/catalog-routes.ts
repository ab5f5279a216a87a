import { repositories } from '../../../src/compose/store.ts'
import { addonRoutes } from '../../../src/edge/api/addons.ts'
import { brandRoutes } from '../../../src/edge/api/brands.ts'
import { collectionRoutes } from '../../../src/edge/api/collections.ts'
import { creditEntitlementRoutes } from '../../../src/edge/api/credit-entitlements.ts'
import { customerRoutes } from '../../../src/edge/api/customers.ts'
import { discountRoutes } from '../../../src/edge/api/discounts.ts'
import { downloadPages } from '../../../src/edge/api/downloads.ts'
import { entitlementRoutes } from '../../../src/edge/api/entitlements.ts'
import { imagePages, imageRoutes } from '../../../src/edge/api/images.ts'
import { licenseRoutes } from '../../../src/edge/api/licenses.ts'
import { localizedPriceRoutes } from '../../../src/edge/api/localized-prices.ts'
import { meterRoutes } from '../../../src/edge/api/meters.ts'
import { productFileRoutes } from '../../../src/edge/api/product-files.ts'
import { productRoutes } from '../../../src/edge/api/products.ts'
import { shortLinkPage, shortLinkRoutes } from '../../../src/edge/api/short-links.ts'
import { walletRoutes } from '../../../src/edge/api/wallets.ts'
import { limits } from '../../../src/limits.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import type { Scope } from '../../../src/parts/store/scope.ts'
import { randomDiscountCode } from '../../../src/runtime/discount-code.ts'
import { randomIds, randomUuid } from '../../../src/runtime/ids.ts'
import { openSignedTokens } from '../../../src/runtime/signed-token.ts'
import { instantOf } from '../../../src/std/instant.ts'
import type { Call } from '../edge/call.ts'
import { caller } from '../edge/call.ts'
import { memoryFiles } from '../files/memory-files.ts'
import { untold } from '../measuring/untold.ts'
import { scratchDatabase } from './database.ts'
import { newBusiness } from './new-business.ts'

/** The catalog's routes on a database of their own, with a clock that tests set. */
export async function catalogOnScratch() {
  const scratch = await scratchDatabase()
  const { db } = scratch
  const newId = randomIds()
  const clock = { at: instantOf(1_700_000_000_000_000), now: () => clock.at }
  const store = repositories(db, { dedupeWindow: limits.sealAfter })
  const own = { newId, newUuid: randomUuid, publicUrl: null, clock, wrote: () => undefined }
  const uploads = openSignedTokens(new Uint8Array(32), 'image upload')
  const files = memoryFiles()
  const downloads = openSignedTokens(new Uint8Array(32), 'file download')
  const fileUploads = openSignedTokens(new Uint8Array(32), 'file upload')
  const needs = { ...store, ...own, downloads, fileUploads, files }
  const log = { identity: 'none', partitions: 1 }
  const positions = { measuring: { checkpoints: async () => [] }, log, news: untold() }
  const routes = [
    ...customerRoutes({ ...needs, positions }),
    ...walletRoutes(needs),
    ...meterRoutes(needs),
    ...creditEntitlementRoutes(needs),
    ...brandRoutes(needs),
    ...addonRoutes(needs),
    ...shortLinkRoutes(needs),
    ...productRoutes(needs),
    ...discountRoutes({ ...needs, newCode: randomDiscountCode }),
    ...localizedPriceRoutes(needs),
    ...collectionRoutes(needs),
    shortLinkPage(needs),
    ...licenseRoutes(needs),
    ...imageRoutes({ ...needs, uploads }),
    ...imagePages({ ...needs, uploads, files }),
    ...entitlementRoutes(needs),
    ...productFileRoutes(needs),
    ...downloadPages(needs),
  ]
  return { ...store, files, db, clock, business, brandsOf, versionOf, drop: () => scratch.drop() }

  /** Makes a business in both modes. Its `call` calls the routes in test mode. */
  async function business(): Promise<{ readonly id: string; readonly call: Call }> {
    const id = await newBusiness(db, newId('bus'))
    return { id, call: caller(routes, { businessId: id }) }
  }

  /** The brand of each subscription. */
  async function brandsOf({ businessId, mode }: Scope): Promise<ReadonlyMap<string, string>> {
    const rows = await db.query<{ id: string; brand: string }>(sql`
      select subscription_id as id, brand_id as brand from subscriptions
      where (business_id, mode) = (${businessId}, ${mode})`)
    return new Map(rows.map((row) => [row.id, row.brand]))
  }

  async function versionOf(businessId: string): Promise<number> {
    const [snapshot] = await store.meters.catalogOf([{ businessId, mode: 'test' }])
    return snapshot?.catalog.version ?? -1
  }
}

export type ScratchCatalog = Awaited<ReturnType<typeof catalogOnScratch>>
