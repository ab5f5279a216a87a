import { expect } from 'vitest'
import { accountIdOf } from '../../src/operations/accounts/account-id.ts'
import { adjustBalance } from '../../src/operations/accounts/adjust-balance.ts'
import { applyBoundary } from '../../src/operations/boundaries/apply-boundary.ts'
import { sql } from '../../src/parts/store/postgres/connection/sql.ts'
import { sealing } from '../../src/parts/store/postgres/usage/sealing.ts'
import { changeOf } from '../../src/rules/accounts/change.ts'
import { balanceOf } from '../../src/rules/accounts/place.ts'
import { readAccount } from '../../src/rules/accounts/read-account.ts'
import type { AccountKey, AccountView } from '../../src/rules/accounts/view.ts'
import type { Instant } from '../../src/std/instant.ts'
import { day, after as later } from '../../src/std/instant.ts'
import type { Increment, ScratchStore } from '../support/store/scratch-store.ts'
import { atMoment, february, measuredOf, sliceOf } from '../support/store/scratch-store.ts'
import { incrementOf } from '../support/store/usage.ts'
import type { ProgramLog } from './program-run.ts'

const farFuture = later(february, 4_000 * day)

/** Accounts in a real store, with usage that is measured, settled and sealed. */
export function sealedAccounts(store: ScratchStore, log: ProgramLog) {
  return { sealAll, entriesOf, account, command, measure, viewOf, settle, balance, endMonth }

  /** Looks at all accounts once. Answers how many rows it has sealed. */
  async function sealAll(upTo: Instant = farFuture, rowsMax = 1_000): Promise<number> {
    let rows = 0
    let behind = ''
    for (;;) {
      const sealed = await sealing(store.db).seal({ behind, accountsMax: 20, rowsMax, upTo })
      rows += sealed.rows
      if (sealed.last === null) return rows
      behind = sealed.last
    }
  }

  async function entriesOf(key: AccountKey) {
    return store.db.query(sql`
      select e.number, e.transaction_type, e.amount, e.balance_before, e.balance_after,
        e.overage_before, e.overage_after, e.created_at
      from ledger_entries e join accounts a using (account_id)
      where (a.business_id, a.customer_id) = (${key.businessId}, ${key.customerId})
      order by e.number`)
  }

  async function account(parts: { readonly free?: string } = {}): Promise<AccountKey> {
    const scope = await store.business()
    const entitlementId = await store.entitlement(scope)
    const key = { ...scope, customerId: await store.customer(scope), entitlementId }
    if (parts.free !== undefined) {
      await store.db.query(sql`
        update credit_entitlements set stretches = jsonb_set(
          stretches, '{0,links,0,free_threshold}', to_jsonb(${parts.free}::text))
        where credit_entitlement_id = ${entitlementId}`)
    }
    await command(key, february)
    return key
  }

  /** Runs a command, which settles and rebases. */
  async function command(key: AccountKey, at: Instant): Promise<void> {
    await adjustBalance(atMoment(at, store), {
      key,
      type: 'credit',
      amount: '1000',
      reason: null,
      expiresAt: null,
      idempotencyKey: null,
      metadata: null,
    })
  }

  async function measure(key: AccountKey, ...rows: readonly Partial<Increment>[]): Promise<void> {
    const slice = sliceOf({ start: log.next })
    log.next = slice.end
    const increments = rows.map((row) => incrementOf(key, row))
    await store.measuring.commit(
      measuredOf({ slices: [slice], usage: increments, accounts: [key] }),
    )
  }

  async function viewOf(key: AccountKey, extent?: 'whole'): Promise<AccountView> {
    const [view] = await store.accounts.load([key], extent)
    if (view === undefined) throw new Error('No view.')
    return view
  }

  async function settle(key: AccountKey, at: Instant): Promise<void> {
    const request = { at, decide: () => null, idempotencyKey: null }
    const change = changeOf({ ...store, accountIdOf }, await viewOf(key), request)
    expect((await store.changes.commitEach([change])).size).toBe(1)
  }

  async function balance(key: AccountKey): Promise<bigint> {
    const read = readAccount(await viewOf(key), february, accountIdOf)
    return read === null ? 0n : balanceOf(read.account.state)
  }

  function endMonth(key: AccountKey, at: Instant): Promise<void> {
    return applyBoundary(atMoment(at, store), { kind: 'own_cycle_end', at, key })
  }
}

/** A month of usage: two meters with one row each, and one with a row for each hour of a day. */
export const aMonthOf = (start: Instant): readonly Partial<Increment>[] => {
  const at = { cycleAt: start, segmentAt: start }
  const hours = Array.from({ length: 24 }, (_, logHour) => ({
    ...at,
    meterId: 'mtr_seats',
    aggregation: 'max',
    value: '1',
    logHour: logHour + 1,
  }))
  return [{ ...at, meterId: 'mtr_bytes' }, at, ...hours]
}
