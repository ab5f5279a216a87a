import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Program } from '../model/money/program.ts'
import { firstProgram } from '../support/money/first-program.ts'
import { openMoneyRun } from '../support/money/run.ts'
import { saidAfter, saidOf } from '../support/store/bent-books.ts'
import type { ScratchStore } from '../support/store/scratch-store.ts'
import { scratchStore } from '../support/store/scratch-store.ts'

/** A business to which everything about money happens once, and some of it again. */
const program: Program = {
  ...firstProgram,
  steps: [
    ...firstProgram.steps,
    { kind: 'fill', cents: 300 },
    { kind: 'later', seconds: 31 * 86_400 },
    { kind: 'dispute', payment: 2, amount: 200 },
    { kind: 'move', dispute: 1, to: 'challenged' },
    { kind: 'move', dispute: 1, to: 'won' },
    { kind: 'buy', product: 'tool', quantity: 2, code: false, card: 0 },
    { kind: 'refund', payment: 3, part: null },
    { kind: 'payout' },
    { kind: 'mark', payout: 1, to: 'failed' },
  ],
}

/** A flag that the tool brings besides. */
const granted = `
  insert into product_entitlements (business_id, mode, entitlement_id, name, integration_type,
    config, metadata, created_at, updated_at)
  select business_id, mode, 'ent_1', 'flag', 'feature_flag', '{}', '{}', created_at, updated_at
  from refunds limit 1;
  insert into entitlement_grants (business_id, mode, grant_id, entitlement_id, integration_type,
    customer_id, brand_id, product_id, payment_id, status, metadata, delivered_at, created_at,
    updated_at)
  select business_id, mode, 'entg_1', 'ent_1', 'feature_flag', customer_id, brand_id,
    product_ids[1], payment_id, 'Delivered', '{}', paid_at, paid_at, paid_at
  from payments where payment_id in (select payment_id from refunds where is_partial)`

