import { join } from 'node:path'
import { startPostgres } from '../../../src/parts/store/embedded/postgres.ts'
import type { Db } from '../../../src/parts/store/postgres/connection/client.ts'
import { openDb } from '../../../src/parts/store/postgres/connection/client.ts'
import type { Statement } from '../../../src/parts/store/postgres/connection/sql.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import { openLogger } from '../../../src/runtime/logger.ts'
import type { Shop } from '../../../test/support/console/shop.ts'

/** How much of everything a business has. */
export interface Crowd {
  readonly customers: number
  readonly payments: number
  /** Entries of credit ledgers; a hundredth of them are one customer's. */
  readonly entries: number
}

export interface MultiplyOptions {
  readonly dataDir: string
  readonly shop: Shop
  readonly crowd: Crowd
}

/**
 * Makes many of what the shop has one of, by copies of its rows in the store of a data directory
 * that nobody serves: each a second older than the one before it. What is copied lists and reads as
 * the one does; balances are not carried over, so the books of such a store do not balance.
 */
export async function multiply({ dataDir, shop, crowd }: MultiplyOptions): Promise<void> {
  const logger = openLogger({ level: 'warn', part: 'bench' })
  const postgres = await startPostgres({ directory: join(dataDir, 'postgres'), logger })
  const db = openDb({ url: postgres.url, connectionsMax: 1, name: 'sluice bench' })
  // Each copy belongs to what was copied before it: checking that for a million rows takes minutes.
  await db.query(sql`set session_replication_role = replica`)
  for (const copies of [...peopleOf(shop, crowd), ...moneyOf(shop, crowd)]) {
    for (let from = 1; from <= copies.count; from += rowsAtOnce) await copy(db, copies, from)
  }
  await db.query({ text: 'vacuum analyze', values: [] })
  await db.close()
  await postgres.stop(60_000)
}

interface Copies {
  readonly table: Statement
  /** Which row is copied. */
  readonly of: Statement
  readonly count: number
  /** JSON of the columns that differ, by the copy's number `n`, from 1. */
  readonly differs: Statement
}

const rowsAtOnce = 25_000

async function copy(db: Db, { table, of, count, differs }: Copies, from: number): Promise<void> {
  const names = await db.query<{ name: string }>(sql`
    select attname::text as name from pg_attribute
    where attrelid = ${table.text}::regclass and attnum > 0 and not attisdropped order by attnum`)
  const named = (prefix: string): Statement => ({
    text: names.map(({ name }) => `${prefix}${name}`).join(', '),
    values: [],
  })
  const to = Math.min(count, from + rowsAtOnce - 1)
  await db.query(sql`
    with one as (select * from ${table} where ${of} limit 1)
    insert into ${table} (${named('')})
    select ${named('copied.')}
    from one
    cross join generate_series(${from}::integer, ${to}::integer) as n
    cross join lateral jsonb_populate_record(one::${table}, ${differs}
      || jsonb_build_object('created_at', one.created_at - n * interval '1 s')) as copied`)
}

/** The customer of a copy. */
const customer = sql`'cus_' || lpad(n::text, 21, 'k')`

function peopleOf(shop: Shop, { customers, entries }: Crowd): readonly Copies[] {
  const count = customers
  const account = sql`account_id = (
    select account_id from accounts
    where (customer_id, entitlement_id) = (${shop.customer}, ${shop.credit}))`
  return [
    {
      table: sql`customers`,
      of: sql`customer_id = ${shop.customer}`,
      count,
      differs: sql`jsonb_build_object('customer_id', ${customer},
        'name', 'Customer number ' || n, 'email', 'customer-' || n || '@example.com')`,
    },
    {
      table: sql`subscriptions`,
      of: sql`subscription_id = ${shop.subscription}`,
      count,
      differs: sql`jsonb_build_object('customer_id', ${customer},
        'subscription_id', 'sub_' || lpad(n::text, 21, 'k'),
        'status', case when n % 1000 = 0 then 'cancelled' else 'active' end)`,
    },
    {
      table: sql`accounts`,
      of: account,
      count,
      differs: sql`jsonb_build_object('customer_id', ${customer}, 'account_id', 'acc-' || n)`,
    },
    {
      table: sql`grants`,
      of: account,
      count,
      differs: sql`jsonb_build_object('account_id', 'acc-' || n,
        'grant_id', 'cgr_' || lpad(n::text, 21, 'k'))`,
    },
    {
      table: sql`ledger_entries`,
      of: account,
      count: entries,
      differs: sql`jsonb_build_object('entry_id', 'cle_' || lpad(n::text, 21, 'k'), 'number', 1 + n,
        'account_id', case when n % 100 = 0 then one.account_id
          else 'acc-' || (1 + n % ${count}::integer) end,
        'transaction_type', 'credit_deducted', 'is_credit', false, 'amount', 1)`,
    },
    {
      table: sql`license_keys`,
      of: sql`license_key_id = ${shop.license}`,
      count,
      differs: sql`jsonb_build_object('customer_id', ${customer},
        'payment_id', 'pay_' || lpad(n::text, 21, 'k'), 'license_key_id', 'lic_' || lpad(n::text, 21, 'k'), 'key', 'KEY-' || n)`,
    },
  ]
}

function moneyOf(shop: Shop, { customers, payments }: Crowd): readonly Copies[] {
  const payer = sql`'cus_' || lpad((1 + n % ${customers}::integer)::text, 21, 'k')`
  const payment = sql`'pay_' || lpad(n::text, 21, 'k')`
  const few = Math.ceil(payments / 10)
  return [
    {
      table: sql`payments`,
      of: sql`payment_id = ${shop.payment}`,
      count: payments,
      differs: sql`jsonb_build_object('payment_id', ${payment}, 'customer_id', ${payer},
        'dispute_status', null, 'status', case when n % 1000 = 0 then 'failed' else 'succeeded' end)`,
    },
    {
      table: sql`balance_entries`,
      of: sql`reference_id = ${shop.payment} and event_type = 'payment'`,
      count: payments,
      differs: sql`jsonb_build_object('number', 1000 + n, 'reference_id', ${payment},
        'entry_id', 'ble_' || lpad(n::text, 21, 'k'))`,
    },
    {
      table: sql`refunds`,
      of: sql`refund_id = ${shop.refund}`,
      count: few,
      differs: sql`jsonb_build_object('payment_id', ${payment}, 'customer_id', ${payer},
        'refund_id', 'ref_' || lpad(n::text, 21, 'k'))`,
    },
    {
      table: sql`disputes`,
      of: sql`dispute_id = ${shop.dispute}`,
      count: few,
      differs: sql`jsonb_build_object('payment_id', ${payment}, 'customer_id', ${payer},
        'status', 'dispute_won', 'dispute_id', 'dp_' || lpad(n::text, 21, 'k'))`,
    },
  ]
}
