import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopeOf } from '../../../src/engine/sweeps/due-of-all.ts'
import { accounts } from '../../../src/parts/store/postgres/accounts/accounts.ts'
import { boundaries } from '../../../src/parts/store/postgres/accounts/boundaries.ts'
import { ledger } from '../../../src/parts/store/postgres/accounts/ledger.ts'
import { customers } from '../../../src/parts/store/postgres/catalog/customers.ts'
import { subscriptions } from '../../../src/parts/store/postgres/catalog/subscriptions.ts'
import { changes } from '../../../src/parts/store/postgres/changes/changes.ts'
import type { Db } from '../../../src/parts/store/postgres/connection/client.ts'
import type { Statement } from '../../../src/parts/store/postgres/connection/sql.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import { payments } from '../../../src/parts/store/postgres/payments/payments.ts'
import type { Scope } from '../../../src/parts/store/scope.ts'
import type { AccountKey } from '../../../src/rules/accounts/view.ts'
import type { Instant } from '../../../src/std/instant.ts'
import { after, day, instantOf } from '../../../src/std/instant.ts'
import { paymentOf } from '../../rules/commerce/payments/purchases.ts'
import { isLong } from '../../support/run/long.ts'
import {
  changeWith,
  decidedAt,
  granting,
  newAccount,
  subscribing,
} from '../../support/store/decided.ts'
import type { Plan } from '../../support/store/plans.ts'
import { readBy } from '../../support/store/plans.ts'
import type { ScratchStore } from '../../support/store/scratch-store.ts'
import { scratchStore } from '../../support/store/scratch-store.ts'
import { subscriptionOf } from '../../support/store/subscription.ts'

const soon = after(decidedAt, day)
const muchLater = after(decidedAt, 300 * 365 * day)

/** Nearly all of the time goes into filling the tables. */
const count = isLong ? 10_000 : 2_500
const page = { limit: 50, offset: 0 }
const created = { createdFrom: null, createdTo: null }
const anyPayment = {
  brandId: null,
  customerId: null,
  productId: null,
  subscriptionId: null,
  currency: null,
  status: null,
  disputeStatus: null,
  ...created,
}
const anySubscription = {
  brandId: null,
  customerId: null,
  productId: null,
  status: null,
  cancelling: null,
  ...created,
}

