import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { firstProgram } from '../support/money/first-program.ts'
import { openMoneyRun } from '../support/money/run.ts'
import { saidAfter, saidOf } from '../support/store/bent-books.ts'
import type { ScratchStore } from '../support/store/scratch-store.ts'
import { scratchStore } from '../support/store/scratch-store.ts'

/** What the tool brings beside its license key, which is of it. */
const entitlement = `insert into product_entitlements (business_id, mode, entitlement_id, name,
    integration_type, config, metadata, created_at, updated_at)
  select business_id, mode, 'ent_1', 'key', 'license_key', '{}', '{}', created_at, updated_at
  from refunds`
const granted = `insert into entitlement_grants (business_id, mode, grant_id, entitlement_id,
    integration_type, customer_id, brand_id, product_id, payment_id, status, metadata,
    delivered_at, created_at, updated_at)
  select business_id, mode, 'entg_1', 'ent_1', 'license_key', customer_id, brand_id,
    product_ids[1], payment_id, 'Delivered', '{}', paid_at, paid_at, paid_at
  from payments where payment_id in (select payment_id from refunds)`
const keyed = `update license_keys k set grant_id = g.grant_id
  from entitlement_grants g where k.payment_id = g.payment_id`

describe('verify, of whom money belongs to [payouts#ledger, invoices#numbers]', () => {
  let store: ScratchStore

  beforeAll(async () => {
    store = await scratchStore()
    const run = await openMoneyRun(store, firstProgram)
    await run.play()
    for (const text of [entitlement, granted, keyed]) await store.db.query({ text, values: [] })
  })
  afterAll(() => store.drop())

  const ofTool = 'where payment_id in (select payment_id from refunds)'

  test('finds nothing in right books', async () => {
    expect(await saidOf(store.db)).toBe('')
  })

  test.each([
    [`update payments set paid_at = null ${ofTool}`, 'does not say when it was paid'],
    [`update payments set paid_at = paid_at + interval '1 h' ${ofTool}`, 'after its ledger booked'],
    [`update payments set paid_at = paid_at - interval '1 h' ${ofTool}`, 'before it was made'],
    [`update payments set status = 'failed' ${ofTool}`, 'it is failed, but says when it was paid'],
    [`update payments set customer_id = 'cus_x' ${ofTool}`, 'customer cus_x is none of its'],
    [`update payments set subscription_id = 'sub_x' ${ofTool}`, 'subscription sub_x is none of'],
    [
      `update checkout_sessions set request = jsonb_set(request, '{customer}', '{"id": "cus_x"}')`,
      'was made for another customer',
    ],
    ["update refunds set customer_id = 'cus_x'", 'is none of its customer'],
    ["update refunds set brand_id = 'brd_x'", 'its brand, subscription and currency are brd_x'],
    ["update refunds set created_at = created_at - interval '1 y'", 'it is older than its payment'],
    ["update disputes set customer_id = 'cus_x'", 'is none of its customer'],
    ["update disputes set brand_id = 'brd_x'", 'its brand, subscription and currency are brd_x'],
    ["update license_keys set product_id = 'pdt_x'", 'is for another product than its grant'],
    ["update license_keys set customer_id = 'cus_x'", 'is none of the customer of its grant'],
    ['update license_keys set payment_id = null', 'it comes from payment none'],
    ['update license_keys set disabled = true', 'none of its license keys can be used'],
    ["update license_key_instances set license_key_id = 'lic_x'", 'license key lic_x is none of'],
    ["update entitlement_grants set customer_id = 'cus_x'", 'is none of its customer'],
    ["update entitlement_grants set entitlement_id = 'ent_x'", 'there is no entitlement ent_x'],
    ["update entitlement_grants set status = 'x'", 'it is x, was delivered at'],
    ['update entitlement_grants set delivered_at = null', 'was delivered at no time'],
    ["update discount_uses set customer_id = 'cus_x'", 'is no payment of customer cus_x'],
    ['delete from discounts', 'it has uses, but is gone'],
    [
      "update grants set source_id = 'sub_x' where source_type = 'subscription'",
      'sub_x is none of',
    ],
    ["update subscriptions set payment_method_id = 'pm_x'", 'payment method pm_x is none of its'],
    ["update payment_methods set customer_id = 'cus_x'", 'is none of its customer'],
    ['delete from invoice_counters', 'its counter of payment papers is at 0'],
    [paperOf('payment', 'fromWallet', '1'), 'it says that a wallet paid 1, but it paid 0'],
    [paperOf('refund', 'paymentId', '"pay_x"'), 'it names payment pay_x'],
    [paperOf('payout', 'paidOut', '[]'), 'other sums of what was paid out than the ledger'],
    [
      `delete from invoices where number = 2;
      update invoice_counters set last_number = 1 where kind = 'payment'`,
      'this payment has succeeded, but has no invoice',
    ],
  ])('%s: it says so', async (text, expected) => {
    expect(await saidAfter(store.db, text)).toContain(expected)
  })
})

function paperOf(kind: string, field: string, value: string): string {
  return `update invoices set paper = jsonb_set(paper, '{${field}}', '${value}')
    where kind = '${kind}' and number = 1`
}
