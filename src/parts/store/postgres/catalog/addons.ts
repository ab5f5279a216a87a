import type { Addon } from '../../../../rules/commerce/catalog/addon.ts'
import type { Addons } from '../../addons.ts'
import type { Page, Scope } from '../../scope.ts'
import type { Db } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'
import type { AddonRow } from './addon-rows.ts'
import { addonColumns, addonOf } from './addon-rows.ts'

export function addons(db: Db): Addons {
  return { get, many, list }

  async function get(scope: Scope, addonId: string): Promise<Addon | null> {
    return (await many(scope, [addonId])).get(addonId) ?? null
  }

  async function many(
    { businessId, mode }: Scope,
    addonIds: readonly string[],
  ): Promise<ReadonlyMap<string, Addon>> {
    if (addonIds.length === 0) return new Map()
    const rows = await db.query<AddonRow>(sql`
      select ${addonColumns} from addons
      where business_id = ${businessId} and mode = ${mode}
      and addon_id = any(${addonIds}::text[])`)
    return new Map(rows.map((row) => [row.addon_id, addonOf(row)]))
  }

  async function list({ businessId, mode }: Scope, page: Page): Promise<readonly Addon[]> {
    const rows = await db.query<AddonRow>(sql`
      select ${addonColumns} from addons
      where business_id = ${businessId} and mode = ${mode}
      order by created_at desc, addon_id desc
      limit ${page.limit} offset ${page.offset}`)
    return rows.map(addonOf)
  }
}
