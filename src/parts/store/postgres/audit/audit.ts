import type { AccountKey } from '../../../../rules/accounts/view.ts'
import type { Audit, AuditedAccount, AuditedEntry, AuditedGrant } from '../../audit.ts'
import type { AccountDocument } from '../accounts/account-documents.ts'
import { viewOf } from '../accounts/account-documents.ts'
import { keyOf } from '../accounts/account-keys.ts'
import type { InputsJson } from '../accounts/cause-json.ts'
import { inputsFrom } from '../accounts/cause-json.ts'
import type { EntryRow } from '../accounts/entry-rows.ts'
import type { GrantRow } from '../accounts/grant-rows.ts'
import type { Db } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'
import { instantFrom, instantOrNull } from '../connection/values.ts'
import { auditCommerce } from './audit-commerce.ts'
import { auditCounted } from './audit-counted.ts'
import { auditEndings } from './audit-endings.ts'
import { factsMistold } from './audit-facts.ts'
import { auditPartitions } from './audit-partitions.ts'
import { usageBent } from './audit-usage.ts'
import { bentRows } from './bent-rows.ts'

const accountsPerPage = 200
const rowsPerPage = 5_000

/** Rows of usage after which a page ends: an account may have tens of thousands a year. */
const usagePerPage = 50_000

export function audit(db: Db, usageMax: number = usagePerPage): Audit {
  return {
    accounts,
    entries,
    forgotten,
    bentUsage: (businessId) => bentRows(db, usageBent(businessId)),
    ...auditCounted(db),
    dangling,
    ...auditPartitions(db),
    ...auditEndings(db),
    ...auditCommerce(db),
  }

  async function* accounts(businessId: string | null) {
    let last = ''
    for (;;) {
      const rows = await db.query<AccountRow>(sql`
        with page as materialized (
          select account_id, business_id, mode, customer_id, entitlement_id, balance
          from (
            select *, sum(used) over (order by account_id) - used as used_before
            from (
              select *, (
                select count(*) from usage u
                where (u.customer_id, u.entitlement_id, u.business_id, u.mode)
                  = (a.customer_id, a.entitlement_id, a.business_id, a.mode)) as used
              from accounts a
              where account_id > ${last}
              and (${businessId}::text is null or business_id = ${businessId})
              order by account_id limit ${accountsPerPage}) following
          ) counted
          where used_before < ${usageMax}
          order by account_id
        ), documents as materialized (
          select load_accounts(jsonb_agg(to_jsonb(page) - 'balance'), true) as document from page
        )
        select p.account_id, p.business_id, p.mode, p.customer_id, p.entitlement_id,
          p.balance::text as balance, d.document,
          coalesce((
            select max(e.number) from ledger_entries e where e.account_id = p.account_id), 0
          ) as entries_to,
          coalesce((
            select jsonb_agg(jsonb_build_object('grant_id', g.grant_id, 'number', g.number,
              'source_type', g.source_type, 'parent_grant_id', g.parent_grant_id,
              'rollover_count', g.rollover_count, 'rolled_over', g.rolled_over,
              'created_at', g.created_at, 'ended_at', g.ended_at, 'initial', g.initial::text,
              'remaining', g.remaining::text, 'drawn', g.drawn::text)
              order by g.number)
            from grants g where g.account_id = p.account_id), '[]') as grants
        from page p
        join documents d on d.document -> 'account' ->> 'account_id' = p.account_id
        order by p.account_id`)
      const final = rows.at(-1)
      if (final === undefined) return
      yield rows.map(accountOf)
      last = final.account_id
    }
  }

  async function* entries(of: readonly AuditedAccount[]) {
    const ends = JSON.stringify(
      of.map(({ accountId, entriesTo }) => ({ account_id: accountId, entries_to: entriesTo })),
    )
    let [lastId, lastNumber] = ['', 0]
    for (;;) {
      const rows = await db.query<AuditedRow>(sql`
        select e.account_id, e.number, e.transaction_type, e.is_credit, e.amount, e.balance_before,
          e.balance_after, e.overage_before, e.overage_after, e.grant_id, e.reference_type,
          e.reference_id, e.created_at, e.inputs ->> 'rule' as rule,
          e.inputs ->> 'meter_id' as meter_id,
          case when e.transaction_type = 'credit_rolled_over' then e.inputs end as inputs
        from ledger_entries e
        join jsonb_to_recordset(${ends}::jsonb) k (account_id text, entries_to bigint)
          on k.account_id = e.account_id and e.number <= k.entries_to
        where (e.account_id, e.number) > (${lastId}, ${lastNumber}::bigint)
        order by e.account_id, e.number limit ${rowsPerPage}`)
      for (const row of rows) yield entryOf(row)
      const final = rows.at(-1)
      if (final === undefined || rows.length < rowsPerPage) return
      lastId = final.account_id
      lastNumber = final.number
    }
  }

  async function* forgotten(businessId: string | null): AsyncIterable<AccountKey> {
    const rows = await db.query<KeyRow>(sql`
      select distinct u.business_id, u.mode, u.customer_id, u.entitlement_id from usage u
      where u.entitlement_id <> '' and (${businessId}::text is null or u.business_id = ${businessId})
        and not exists (
          select from accounts a
          where (a.business_id, a.mode, a.entitlement_id, a.customer_id)
            = (u.business_id, u.mode, u.entitlement_id, u.customer_id))
        and not exists (
          select from unsettled n
          where (n.customer_id, n.entitlement_id, n.business_id, n.mode)
            = (u.customer_id, u.entitlement_id, u.business_id, u.mode))
      order by 1, 2, 3, 4 limit ${rowsPerPage}`)
    for (const row of rows) yield keyOf(row)
  }

  async function* dangling(businessId: string | null): AsyncIterable<string> {
    const rows = await db.query<{ sentence: string }>(sql`
      select format('The fact %s in the outbox refers to entry %s of account %s, which does not exist.',
        o.message_id, o.entry_number, o.account_id) as sentence
      from outbox o
      where o.entry_number is not null
        and (${businessId}::text is null or o.business_id = ${businessId})
        and not exists (
          select from ledger_entries e
          where (e.account_id, e.number) = (o.account_id, o.entry_number))
      union all
      select format('The fact %s in the outbox has neither an entry nor data.', o.message_id)
      from outbox o
      where o.entry_number is null and o.data is null
        and (${businessId}::text is null or o.business_id = ${businessId})
      union all
      select format('The message %s refers to entry %s of account %s, which does not exist.',
        m.message_id, m.entry_number, m.account_id)
      from messages m
      where m.entry_number is not null
        and (${businessId}::text is null or m.business_id = ${businessId})
        and not exists (
          select from ledger_entries e
          where (e.account_id, e.number) = (m.account_id, m.entry_number))
      union all
      select format('An idempotency key of account %s refers to entry %s, which does not exist.',
        j.account_id, j.entry_id)
      from adjustments j join accounts a using (account_id)
      where (${businessId}::text is null or a.business_id = ${businessId})
        and not exists (
          select from ledger_entries e
          where e.entry_id = j.entry_id and e.account_id = j.account_id)
      limit ${rowsPerPage}`)
    for (const { sentence } of rows) yield sentence
    const mistold = await db.query<{ sentence: string }>(factsMistold(businessId))
    for (const { sentence } of mistold) yield sentence
  }
}

