import { limits } from '../../../../limits.ts'
import type { CreditEntitlement } from '../../../../rules/commerce/catalog/credit-entitlement.ts'
import type { Duration } from '../../../../std/instant.ts'
import type { CreditEntitlements } from '../../credit-entitlements.ts'
import type { Page, Scope } from '../../scope.ts'
import type { Db } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'
import { closedTo } from './closed-to.ts'
import type { EntitlementRow } from './credit-entitlement-rows.ts'
import { entitlementColumns, entitlementOf } from './credit-entitlement-rows.ts'

/** `openFor`: how long after its time an event may still be measured. */
export function creditEntitlements(
  db: Db,
  openFor: Duration = limits.sealAfter,
): CreditEntitlements {
  return { get, list, many, closedTo: (scope) => closedTo(db, scope, openFor) }

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
}
