import type { RecordedGrant } from '../../../../rules/accounts/recorded-grant.ts'
import type { AccountKey } from '../../../../rules/accounts/view.ts'
import type { RecordedEntry } from '../../../../rules/facts/recorded-entry.ts'
import type { Mode } from '../../../../rules/meter/meter.ts'
import type { Instant } from '../../../../std/instant.ts'
import type { EntryFilter, GrantStatus, Ledger, MovedCredits } from '../../ledger.ts'
import type { Page, Scope } from '../../scope.ts'
import type { Db } from '../connection/client.ts'
import { timestamptz } from '../connection/client.ts'
import type { Statement } from '../connection/sql.ts'
import { joined, sql } from '../connection/sql.ts'
import { keyOf } from './account-keys.ts'
import type { EntryRow } from './entry-rows.ts'
import { entryOf } from './entry-rows.ts'
import type { GrantRow } from './grant-rows.ts'
import { recordedGrantOf } from './grant-rows.ts'

export function ledger(db: Db): Ledger {
  return { accountsOf, touchedBy, grants, entries, moved: (...of) => movedCredits(db, ...of) }

  async function accountsOf(
    scope: Scope,
    filter: { readonly entitlementId: string | null; readonly customerId: string | null },
    page: Page,
  ): Promise<readonly AccountKey[]> {
    const { entitlementId, customerId } = filter
    const conditions = [
      sql`(business_id, mode) = (${scope.businessId}, ${scope.mode})`,
      sql`entries > 0`,
      ...(entitlementId === null ? [] : [sql`entitlement_id = ${entitlementId}`]),
      ...(customerId === null ? [] : [sql`customer_id = ${customerId}`]),
    ]
    const rows = await db.query<AccountRow>(sql`
      select business_id, mode, customer_id, entitlement_id from accounts
      where ${joined(conditions, ' and ')}
      order by created_at desc, account_id desc
      limit ${page.limit} offset ${page.offset}`)
    return rows.map(keyOf)
  }

  async function touchedBy(scope: Scope, customerId: string): Promise<readonly AccountKey[]> {
    const { businessId, mode } = scope
    const rows = await db.query<AccountRow>(sql`
      select business_id, mode, customer_id, entitlement_id
      from (
        select business_id, mode, customer_id, entitlement_id, created_at from accounts
        where (business_id, mode, customer_id) = (${businessId}, ${mode}, ${customerId})
        union all
        select business_id, mode, customer_id, entitlement_id, 'infinity' from unsettled
        where (business_id, mode, customer_id) = (${businessId}, ${mode}, ${customerId})
      ) as touched
      group by business_id, mode, customer_id, entitlement_id
      order by min(created_at) desc, entitlement_id desc`)
    return rows.map(keyOf)
  }

  async function grants(
    accountId: string,
    filter: { readonly status: GrantStatus | null; readonly at: Instant },
    page: Page,
  ): Promise<readonly RecordedGrant[]> {
    const conditions = [sql`account_id = ${accountId}`, ...statusOf(filter.status, filter.at)]
    const rows = await db.query<GrantRow>(sql`
      select * from grants where ${joined(conditions, ' and ')}
      order by number desc limit ${page.limit} offset ${page.offset}`)
    return rows.map(recordedGrantOf)
  }

  async function entries(
    accountId: string,
    filter: EntryFilter,
    page: Page,
  ): Promise<readonly RecordedEntry[]> {
    const { type, from, to } = filter
    const conditions = [
      sql`e.account_id = ${accountId}`,
      ...(type === null ? [] : [sql`e.transaction_type = ${type}`]),
      ...(from === null ? [] : [sql`e.created_at >= ${timestamptz(from)}`]),
      ...(to === null ? [] : [sql`e.created_at <= ${timestamptz(to)}`]),
    ]
    const rows = await db.query<EntryRow>(sql`
      select e.*, a.business_id, a.customer_id, a.entitlement_id
      from ledger_entries e join accounts a using (account_id)
      where ${joined(conditions, ' and ')}
      order by e.number desc limit ${page.limit} offset ${page.offset}`)
    return rows.map(entryOf)
  }
}

/** Repaying overage moves balance and overage alike, and so uses nothing again. */
async function movedCredits(
  db: Db,
  ...[{ businessId, mode }, since, most]: Parameters<Ledger['moved']>
): Promise<readonly MovedCredits[] | null> {
  const rows = await db.query<MovedRow>(sql`
    with counted as materialized (
      select count(*) as looked from (
        select from ledger_entries where created_at >= ${timestamptz(since)} limit ${most + 1}
      ) as recent
    )
    select null as entitlement_id, looked, null as granted, null as used from counted
    union all
    select own.entitlement_id, null,
      trim_scale(coalesce(sum(balance_after - balance_before) filter (where is_credit
        and transaction_type in ('credit_added', 'manual_adjustment', 'auto_top_up')), 0)),
      trim_scale(coalesce(
        sum(balance_before - balance_after + overage_after - overage_before) filter (
          where transaction_type = 'credit_deducted'
          or (transaction_type = 'manual_adjustment' and not is_credit)
          or (transaction_type = 'refund' and is_credit)), 0))
    from ledger_entries e join accounts own using (account_id)
    where (select looked from counted) <= ${most} and e.created_at >= ${timestamptz(since)}
      and own.business_id = ${businessId} and own.mode = ${mode}
    group by own.entitlement_id order by entitlement_id nulls first`)
  const [counted, ...moved] = rows
  return (counted?.looked ?? 0) > most
    ? null
    : moved.map(({ entitlement_id, granted, used }) => ({
        entitlementId: entitlement_id ?? '',
        granted: granted ?? '0',
        used: used ?? '0',
      }))
}

/** How many entries there are, then what those of each entitlement come to. */
interface MovedRow {
  readonly entitlement_id: string | null
  readonly looked: number | null
  readonly granted: string | null
  readonly used: string | null
}

function statusOf(status: GrantStatus | null, at: Instant): readonly Statement[] {
  const ended = sql`(ended_at is not null or coalesce(expires_at <= ${timestamptz(at)}, false))`
  switch (status) {
    case null:
      return []
    case 'expired':
      return [ended]
    case 'active':
      return [sql`not ${ended}`, sql`remaining > 0`]
    case 'depleted':
      return [sql`not ${ended}`, sql`remaining = 0`]
  }
}

interface AccountRow {
  readonly business_id: string
  readonly mode: Mode
  readonly customer_id: string
  readonly entitlement_id: string
}