type KeyRow = Parameters<typeof keyOf>[0]

interface AccountRow extends KeyRow {
  readonly account_id: string
  readonly balance: string
  readonly document: AccountDocument
  readonly entries_to: number
  readonly grants: readonly GrantJson[]
}

/** A grant as jsonb_build_object() makes it, in which moments are text. */
interface GrantJson
  extends Pick<GrantRow, 'grant_id' | 'source_type' | 'parent_grant_id' | 'rollover_count'>,
    Pick<GrantRow, 'rolled_over' | 'initial' | 'remaining'> {
  readonly number: number
  readonly drawn: string
  readonly created_at: string
  readonly ended_at: string | null
}

const grantOf = (grant: GrantJson): AuditedGrant => ({
  grantId: grant.grant_id,
  number: grant.number,
  sourceType: grant.source_type,
  parentGrantId: grant.parent_grant_id,
  rolloverCount: grant.rollover_count,
  rolledOver: grant.rolled_over,
  createdAt: instantFrom(grant.created_at),
  endedAt: instantOrNull(grant.ended_at),
  initial: grant.initial,
  remaining: grant.remaining,
  drawn: grant.drawn,
})

function accountOf(row: AccountRow): AuditedAccount {
  const { account_id: accountId, balance, entries_to: entriesTo } = row
  const grants = row.grants.map(grantOf)
  const account = { accountId, key: keyOf(row), balance, entriesTo, grants }
  try {
    return { ...account, view: viewOf(row.document), unreadable: null }
  } catch (error) {
    // An account that cannot be read must not hide what is wrong with the others.
    const unreadable = error instanceof Error ? error.message : String(error)
    return { ...account, view: null, unreadable }
  }
}

type Audited =
  | 'transaction_type'
  | 'is_credit'
  | 'amount'
  | 'balance_before'
  | 'balance_after'
  | 'overage_before'
  | 'overage_after'
  | 'grant_id'
  | 'reference_type'
  | 'reference_id'
  | 'created_at'

interface AuditedRow extends Pick<EntryRow, Audited> {
  readonly account_id: string
  readonly number: number
  readonly rule: string | null
  readonly meter_id: string | null
  /** Of a roll alone. */
  readonly inputs: InputsJson | null
}

const entryOf = (row: AuditedRow): AuditedEntry => ({
  accountId: row.account_id,
  number: row.number,
  type: row.transaction_type,
  isCredit: row.is_credit,
  amount: row.amount,
  balanceBefore: row.balance_before,
  balanceAfter: row.balance_after,
  overageBefore: row.overage_before,
  overageAfter: row.overage_after,
  grantId: row.grant_id,
  referenceType: row.reference_type,
  referenceId: row.reference_id,
  createdAt: row.created_at,
  rule: row.rule,
  meterId: row.meter_id,
  inputs: row.inputs === null ? null : inputsFrom(row.inputs),
})
