import type { Account, Grant } from '../../../rules/credits/account.ts'
import type { Credits } from '../../../rules/credits/credits.ts'
import { formatCredits } from '../../../rules/credits/credits.ts'
import { balanceOf } from '../../../rules/credits/place.ts'
import type { Mode } from '../../../rules/meter/meter.ts'
import type { AccountChange, AccountKey, Accounts, AccountView, NewEntry } from '../accounts.ts'
import type { AccountDocument } from './account-documents.ts'
import { overageJson, viewOf } from './account-documents.ts'
import type { Db } from './client.ts'
import { timestamptz } from './client.ts'
import { sql } from './sql.ts'

export function accounts(db: Db): Accounts {
  return { load, save, due, unsettledOf, backlog, setAside, adjusted }

  async function load(keys: readonly AccountKey[]): Promise<readonly AccountView[]> {
    if (keys.length === 0) return []
    const wanted = JSON.stringify(keys.map(keyJson))
    const rows = await db.query<{ document: AccountDocument }>(
      sql`select load_accounts(${wanted}::jsonb) as document`,
    )
    const views = new Map(rows.map(({ document }) => [nameOf(viewOf(document).key), document]))
    return keys.map((key) => {
      const document = views.get(nameOf(key))
      if (document === undefined) throw new Error('load_accounts() left out a key.')
      return viewOf(document)
    })
  }

  async function save(changes: readonly AccountChange[]): Promise<ReadonlySet<string>> {
    if (changes.length === 0) return new Set()
    const rows = await db.query<{ saved: string }>(
      sql`select save_accounts(${changesJson(changes)}::jsonb) as saved`,
    )
    return new Set(rows.map((row) => row.saved))
  }

  async function due(limit: number, quietMs: number): Promise<readonly AccountKey[]> {
    const rows = await db.query<KeyRow>(sql`
      select u.business_id, u.mode, u.customer_id, u.entitlement_id
      from (
        select business_id, mode, customer_id, entitlement_id, min(id) as first
        from unsettled group by 1, 2, 3, 4
      ) u
      left join accounts a using (business_id, mode, customer_id, entitlement_id)
      where a.account_id is null
        or (a.set_aside is null and a.settled_at <= now() - ${quietMs}::integer * interval '1 ms')
      order by u.first limit ${limit}`)
    return rows.map(keyOf)
  }

  async function unsettledOf(
    { businessId, mode, entitlementId }: Omit<AccountKey, 'customerId'>,
    limit: number,
  ): Promise<readonly AccountKey[]> {
    const rows = await db.query<KeyRow>(sql`
      select distinct business_id, mode, customer_id, entitlement_id from unsettled
      where (business_id, mode, entitlement_id) = (${businessId}, ${mode}, ${entitlementId})
      limit ${limit}`)
    return rows.map(keyOf)
  }

  async function backlog(): Promise<number> {
    const [row] = await db.query<{ waiting: number }>(sql`
      select count(*) as waiting
      from (select distinct business_id, mode, customer_id, entitlement_id from unsettled) u`)
    return row?.waiting ?? 0
  }

  async function setAside(
    key: AccountKey,
    accountId: string,
    reason: string | null,
  ): Promise<void> {
    await db.query(sql`
      insert into accounts as a (account_id, business_id, mode, customer_id, entitlement_id,
        version, set_aside, created_at, updated_at)
      values (${accountId}, ${key.businessId}, ${key.mode}, ${key.customerId},
        ${key.entitlementId}, 1, ${reason}, now(), now())
      on conflict (account_id) do update set set_aside = excluded.set_aside`)
  }

  async function adjusted(accountId: string, idempotencyKey: string): Promise<boolean> {
    const rows = await db.query(sql`
      select 1 from adjustments
      where account_id = ${accountId} and idempotency_key = ${idempotencyKey}`)
    return rows.length > 0
  }
}

interface KeyRow {
  readonly business_id: string
  readonly mode: Mode
  readonly customer_id: string
  readonly entitlement_id: string
}

export const keyOf = (row: KeyRow): AccountKey => ({
  businessId: row.business_id,
  mode: row.mode,
  customerId: row.customer_id,
  entitlementId: row.entitlement_id,
})

const keyJson = (key: AccountKey): KeyRow => ({
  business_id: key.businessId,
  mode: key.mode,
  customer_id: key.customerId,
  entitlement_id: key.entitlementId,
})

const nameOf = (key: AccountKey): string => JSON.stringify(Object.values(keyJson(key)))

/** What save_accounts() takes (migration 0002). */
export const changesJson = (changes: readonly AccountChange[]): string =>
  JSON.stringify(changes.map(changeJson))

