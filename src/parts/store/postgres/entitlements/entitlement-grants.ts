import type { EntitlementGrant } from '../../../../rules/commerce/entitlements/entitlement-grant.ts'
import type { Mode } from '../../../../rules/meter/meter.ts'
import type { EntitlementGrants, GrantFilter } from '../../entitlement-grants.ts'
import type { Page, Scope } from '../../scope.ts'
import type { Db } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'
import type { EntitlementGrantRow } from './entitlement-grant-rows.ts'
import { entitlementGrantColumns, entitlementGrantOf } from './entitlement-grant-rows.ts'

export function entitlementGrants(db: Db): EntitlementGrants {
  return { get, find, list, broughtBy }

  async function get({ businessId, mode }: Scope, grantId: string) {
    const found = await find(mode, grantId)
    return found?.businessId === businessId ? found.grant : null
  }

  async function find(mode: Mode, grantId: string) {
    const [row] = await db.query<EntitlementGrantRow & { readonly business_id: string }>(sql`
      select business_id, ${entitlementGrantColumns} from entitlement_grants
      where grant_id = ${grantId} and mode = ${mode}`)
    if (row === undefined) return null
    return { businessId: row.business_id, mode, grant: entitlementGrantOf(row) }
  }

  async function list(
    { businessId, mode }: Scope,
    { customerId, entitlementId, status, type }: GrantFilter,
    page: Page,
  ): Promise<readonly EntitlementGrant[]> {
    const rows = await db.query<EntitlementGrantRow>(sql`
      select ${entitlementGrantColumns} from entitlement_grants
      where (business_id, mode) = (${businessId}, ${mode})
      and (${entitlementId}::text is null or entitlement_id = ${entitlementId})
      and (${customerId}::text is null or customer_id = ${customerId})
      and (${status}::text is null or status = ${status})
      and (${type}::text is null or integration_type = ${type})
      order by created_at desc, grant_id desc
      limit ${page.limit} offset ${page.offset}`)
    return rows.map(entitlementGrantOf)
  }

  async function broughtBy(
    { businessId, mode }: Scope,
    { paymentIds, subscriptionIds }: Parameters<EntitlementGrants['broughtBy']>[1],
  ): Promise<readonly EntitlementGrant[]> {
    if (paymentIds.length + subscriptionIds.length === 0) return []
    const rows = await db.query<EntitlementGrantRow>(sql`
      select ${entitlementGrantColumns} from entitlement_grants
      where (business_id, mode) = (${businessId}, ${mode})
      and (payment_id = any(${paymentIds}::text[])
        or subscription_id = any(${subscriptionIds}::text[]))
      order by created_at, grant_id`)
    return rows.map(entitlementGrantOf)
  }
}
