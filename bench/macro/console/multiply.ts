import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import type { Shop } from '../../../test/support/console/shop.ts'
import type { Copies } from '../../harness/copies.ts'
import { copyRows } from '../../harness/copies.ts'
import { accountOf, customer, peopleOf } from '../../harness/people.ts'

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
 * Makes many of what the shop has one of, in the store of a data directory that nobody serves.
 * Balances are not carried over, so the books of such a store do not balance.
 */
export async function multiply({ dataDir, shop, crowd }: MultiplyOptions): Promise<void> {
  await copyRows(dataDir, [
    ...peopleOf(shop, { count: crowd.customers }),
    ...papersOf(shop, crowd),
    ...moneyOf(shop, crowd),
  ])
}

function papersOf(shop: Shop, { customers, entries }: Crowd): readonly Copies[] {
  return [
    {
      table: sql`ledger_entries`,
      of: accountOf(shop),
      count: entries,
      differs: sql`jsonb_build_object('entry_id', 'cle_' || lpad(n::text, 21, 'k'), 'number', 1 + n,
        'account_id', case when n % 100 = 0 then one.account_id
          else 'acc-' || (1 + n % ${customers}::integer) end,
        'transaction_type', 'credit_deducted', 'is_credit', false, 'amount', 1)`,
    },
    {
      table: sql`license_keys`,
      of: sql`license_key_id = ${shop.license}`,
      count: customers,
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
