import type { CreditEntitlement } from '../../../../rules/commerce/catalog/credit-entitlement.ts'
import type { Instant } from '../../../../std/instant.ts'
import type { CreditEntitlements } from '../../credit-entitlements.ts'
import type { Page, Scope } from '../../scope.ts'
import type { Db } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'
import type { EntitlementRow } from './credit-entitlement-rows.ts'
import { entitlementColumns, entitlementOf } from './credit-entitlement-rows.ts'

export function creditEntitlements(db: Db): CreditEntitlements {
  return { get, list, many, measuredTo }

  async function get(scope: Scope, creditEntitlementId: string) {
    const found = (await many(scope, [creditEntitlementId])).get(creditEntitlementId)
    return found === undefined || found.deletedAt !== null ? null : found
  }

  async function many({ businessId, mode }: Scope, creditEntitlementIds: readonly string[]) {
    if (creditEntitlementIds.length === 0) return new Map<string, CreditEntitlement>()
    const rows = await db.query<EntitlementRow>(sql`
      select ${entitlementColumns} from credit_entitlements
      where business_id = ${businessId} and mode = ${mode}
      and credit_entitlement_id = any(${creditEntitlementIds}::text[])`)
    return new Map(rows.map((row) => [row.credit_entitlement_id, entitlementOf(row)]))
  }

  async function list({ businessId, mode }: Scope, deleted: boolean, page: Page) {
    const rows = await db.query<EntitlementRow>(sql`
      select ${entitlementColumns} from credit_entitlements
      where business_id = ${businessId} and mode = ${mode} and (deleted_at is not null) = ${deleted}
      order by created_at desc, credit_entitlement_id desc
      limit ${page.limit} offset ${page.offset}`)
    return rows.map(entitlementOf)
  }

  async function measuredTo({ businessId, mode }: Scope) {
    const [row] = await db.query<{ at: Instant | null }>(sql`
      select least(min(greatest(log_at, idle_at)), believed_now())
        + clock_ahead(${businessId}, ${mode}) * interval '1 microsecond' as at
      from checkpoints having count(*) > 0`)
    return row?.at ?? null
  }
}
