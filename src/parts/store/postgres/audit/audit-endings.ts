import { limits } from '../../../../limits.ts'
import type { Instant } from '../../../../std/instant.ts'
import type { AuditEndings, Overdue } from '../../audit-endings.ts'
import type { Db } from '../connection/client.ts'
import type { Statement } from '../connection/sql.ts'
import { sql } from '../connection/sql.ts'
import { watermarkOfLog } from '../usage/measuring.ts'

const rowsMax = 5_000

/** Each method is one statement, and so sees one moment. */
export function auditEndings(db: Db): AuditEndings {
  return { lastingGrants, twinGrants, openOverages, pastEnds, overdue }

  async function* lastingGrants(businessId: string | null) {
    const rows = await db.query<GrantRow>(sql`
      select a.business_id, a.customer_id, s.subscription_id, a.account_id, g.grant_id,
        g.remaining::text as remaining, g.cycle_at, s.ended is not null as endless
      from grants g
      join accounts a using (account_id)
      join subscriptions s
        on (s.business_id, s.mode, s.subscription_id) = (a.business_id, a.mode, g.source_id)
      where g.ended_at is null and g.source_type = 'subscription' and ${isOf(sql`a`, businessId)}
        and (g.cycle_at < s.previous_billing_date or s.ended is not null and g.expires_at is null)
      order by a.account_id, g.number limit ${rowsMax}`)
    for (const row of rows) {
      const { account_id: accountId, grant_id: grantId, remaining, endless } = row
      yield { ...endingOf(row), accountId, grantId, remaining, endless, cycleAt: row.cycle_at }
    }
  }

  // A trial's credits that belong to the first paid cycle were issued before that cycle.
  // [credits#cycle-end]
  async function* twinGrants(businessId: string | null) {
    const rows = await db.query<TwinRow>(sql`
      with twins as (
        select account_id, source_id, cycle_at from grants
        where source_type = 'subscription' and created_at >= cycle_at
        group by 1, 2, 3 having count(*) > 1
      )
      select a.business_id, a.customer_id, g.source_id as subscription_id, g.account_id,
        g.cycle_at, array_agg(g.grant_id order by g.number) as grant_ids
      from twins t
      join grants g using (account_id, source_id, cycle_at)
      join accounts a using (account_id)
      where g.source_type = 'subscription' and g.created_at >= g.cycle_at
        and ${isOf(sql`a`, businessId)} and exists (
          select from ledger_entries e
          where e.account_id = g.account_id and e.grant_id = g.grant_id
            and e.transaction_type = 'credit_added' and e.inputs ->> 'rule' = 'cycle_grant')
      group by 1, 2, 3, 4, 5 having count(*) > 1
      order by g.account_id, g.cycle_at limit ${rowsMax}`)
    for (const row of rows) {
      const { account_id: accountId, grant_ids: grantIds, cycle_at: cycleAt } = row
      yield { ...endingOf(row), accountId, grantIds, cycleAt }
    }
  }

  async function* openOverages(businessId: string | null) {
    const rows = await db.query<OverageRow>(
      sql`${leftOpen(businessId)} union all ${withoutTerms(
        businessId,
      )} order by account_id limit ${rowsMax}`,
    )
    for (const row of rows) {
      const { account_id: accountId, overage, subscription_id: subscriptionId } = row
      const { behavior, at } = row
      const left =
        subscriptionId === null || behavior === null || at === null
          ? null
          : { subscriptionId, behavior, at }
      yield { businessId: row.business_id, customerId: row.customer_id, accountId, overage, left }
    }
  }

  async function* pastEnds(businessId: string | null) {
    const rows = await db.query<PastRow>(sql`
      with measured as (select (${watermarkOfLog}) as up_to)
      select s.business_id, s.customer_id, s.subscription_id, s.expires_at
      from subscriptions s
      join business_modes b using (business_id, mode)
      cross join measured
      where s.status = 'active' and ${isOf(sql`s`, businessId)}
        and (
          s.expires_at <= s.previous_billing_date
          or s.expires_at + ${limits.endLagMax}::bigint * interval '1 microsecond'
            < measured.up_to + b.clock_ahead_us * interval '1 microsecond')
      order by s.subscription_id limit ${rowsMax}`)
    for (const row of rows) yield { ...endingOf(row), expiresAt: row.expires_at }
  }

  async function* overdue(businessId: string | null) {
    const rows = await db.query<OverdueRow>(sql`
      with measured as (select (${watermarkOfLog}) as up_to), due as materialized (
        select b.business_id, b.mode, least(m.up_to, believed_now())
          + (b.clock_ahead_us - ${limits.endLagMax}::bigint) * interval '1 microsecond' as by
        -- Where no partition was ever taken, no sweep begins.
        from business_modes b join measured m on m.up_to is not null
        where ${isOf(sql`b`, businessId)}
      )
      select 'cycle' as noun, s.subscription_id as id, s.business_id, s.next_billing_date as at
      from subscriptions s join due using (business_id, mode)
      where s.status in ('active', 'on_hold') and s.next_billing_date < due.by
      union all
      select 'month', a.account_id, a.business_id, a.own_cycle_at + interval '1 month'
      from accounts a join due using (business_id, mode)
      join credit_entitlements e
        on (e.business_id, e.mode, e.credit_entitlement_id)
          = (a.business_id, a.mode, a.entitlement_id)
      where e.stretches <> '[]' and a.own_cycle_at + interval '1 month' < due.by
      union all
      select 'grant', g.grant_id, a.business_id, g.expires_at
      from grants g join accounts a using (account_id) join due using (business_id, mode)
      where g.ended_at is null and g.expires_at < due.by
      order by at, id limit ${rowsMax}`)
    for (const { business_id, ...row } of rows) yield { ...row, businessId: business_id }
  }
}

