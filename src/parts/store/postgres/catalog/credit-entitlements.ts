import type { CreditEntitlement } from '../../../../rules/commerce/catalog/credit-entitlement.ts'
import type { OverageBehavior } from '../../../../rules/commerce/catalog/credit-settings.ts'
import type { Currency } from '../../../../rules/commerce/currency.ts'
import type { TimeInterval } from '../../../../std/calendar.ts'
import type { Instant } from '../../../../std/instant.ts'
import { formatInstant } from '../../../../std/instant.ts'
import type { CreditEntitlements } from '../../credit-entitlements.ts'
import type { Page, Scope } from '../../scope.ts'
import type { Db } from '../connection/client.ts'
import { isUniqueViolation, timestamptz } from '../connection/client.ts'
import type { Statement } from '../connection/sql.ts'
import { sql } from '../connection/sql.ts'
import type { StoredLink } from './meter-links.ts'
import { meterLinkOf, storedLink } from './meter-links.ts'
import type { StretchJson } from './stretches.ts'
import { stretchesFrom, stretchesJson, stretchJson } from './stretches.ts'

export function creditEntitlements(db: Db): CreditEntitlements {
  return { insert, get, list, many, measuredTo, update, remove, restore }

  async function insert(scope: Scope, entitlement: CreditEntitlement) {
    const rows = await db.query(sql`
      with inserted as (
        insert into credit_entitlements (
          business_id, mode, credit_entitlement_id, name, description, unit, precision,
          expires_after_days, rollover_enabled, rollover_percentage, rollover_timeframe_count,
          rollover_timeframe_interval, max_rollover_count, overage_enabled, overage_behavior,
          overage_limit, price_per_unit, currency, low_balance_threshold, meter_links, stretches,
          deleted_at, created_at, updated_at
        ) values (
          ${scope.businessId}, ${scope.mode}, ${entitlement.creditEntitlementId},
          ${entitlement.name}, ${entitlement.description}, ${entitlement.unit},
          ${entitlement.precision}, ${entitlement.expiresAfterDays}, ${entitlement.rolloverEnabled},
          ${entitlement.rolloverPercentage}, ${entitlement.rolloverTimeframeCount},
          ${entitlement.rolloverTimeframeInterval}, ${entitlement.maxRolloverCount},
          ${entitlement.overageEnabled}, ${entitlement.overageBehavior},
          ${entitlement.overageLimit}, ${entitlement.pricePerUnit}, ${entitlement.currency},
          ${entitlement.lowBalanceThreshold},
          ${linksOf(entitlement)}::jsonb, ${stretchesJson(entitlement.stretches)}::jsonb,
          ${timestamptz(entitlement.deletedAt)},
          ${timestamptz(entitlement.createdAt)}, ${timestamptz(entitlement.updatedAt)}
        )
        on conflict (business_id, mode, name) do nothing
        returning meter_links
      ), moved as (${moved(scope, sql`exists (select from inserted where meter_links <> '[]')`)})
      select from inserted`)
    return rows.length === 0 ? 'name_taken' : 'inserted'
  }

  async function get(scope: Scope, creditEntitlementId: string) {
    const found = (await many(scope, [creditEntitlementId])).get(creditEntitlementId)
    return found === undefined || found.deletedAt !== null ? null : found
  }

  async function many({ businessId, mode }: Scope, creditEntitlementIds: readonly string[]) {
    if (creditEntitlementIds.length === 0) return new Map<string, CreditEntitlement>()
    const rows = await db.query<Row>(sql`
      select ${columns} from credit_entitlements
      where business_id = ${businessId} and mode = ${mode}
      and credit_entitlement_id = any(${creditEntitlementIds}::text[])`)
    return new Map(rows.map((row) => [row.credit_entitlement_id, entitlementOf(row)]))
  }

  async function list({ businessId, mode }: Scope, deleted: boolean, page: Page) {
    const rows = await db.query<Row>(sql`
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

  async function update(scope: Scope, entitlement: CreditEntitlement, of: Updated) {
    try {
      const rows = await db.query(updating(scope, entitlement, of))
      return rows.length === 0 ? 'moved' : 'updated'
    } catch (error) {
      if (isUniqueViolation(error)) return 'name_taken'
      throw error
    }
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

/**
 * `before` sees the same state as the change: were the row another by the time that it is locked,
 * its `updated_at` would be too, and nothing would be changed.
 */
function updating(scope: Scope, entitlement: CreditEntitlement, { was, over }: Updated): Statement {
  const row = sql`
    business_id = ${scope.businessId} and mode = ${scope.mode}
    and credit_entitlement_id = ${entitlement.creditEntitlementId}`
  return sql`
    with before as (
      select meter_links from credit_entitlements where ${row}
    ), changed as (
      update credit_entitlements set
        name = ${entitlement.name},
        description = ${entitlement.description},
        unit = ${entitlement.unit},
        expires_after_days = ${entitlement.expiresAfterDays},
        rollover_enabled = ${entitlement.rolloverEnabled},
        rollover_percentage = ${entitlement.rolloverPercentage},
        rollover_timeframe_count = ${entitlement.rolloverTimeframeCount},
        rollover_timeframe_interval = ${entitlement.rolloverTimeframeInterval},
        max_rollover_count = ${entitlement.maxRolloverCount},
        overage_enabled = ${entitlement.overageEnabled},
        overage_behavior = ${entitlement.overageBehavior},
        overage_limit = ${entitlement.overageLimit},
        price_per_unit = ${entitlement.pricePerUnit},
        currency = ${entitlement.currency},
        low_balance_threshold = ${entitlement.lowBalanceThreshold},
        meter_links = ${linksOf(entitlement)}::jsonb,
        stretches = ${stretchesJson(entitlement.stretches)}::jsonb,
        updated_at = ${timestamptz(entitlement.updatedAt)}
      where ${row} and deleted_at is null and updated_at = ${timestamptz(was)}
      returning meter_links
    ), moved as (${moved(
      scope,
      sql`exists (
        select from changed, before where changed.meter_links <> before.meter_links
      )`,
    )}), kept as (
      insert into old_links (business_id, mode, credit_entitlement_id, from_at, stretch)
      select ${scope.businessId}, ${scope.mode}, ${entitlement.creditEntitlementId}, o.from_at,
        o.stretch
      from jsonb_to_recordset(${overJson(over)}::jsonb)
        o (from_at timestamptz, end_at timestamptz, stretch jsonb)
      where exists (select from changed) and exists (
        select from usage u
        where u.entitlement_id = ${entitlement.creditEntitlementId}
          and u.route_id = u.entitlement_id
          and (u.business_id, u.mode) = (${scope.businessId}, ${scope.mode})
          and u.segment_at >= o.from_at and u.segment_at < o.end_at)
      on conflict do nothing
    )
    select from changed`
}

type Updated = Parameters<CreditEntitlements['update']>[2]

const overJson = (over: Updated['over']): string =>
  JSON.stringify(
    over.map(({ stretch, end }) => ({
      from_at: formatInstant(stretch.from),
      end_at: formatInstant(end),
      stretch: stretchJson(stretch),
    })),
  )

const linksOf = (entitlement: CreditEntitlement): string =>
  JSON.stringify(entitlement.meterLinks.map(storedLink))

interface Row {
  readonly credit_entitlement_id: string
  readonly name: string
  readonly description: string | null
  readonly unit: string
  readonly precision: number
  readonly expires_after_days: number | null
  readonly rollover_enabled: boolean
  readonly rollover_percentage: number | null
  readonly rollover_timeframe_count: number | null
  readonly rollover_timeframe_interval: TimeInterval | null
  readonly max_rollover_count: number | null
  readonly overage_enabled: boolean
  readonly overage_behavior: OverageBehavior
  readonly overage_limit: number | null
  readonly price_per_unit: string | null
  readonly currency: Currency | null
  readonly low_balance_threshold: string | null
  readonly meter_links: readonly StoredLink[]
  readonly stretches: readonly StretchJson[]
  readonly deleted_at: Instant | null
  readonly created_at: Instant
  readonly updated_at: Instant
}

const columns = sql`
  credit_entitlement_id, name, description, unit, precision, expires_after_days, rollover_enabled,
  rollover_percentage, rollover_timeframe_count, rollover_timeframe_interval, max_rollover_count,
  overage_enabled, overage_behavior, overage_limit, price_per_unit, currency, low_balance_threshold,
  meter_links, stretches, deleted_at, created_at, updated_at`

const entitlementOf = (row: Row): CreditEntitlement => ({
  creditEntitlementId: row.credit_entitlement_id,
  name: row.name,
  description: row.description,
  unit: row.unit,
  precision: row.precision,
  expiresAfterDays: row.expires_after_days,
  rolloverEnabled: row.rollover_enabled,
  rolloverPercentage: row.rollover_percentage,
  rolloverTimeframeCount: row.rollover_timeframe_count,
  rolloverTimeframeInterval: row.rollover_timeframe_interval,
  maxRolloverCount: row.max_rollover_count,
  overageEnabled: row.overage_enabled,
  overageBehavior: row.overage_behavior,
  overageLimit: row.overage_limit === null ? null : String(row.overage_limit),
  pricePerUnit: row.price_per_unit,
  currency: row.currency,
  lowBalanceThreshold: row.low_balance_threshold,
  meterLinks: row.meter_links.map(meterLinkOf),
  stretches: stretchesFrom(row.stretches),
  deletedAt: row.deleted_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