/** What the console asks of long lists costs what it answers, however long they are. */
describe(`among ${count} of each`, () => {
  let store: ScratchStore
  let scope: Scope
  let key: AccountKey
  beforeAll(async () => {
    store = await scratchStore()
    scope = await store.business()
    key = await newAccount(store, scope)
    const { customerId, entitlementId: of } = key
    const subscription = subscriptionOf('sub_one', customerId, { of, at: decidedAt })
    const payment = paymentOf({
      paymentId: 'pay_one',
      customerId,
      status: 'succeeded',
      products: [],
      createdAt: decidedAt,
      updatedAt: decidedAt,
    })
    const rows = [
      subscribing(subscription),
      { noun: 'payment', expected: null, row: payment } as const,
    ]
    await store.changes.commit({ ...changeWith(scope, { rows }), clockAhead: null })
    await store.changes.commitEach([await granting(store, key)])
    await copied('customers', 'customer_id', {})
    await copied('subscriptions', 'subscription_id', { status: 'active' })
    await copied('payments', 'payment_id', { status: 'succeeded', product_ids: ['pdt_many'] })
    await copied('ledger_entries', 'entry_id', {})
    const elsewhere = { business_id: (await store.business()).businessId }
    await copied('customers', 'customer_id', elsewhere)
    await copied('subscriptions', 'subscription_id', {
      ...elsewhere,
      customer_id: 'customer_id1',
      next_billing_date: '2026-01-20T00:00:00Z',
    })
    await copied('accounts', 'account_id', {})
    await copied('grants', 'grant_id', { expires_at: '2099-01-01T00:00:00Z' })
    await store.db.query(sql`
      insert into processor_news (business_id, mode, news_id, customer_id, payment_id, due_at)
      select ${scope.businessId}, ${scope.mode}, 'news_' || n, ${customerId}, 'pay_one', '2099-01-01'
      from generate_series(1, ${count}::integer) n`)
    await store.db.query(sql`analyze`)
  }, 120_000)
  afterAll(() => store.drop())

  /** Copies the table's row, each a minute older than the one before it. */
  async function copied(table: string, id: string, differs: object): Promise<void> {
    const names = await store.db.query<{ name: string }>(sql`
      select attname::text as name from pg_attribute
      where attrelid = ${table}::regclass and attnum > 0 and not attisdropped`)
    const of = names.map(({ name }) => name)
    const whose = table === 'accounts' ? `, 'customer_id', 'customer_id' || n` : ''
    const own = `jsonb_build_object('${id}', '${id}' || n, 'number', 1 + n${whose})`
    const older = `jsonb_build_object('created_at', one.created_at - n * interval '1 min')`
    await store.db.query({
      text: `with one as (select * from ${table} limit 1)
        insert into ${table} (${of.join(', ')})
        select ${of.map((name) => `made.${name}`).join(', ')}
        from one cross join generate_series(1, ${count}) n
        cross join lateral jsonb_populate_record(
          one::${table}, $1::jsonb || ${own} || ${older}) made`,
      values: [JSON.stringify(differs)],
    })
  }

  /** How many rows were looked at for what is asked. */
  async function looked(ask: (db: Db) => Promise<unknown>): Promise<number> {
    let rows = 0
    const spying: Db = {
      ...store.db,
      query: async <Row>({ text, values }: Statement): Promise<readonly Row[]> => {
        const explain = { text: `explain (analyze, format json) ${text}`, values }
        const [plan] = await store.db.query<{ 'QUERY PLAN': readonly { Plan: Plan }[] }>(explain)
        rows += (plan?.['QUERY PLAN'] ?? []).reduce((sum, { Plan }) => sum + readBy(Plan), 0)
        return store.db.query<Row>({ text, values })
      },
    }
    await ask(spying)
    return rows
  }

  /** How many rows of a table the work reads, in functions of the store, too. */
  async function read(table: string, work: (tx: Db) => Promise<void>): Promise<number> {
    return store.db.transaction(async (tx) => {
      const before = await soFar(tx)
      await work(tx)
      return (await soFar(tx)) - before
    })

    /** Of the connection, since it last told the server. */
    async function soFar(tx: Db): Promise<number> {
      const [row] = await tx.query<{ rows: number }>(sql`
        select seq_tup_read + idx_tup_fetch as rows from pg_stat_xact_user_tables
        where relname = ${table}`)
      return row?.rows ?? Number.NaN
    }
  }

  it.each([
    ['payments', (db: Db) => payments(db).list(scope, anyPayment, page)],
    [
      'payments of a rare status',
      (db: Db) => payments(db).list(scope, { ...anyPayment, status: 'failed' }, page),
    ],
    [
      'payments of a rare currency',
      (db: Db) => payments(db).list(scope, { ...anyPayment, currency: 'JPY' }, page),
    ],
    [
      'payments of a rare product',
      (db: Db) => payments(db).list(scope, { ...anyPayment, productId: 'pdt_few' }, page),
    ],
    [
      'payments of a customer',
      (db: Db) => payments(db).list(scope, { ...anyPayment, customerId: 'cus_x' }, page),
    ],
    ['subscriptions', (db: Db) => subscriptions(db).list(scope, anySubscription, page)],
    [
      'subscriptions of a rare status',
      (db: Db) => subscriptions(db).list(scope, { ...anySubscription, status: 'on_hold' }, page),
    ],
    [
      'customers',
      (db: Db) => customers(db).list(scope, { email: null, name: null, ...created }, page),
    ],
  ])('a page of %s reads no more than the page', async (_, ask) => {
    expect(await looked(ask)).toBeLessThanOrEqual(2 * page.limit)
  })

  it.each([
    ['all businesses', () => null],
    ['one business', () => scope],
    ['one customer', () => ({ ...scope, customerId: 'customer_id7' })],
  ])('what is due in %s is found without reading what is not', async (_, whose) => {
    // Accounts have cycles of their own where their entitlement has links.
    await store.db.query(sql`update credit_entitlements set stretches = '[{}]'`)
    const due = (at: Instant) => (db: Db) => boundaries(db).due(at, whose(), 5)
    expect(await due(soon)(store.db)).toEqual([])
    expect(await looked(due(soon))).toBeLessThan(20)
    expect(await due(muchLater)(store.db)).not.toEqual([])
    // By a clock that runs ahead, too, over moments at which much is due elsewhere.
    await store.db.query(sql`
      update business_modes set clock_ahead_us = ${10 * day}
      where (business_id, mode) = (${scope.businessId}, ${scope.mode})`)
    expect(await due(soon)(store.db)).toEqual([])
    expect(await looked(due(soon))).toBeLessThan(20)
  })

  it('the ends of months are found at once, and not before, however many there are', async () => {
    await store.db.query(sql`update credit_entitlements set stretches = '[{}]'`)
    await store.db.query(sql`update business_modes set clock_ahead_us = 0`)
    const [own] = await store.db.query<{ at: Instant }>(sql`
      select min(own_cycle_at) + interval '1 month' as at from accounts`)
    const end = own?.at ?? instantOf(0)
    const due = (at: Instant) => (db: Db) => boundaries(db).due(at, scope, 5)
    const [before, at] = [due(instantOf(end - 1)), due(end)]
    const ends = (all: readonly { readonly kind: string }[]) =>
      all.filter(({ kind }) => kind === 'own_cycle_end')
    expect(ends(await before(store.db))).toEqual([])
    expect(await looked(before)).toBeLessThan(40)
    expect(ends(await at(store.db))).not.toEqual([])
    expect(await looked(at)).toBeLessThan(60)
    const others = (await boundaries(store.db).due(end, null, 5)).map(scopeOf)
    expect(ends(await boundaries(store.db).due(end, { except: others }, 5))).not.toEqual([])
    const one = { ...scope, customerId: 'customer_id7' }
    expect(ends(await boundaries(store.db).due(end, one, 5))).toHaveLength(1)
  })

  it('what is due elsewhere is found behind all that a business has to do', async () => {
    const all = await boundaries(store.db).due(muchLater, null, 4 * count)
    const [first] = all.map(scopeOf)
    const elsewhere = all.filter((each) => scopeOf(each).businessId !== first?.businessId)
    expect(elsewhere.length).toBeGreaterThan(0)
    const few = (await boundaries(store.db).due(muchLater, null, 10)).map(scopeOf)
    expect(few).toEqual(Array.from({ length: 10 }, () => first))
    const others = await boundaries(store.db).due(muchLater, { except: few }, 10)
    expect(others).toHaveLength(10)
    expect(others.map(scopeOf)).not.toContainEqual(first)
    expect(await boundaries(store.db).due(muchLater, { except: all.map(scopeOf) }, 10)).toEqual([])
  })

  it('settling looks at each word of an account once [machines#settling]', async () => {
    const words = 300
    await store.db.query(sql`update credit_entitlements set stretches = '[]'`)
    await store.db.query(sql`
      update accounts set entries = 2 * ${count}::integer, grants = 2 * ${count}::integer`)
    await store.db.query(sql`
      insert into unsettled (business_id, mode, customer_id, entitlement_id)
      select a.business_id, a.mode, a.customer_id, a.entitlement_id
      from accounts a cross join generate_series(1, case
        when a.customer_id = ${key.customerId} then ${words}::integer else 2 end)`)
    await store.db.query(sql`analyze unsettled`)
    const change = await granting(store, key)
    expect(change.unsettled).toHaveLength(words)
    const looks = await read('unsettled', async (tx) => {
      expect(await changes(tx).commitEach([change])).toEqual(new Set([change.accountId]))
    })
    expect(looks).toBeLessThanOrEqual(3 * words)
  })

  it('settling finds what is due first without reading all that waits', async () => {
    const looks = await read('unsettled', async (tx) => {
      expect(await accounts(tx).due(20, 0, null)).toHaveLength(20)
    })
    expect(looks).toBeGreaterThan(0)
    expect(looks).toBeLessThanOrEqual(2 * 500)
    const looksOfEach = await read('unsettled', async (tx) => {
      const whose = { share: null, except: { ...scope, mode: 'live' as const } }
      expect(await accounts(tx).dueOfEach(20, 0, whose)).toHaveLength(20)
    })
    // Of one business there are that many words, and a few more are read to find the next one.
    expect(looksOfEach).toBeGreaterThan(0)
    expect(looksOfEach).toBeLessThanOrEqual(3 * 500)
  })

  it('an account is read without a look at the others', async () => {
    const looks = await read('accounts', async (tx) => {
      expect(await accounts(tx).load([key])).toHaveLength(1)
    })
    expect(looks).toBeGreaterThan(0)
    expect(looks).toBeLessThan(20)
  })

  it('sums give up as soon as there is too much to sum up', async () => {
    const since = instantOf(0)
    const most = 100
    expect(await looked((db) => payments(db).taken(scope, since, most))).toBeLessThan(5 * most)
    expect(await looked((db) => ledger(db).moved(scope, since, most))).toBeLessThan(5 * most)
    expect(await payments(store.db).taken(scope, since, most)).toBeNull()
    expect(await payments(store.db).taken(scope, after(decidedAt, -day), 10_000)).toEqual([
      { currency: 'EUR', amount: 999 * 1_441, payments: 1_441 },
    ])
  })
})
