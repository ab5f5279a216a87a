import type { CreditEntitlement } from '../../../../rules/commerce/catalog/credit-entitlement.ts'
import type { Instant } from '../../../../std/instant.ts'
import type { CreditEntitlements } from '../../credit-entitlements.ts'
import type { Page, Scope } from '../../scope.ts'
import type { Db } from '../connection/client.ts'
import { timestamptz } from '../connection/client.ts'
import type { Statement } from '../connection/sql.ts'
import { sql } from '../connection/sql.ts'
import type { EntitlementRow } from './credit-entitlement-rows.ts'
import { columns, entitlementOf } from './credit-entitlement-rows.ts'

export function creditEntitlements(db: Db): CreditEntitlements {
  return { get, list, many, measuredTo, remove, restore }

  async function get(scope: Scope, creditEntitlementId: string) {
    const found = (await many(scope, [creditEntitlementId])).get(creditEntitlementId)
    return found === undefined || found.deletedAt !== null ? null : found
  }

  async function many({ businessId, mode }: Scope, creditEntitlementIds: readonly string[]) {
    if (creditEntitlementIds.length === 0) return new Map<string, CreditEntitlement>()
    const rows = await db.query<EntitlementRow>(sql`
      select ${columns} from credit_entitlements
      where business_id = ${businessId} and mode = ${mode}
      and credit_entitlement_id = any(${creditEntitlementIds}::text[])`)
    return new Map(rows.map((row) => [row.credit_entitlement_id, entitlementOf(row)]))
  }

  async function list({ businessId, mode }: Scope, deleted: boolean, page: Page) {
    const rows = await db.query<EntitlementRow>(sql`
      select ${columns} from credit_entitlements
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

  function remove(scope: Scope, id: string, at: Instant): Promise<boolean> {
    return marked(scope, id, { deletedAt: at, at })
  }

  function restore(scope: Scope, id: string, at: Instant): Promise<boolean> {
    return marked(scope, id, { deletedAt: null, at })
  }

  async function marked(
    scope: Scope,
    id: string,
    { deletedAt, at }: { readonly deletedAt: Instant | null; readonly at: Instant },
  ): Promise<boolean> {
    const rows = await db.query(sql`
      with changed as (
        update credit_entitlements set
          deleted_at = ${timestamptz(deletedAt)},
          updated_at = greatest(
            ${timestamptz(at)}::timestamptz, updated_at + interval '1 microsecond'
          )
        where business_id = ${scope.businessId} and mode = ${scope.mode}
        and credit_entitlement_id = ${id} and (deleted_at is null) = ${deletedAt !== null}
        returning credit_entitlement_id
      ), moved as (${moved(scope, sql`exists (select from changed)`)})
      select from changed`)
    return rows.length > 0
  }
}

/** The catalog's version moves in the statement that changes what it stands for. */
const moved = ({ businessId, mode }: Scope, condition: Statement): Statement => sql`
  update business_modes set catalog_version = catalog_version + 1
  where business_id = ${businessId} and mode = ${mode} and ${condition}`