interface OverdueRow extends Omit<Overdue, 'businessId'> {
  readonly business_id: string
}

const isOf = (of: Statement, businessId: string | null): Statement =>
  sql`(${businessId}::text is null or ${of}.business_id = ${businessId})`

const closing = sql`('forgive_at_reset', 'invoice_at_billing')`

/**
 * Overage that is left after the end of a subscription whose terms close it and that governed the
 * account: no subscription that was activated earlier still lived. [meters#who-takes-the-usage]
 */
const leftOpen = (businessId: string | null): Statement => sql`
  select a.business_id, a.customer_id, a.account_id, e.overage_after::text as overage,
    s.subscription_id, item ->> 'overageBehavior' as behavior, s.over_at as at
  from (
    select *, coalesce(cancelled_at, expires_at) as over_at from subscriptions
    where ended is not null and activated_at is not null
  ) s
  cross join lateral jsonb_array_elements(s.credit_cart) item
  join accounts a
    on (a.business_id, a.mode, a.customer_id, a.entitlement_id)
      = (s.business_id, s.mode, s.customer_id, item ->> 'creditEntitlementId')
  cross join lateral (
    select overage_after from ledger_entries
    where account_id = a.account_id and created_at <= s.over_at
    order by number desc limit 1
  ) e
  where ${isOf(sql`s`, businessId)}
    and item ->> 'overageBehavior' in ${closing} and e.overage_after > 0
    and not exists (
      select from subscriptions o
      where (o.business_id, o.mode, o.customer_id) = (s.business_id, s.mode, s.customer_id)
        and o.subscription_id <> s.subscription_id and o.activated_at <= s.activated_at
        and (o.ended is null or coalesce(o.cancelled_at, o.expires_at) >= s.over_at))`

/**
 * Overage of credits that allow none by themselves, and that neither a subscription nor a product
 * carries over: a plan that was left would have closed it. Where usage came by the entitlement's
 * own links, it may have allowed overage before, which stays until its month ends.
 */
const withoutTerms = (businessId: string | null): Statement => sql`
  select a.business_id, a.customer_id, a.account_id, a.overage::text as overage,
    null as subscription_id, null as behavior, null::timestamptz as at
  from accounts a
  join credit_entitlements e
    on (e.business_id, e.mode, e.credit_entitlement_id)
      = (a.business_id, a.mode, a.entitlement_id)
  where a.overage > 0 and ${isOf(sql`a`, businessId)}
    and not e.overage_enabled and e.overage_behavior in ${closing}
    and coalesce(a.overage_terms ->> 'behavior', 'forgive_at_reset') in ${closing}
    and not exists (
      select from subscriptions s
      cross join lateral jsonb_array_elements(s.credit_cart) item
      where (s.business_id, s.mode, s.customer_id) = (a.business_id, a.mode, a.customer_id)
        and item ->> 'creditEntitlementId' = a.entitlement_id)
    and not exists (
      select from usage u
      where (u.customer_id, u.entitlement_id, u.business_id, u.mode, u.route_id)
        = (a.customer_id, a.entitlement_id, a.business_id, a.mode, a.entitlement_id))
    and not exists (
      select from products p
      cross join lateral jsonb_array_elements(p.credit_entitlements) item
      where (p.business_id, p.mode) = (a.business_id, a.mode)
        and item ->> 'credit_entitlement_id' = a.entitlement_id
        and item ->> 'overage_behavior' not in ${closing})`

interface EndingRow {
  readonly business_id: string
  readonly customer_id: string
  readonly subscription_id: string
}

const endingOf = (row: EndingRow) => ({
  businessId: row.business_id,
  customerId: row.customer_id,
  subscriptionId: row.subscription_id,
})

interface GrantRow extends EndingRow {
  readonly account_id: string
  readonly grant_id: string
  readonly remaining: string
  readonly cycle_at: Instant
  readonly endless: boolean
}

interface TwinRow extends EndingRow {
  readonly account_id: string
  readonly grant_ids: readonly string[]
  readonly cycle_at: Instant
}

interface OverageRow {
  readonly business_id: string
  readonly customer_id: string
  readonly account_id: string
  readonly overage: string
  readonly subscription_id: string | null
  readonly behavior: string | null
  readonly at: Instant | null
}

interface PastRow extends EndingRow {
  readonly expires_at: Instant
}