describe('verify, of what rows of money say of each other [payouts#ledger, invoices#what-stands-on-it]', () => {
  let store: ScratchStore

  beforeAll(async () => {
    store = await scratchStore()
    const run = await openMoneyRun(store, program)
    await run.play()
    await store.db.query({ text: granted, values: [] })
  })
  afterAll(() => store.drop())

  test('finds nothing in right books', async () => {
    expect(await saidOf(store.db)).toBe('')
  })

  test('finds it in the books of its business alone', async () => {
    const bent = 'update disputes set stage = status'
    expect(await saidAfter(store.db, bent)).toContain('saying: dis_')
    expect(await saidAfter(store.db, bent, 'bus_other')).toBe('')
  })

  const [earlier, later] = [`- interval '9 d'`, `+ interval '9 d'`]

  test.each([
    [`update balance_entries set created_at = created_at ${later} where number > 20`, 'is booked'],
    [`update business_balances set updated_at = updated_at ${later}`, 'that it was last booked'],
    [`update wallets set created_at = created_at ${earlier}`, 'wallet says that it was made'],
    [`update wallets set updated_at = updated_at ${later}`, 'wallet says that it was made'],
    [`update wallet_entries set created_at = created_at ${earlier}`, 'its entries are of'],
    [`update payouts set created_at = created_at ${earlier}`, 'but its payout was at'],
    [`update payouts set updated_at = updated_at ${later}`, 'but its payout_reversal was at'],
    [`update refunds set updated_at = updated_at ${later}`, 'but its refund was at'],
    [`update refunds set created_at = created_at ${later}`, 'it was changed last at'],
    [`update disputes set created_at = created_at ${later}`, 'but its dispute was at'],
    [`update disputes set updated_at = updated_at ${later}`, 'but its dispute_reversal was at'],
    [`update disputes set answer_by = answer_by ${later}`, 'it is to be answered by'],
    [`update invoices set issued_at = issued_at ${earlier}`, 'it is issued at'],
    [`update discount_uses set used_at = used_at ${later}`, 'it was used for pay_'],
    [`update discounts set created_at = created_at ${later}`, 'but it was made'],
    [`update discounts set deleted_at = created_at ${earlier}`, 'it was deleted at'],
    [`update payments set created_at = created_at ${earlier}`, 'but its session was made at'],
    [`update payments set updated_at = updated_at - interval '1 y'`, 'it was made or paid at'],
    [`update checkout_sessions set expires_at = expires_at ${later}`, 'it expires at'],
    [`update checkout_sessions set completed_at = created_at ${earlier}`, 'it was completed at'],
    [`update checkout_sessions set completed_at = now() + interval '9 y'`, 'but it was completed'],
    [`update license_keys set created_at = created_at ${earlier}`, 'but it was paid at'],
    [`update license_keys set created_at = created_at ${later}`, 'it was changed last at'],
    [`update license_key_instances set created_at = created_at ${earlier}`, 'its license key was'],
    [`update license_key_instances set created_at = created_at ${later}`, 'its license key was'],
    [`update entitlement_grants set created_at = created_at ${earlier}`, 'but it was paid at'],
    [`update entitlement_grants set delivered_at = delivered_at ${later}`, 'made, delivered or'],
    [`update entitlement_grants set delivered_at = delivered_at ${earlier}`, 'but it was made at'],
    [
      `update entitlement_grants set revoked_at = updated_at`,
      'it is Delivered, but was delivered at',
    ],
  ])('of moments: %s', async (text, expected) => {
    expect(await saidAfter(store.db, text)).toContain(expected)
  })

  test.each([
    [`update payments set billing = jsonb_set(billing, '{city}', '"x"')`, 'other addresses'],
    [documentOf('customerBusinessName', '"x"'), 'its invoice says other companies'],
    [documentOf('taxId', '"x"'), 'its invoice says other tax numbers'],
    [documentOf('card', 'null'), 'its invoice says other cards'],
    [documentOf('discounts', '[]'), 'its invoice says other discounts'],
    [documentOf('purpose', '"x"'), 'it is for x, which nothing is for'],
    [documentOf('products', '[]'), 'it says that it is of pdt_'],
    [documentOf('errorCode', '"x"'), 'it is succeeded, and fails with x'],
    [documentOf('holdsUses', 'false'), 'says that it uses up codes: false; it uses 1'],
    [documentOf('lines,0,tax', '0'), 'its lines are'],
    ["update payments set product_ids = '{pdt_x}'", 'it says that it is of pdt_x'],
    ['update payments set subscription_id = null', 'it is a renewal of no subscription'],
    ["update payments set session_id = session_id || 'x'", 'there is no session cks_'],
    ['update payments set session_id = null', 'there is no payment pay_'],
    ["update refunds set lines = jsonb_set(lines, '{0,amount}', '1')", 'its lines are 1 with'],
    ["update checkout_sessions set payment_id = 'pay_x'", 'there is no payment pay_x of it'],
    ['update checkout_sessions set payment_id = null', 'it is completed, but nobody has paid it'],
    ['update checkout_sessions set completed_at = null', 'which is not completed'],
    [requestOf('products,0,productId', '"pdt_x"'), 'it is about other products than its payment'],
    [requestOf('products', '"x"'), 'it is about other products than its payment'],
    [requestOf('customer', '{"id": "cus_x"}'), 'it is about other customers than its payment'],
    [requestOf('settles', '{"subscriptionId": "x"}'), 'it is about other subscriptions than'],
    ["update disputes set stage = 'x'", 'its stage is x, which is none'],
    ['update disputes set resolved_rapidly = true', 'it was given back at once, but is dispute_'],
    [paperOf('payment', 'buyer,billing,city', '"x"'), 'its invoice says other addresses'],
    [paperOf('payment', 'card', 'null'), 'its invoice says other cards'],
    [paperOf('payment', 'isReverseCharged', 'true'), 'that its buyer owes the tax'],
    [paperOf('payment', 'discounts', '[]'), 'its invoice says other discounts'],
    [paperOf('refund', 'seller,name', '"x"'), 'its credit note has another seller'],
    [paperOf('refund', 'buyer,name', '"x"'), 'its credit note has another buyer'],
    [paperOf('refund', 'language', '"x"'), 'its credit note has another language'],
    [paperOf('refund', 'credited', 'null'), 'does not say what it takes back'],
    ["update license_keys set source = 'x'", 'it comes from x, which is nowhere'],
    ["update license_keys set source = 'import'", 'it comes from import, with payment pay_'],
    ["update license_keys set source = 'manual'", 'it comes from manual, with payment pay_'],
    ["update license_keys set brand_id = 'x'", 'its brand is x, and that of its payment bus_'],
    ['update license_keys set expires_at = created_at', 'but ends with its subscription'],
    ['update license_keys set subscription_id = null', 'it is of no subscription, but of the'],
    ["update entitlement_grants set brand_id = 'x'", 'its brand is x, and that of its payment'],
    ["update entitlement_grants set error_code = 'x'", 'it is Delivered, but says x of a delivery'],
    ["update entitlement_grants set oauth_url = 'x'", 'it is Delivered, but says x of a delivery'],
    ["update discounts set type = 'x'", 'it is x for any, which is no kind of code'],
    ["update discounts set customer_eligibility = 'x'", 'for x, which is no kind of code'],
  ])('of words: %s', async (text, expected) => {
    expect(await saidAfter(store.db, text)).toContain(expected)
  })
})

function documentOf(field: string, value: string): string {
  return `update payments set document = jsonb_set(document, '{${field}}', '${value}')`
}

function requestOf(field: string, value: string): string {
  return `update checkout_sessions set request = jsonb_set(request, '{${field}}', '${value}')`
}

function paperOf(kind: string, field: string, value: string): string {
  return `update invoices set paper = jsonb_set(paper, '{${field}}', '${value}')
    where kind = '${kind}' and number = 1`
}
