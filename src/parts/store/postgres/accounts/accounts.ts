import type { AccountKey, AccountView } from '../../../../rules/accounts/view.ts'
import type { Accounts } from '../../accounts.ts'
import type { Db } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'
import type { AccountDocument } from './account-documents.ts'
import { viewOf } from './account-documents.ts'
import type { AccountKeyRow } from './account-keys.ts'
import { keyOf } from './account-keys.ts'
import { dueAccounts } from './due-accounts.ts'

export function accounts(db: Db): Accounts {
  return { load, ...dueAccounts(db), unsettledOf, backlog, setAside, adjusted }

  async function load(
    keys: readonly AccountKey[],
    extent: 'open' | 'whole' = 'open',
  ): Promise<readonly AccountView[]> {
    if (keys.length === 0) return []
    const wanted = JSON.stringify(keys.map(keyJson))
    const rows = await db.query<{ document: AccountDocument }>(
      sql`select load_accounts(${wanted}::jsonb, ${extent === 'whole'}) as document`,
    )
    const views = new Map(
      rows.map(({ document }) => viewOf(document)).map((view) => [nameOf(view.key), view]),
    )
    return keys.map((key) => {
      const view = views.get(nameOf(key))
      if (view === undefined) throw new Error('load_accounts() left out a key.')
      return view
    })
  }

  async function unsettledOf(
    { businessId, mode, entitlementId }: Omit<AccountKey, 'customerId'>,
    behind: string,
    limit: number,
  ): Promise<readonly AccountKey[]> {
    const rows = await db.query<AccountKeyRow>(sql`
      select distinct business_id, mode, customer_id, entitlement_id from unsettled
      where (business_id, mode, entitlement_id) = (${businessId}, ${mode}, ${entitlementId})
        and customer_id > ${behind}
      order by customer_id limit ${limit}`)
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
        version, set_aside, own_cycle_at, created_at, updated_at)
      values (${accountId}, ${key.businessId}, ${key.mode}, ${key.customerId},
        ${key.entitlementId}, 1, ${reason}, date_trunc('month', believed_now(), 'UTC'),
        believed_now(), believed_now())
      on conflict (account_id) do update set set_aside = excluded.set_aside`)
  }

  async function adjusted(accountId: string, idempotencyKey: string): Promise<boolean> {
    const rows = await db.query(sql`
      select 1 from adjustments
      where account_id = ${accountId} and idempotency_key = ${idempotencyKey}`)
    return rows.length > 0
  }
}

const keyJson = (key: AccountKey): AccountKeyRow => ({
  business_id: key.businessId,
  mode: key.mode,
  customer_id: key.customerId,
  entitlement_id: key.entitlementId,
})

const nameOf = (key: AccountKey): string =>
  JSON.stringify([key.businessId, key.mode, key.customerId, key.entitlementId])