function changeJson(change: AccountChange): object {
  const { account, accountId } = change
  const text = (value: Credits): string => formatCredits(value, account.precision)
  return {
    ...keyJson(change.key),
    account_id: accountId,
    expected: change.expected,
    entries_made: account.entries,
    balance: text(balanceOf(account.state)),
    overage: text(account.state.overage),
    dropped: text(account.state.dropped),
    unreturned: text(account.state.unreturned),
    base_overage: text(account.base.overage),
    base_dropped: text(account.base.dropped),
    base_unreturned: text(account.base.unreturned),
    dropped_closed: text(account.closed.dropped),
    unreturned_closed: text(account.closed.unreturned),
    charged_sealed: text(account.closed.charged),
    grants_made: account.grantsMade,
    overage_terms: overageJson(account.overageTerms, account.precision),
    own_cycle_at: timestamptz(change.ownCycleAt),
    last_transaction_at: change.entries.length > 0 ? timestamptz(change.at) : null,
    updated_at: timestamptz(change.at),
    grants: [...grantsJson(change), ...endedJson(change)],
    charged: chargedJson(change),
    entries: change.entries.map((entry) => entryJson(entry, change)),
    facts: change.facts.map((fact) => ({
      message_id: fact.messageId,
      ...keyJson(change.key),
      type: fact.type,
      account_id: accountId,
      entry_number: fact.entryNumber,
      data: fact.data,
      at: timestamptz(fact.at),
    })),
    unsettled: change.unsettled,
    announce: change.announce,
    adjustment:
      change.idempotencyKey === null
        ? null
        : { idempotency_key: change.idempotencyKey, entry_id: change.entries[0]?.entryId },
  }
}

/** Only grants that are new or moved are written: an account may hold many. */
function grantsJson(change: AccountChange): readonly object[] {
  const { account, before } = change
  const text = (value: Credits): string => formatCredits(value, account.precision)
  return account.grants.flatMap((grant, index) => {
    const state = account.state.holdings[index]
    const base = account.base.holdings[index]
    if (state === undefined || base === undefined) throw new Error('A grant without a holding.')
    if (before !== null && sameHolding(before, account, index)) return []
    return [
      {
        ...grantJson(grant, change),
        remaining: text(state.remaining),
        drawn: text(state.drawn),
        base_remaining: text(base.remaining),
        base_drawn: text(base.drawn),
        rolled_over: false,
        ended_at: null,
      },
    ]
  })
}

/** What holds of a grant, whatever it holds. */
const grantJson = (
  grant: Grant,
  { account, accountId, at }: Pick<AccountChange, 'account' | 'accountId' | 'at'>,
) => ({
  account_id: accountId,
  number: grant.number,
  grant_id: grant.grantId,
  source_type: grant.sourceType,
  source_id: grant.sourceId,
  parent_grant_id: grant.parentGrantId,
  rollover_count: grant.rolloverCount,
  cycle_at: timestamptz(grant.cycleAt),
  initial: formatCredits(grant.initial, account.precision),
  expires_at: timestamptz(grant.expiresAt),
  metadata: grant.metadata,
  created_at: timestamptz(grant.createdAt),
  updated_at: timestamptz(at),
})

/** Grants that ended with this change: nothing is left in them. */
function endedJson({ account, accountId, at }: AccountChange): readonly object[] {
  const rolled = new Set(account.grants.map((grant) => grant.parentGrantId))
  return account.ended.map(({ grant, drawn }) => ({
    ...grantJson(grant, { account, accountId, at }),
    remaining: '0',
    drawn: formatCredits(drawn, account.precision),
    base_remaining: '0',
    base_drawn: formatCredits(drawn, account.precision),
    rolled_over: rolled.has(grant.grantId),
    ended_at: timestamptz(at),
  }))
}

function sameHolding(before: Account, next: Account, index: number): boolean {
  const [was, is] = [before.grants[index], next.grants[index]]
  if (was?.grantId !== is?.grantId || was?.expiresAt !== is?.expiresAt) return false
  if (was?.cycleAt !== is?.cycleAt) return false
  const same = (a: Account['state'], b: Account['state']): boolean =>
    a.holdings[index]?.remaining === b.holdings[index]?.remaining &&
    a.holdings[index]?.drawn === b.holdings[index]?.drawn
  return same(before.state, next.state) && same(before.base, next.base)
}

function chargedJson({ account, before, accountId }: AccountChange): readonly object[] {
  const known = new Set(before?.charges ?? [])
  return account.charges
    .filter((charge) => !known.has(charge))
    .map((charge) => ({
      account_id: accountId,
      route_id: charge.routeId,
      meter_id: charge.meterId,
      cycle_at: timestamptz(charge.cycleAt),
      charged: formatCredits(charge.charged, account.precision),
      base: formatCredits(charge.base, account.precision),
    }))
}

function entryJson(entry: NewEntry, { account, accountId }: AccountChange): object {
  const text = (value: Credits): string => formatCredits(value, account.precision)
  return {
    account_id: accountId,
    number: entry.number,
    entry_id: entry.entryId,
    transaction_type: entry.type,
    is_credit: entry.isCredit,
    amount: text(entry.amount),
    balance_before: text(entry.balanceBefore),
    balance_after: text(entry.balanceAfter),
    overage_before: text(entry.overageBefore),
    overage_after: text(entry.overageAfter),
    grant_id: entry.grantId,
    reference_type: entry.cause.referenceType,
    reference_id: entry.cause.referenceId,
    description: entry.cause.description,
    metadata: entry.cause.metadata,
    brand_id: entry.brandId,
    inputs: entry.cause.inputs,
    created_at: timestamptz(entry.at),
  }
}
