import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRefund } from '../../../src/operations/refunds/create-refund.ts'
import type { Scope } from '../../../src/parts/store/scope.ts'
import { asked } from '../../rules/commerce/refunds/refunding.ts'
import { bought, sellerWithFees } from '../../support/payments/buying.ts'
import { differencesOf } from '../../support/store/differences.ts'
import type { ScratchStore } from '../../support/store/scratch-store.ts'
import { scratchStore } from '../../support/store/scratch-store.ts'

let store: ScratchStore
beforeAll(async () => {
  store = await scratchStore()
})
afterAll(() => store.drop())

const anything = {
  currency: null,
  eventType: null,
  referenceId: null,
  createdFrom: null,
  createdTo: null,
}

const entriesOf = async (scope: Scope, filter: object = {}) =>
  store.balances.entries(scope, { ...anything, ...filter }, { limit: 100, offset: 0 })

const differences = (scope: Scope) => differencesOf(store, scope)

describe("the ledger of a business's money", () => {
  it('chains payments, refunds and their fees, each with its cause [payouts#entries]', async () => {
    const { products, scope } = await sellerWithFees(store)
    const { paymentId } = await bought(store, scope, { products })
    await bought(store, scope, { products, card: '4000000000000002' })
    const items = [{ itemId: products[0] ?? '', amount: 400, taxInclusive: true }]
    const { refund } = await createRefund(store, scope, asked({ paymentId, items }))
    const entries = (await entriesOf(scope)).toReversed()
    expect(
      entries.map(({ number, eventType, amount, balanceBefore, balanceAfter, referenceId }) => [
        number,
        eventType,
        amount,
        balanceBefore,
        balanceAfter,
        referenceId,
      ]),
    ).toEqual([
      [1, 'payment', 999, 0, 999, paymentId],
      [2, 'payment_fees', 105, 999, 894, paymentId],
      [3, 'refund', 400, 894, 494, refund.refundId],
      [4, 'refund_fees', 7, 494, 487, refund.refundId],
    ])
    expect(await entriesOf(scope, { currency: 'USD' })).toEqual([])
    expect(await entriesOf(scope, { eventType: 'refund' })).toHaveLength(1)
    expect(await entriesOf(scope, { referenceId: paymentId })).toHaveLength(2)
    expect(await entriesOf({ ...scope, mode: 'live' })).toEqual([])
    expect(await differences(scope)).toEqual([])
  })

  it('stays whole whoever writes at once, and below 0 [payouts#ledger]', async () => {
    const { products, scope } = await sellerWithFees(store)
    const needs = [store, ...Array.from({ length: 3 }, () => ({ ...store, ...store.another() }))]
    const payments = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        bought(needs[index % needs.length] ?? store, scope, { products }),
      ),
    )
    await Promise.all(
      payments.map(({ paymentId }, index) =>
        createRefund(needs[index % needs.length] ?? store, scope, asked({ paymentId })),
      ),
    )
    const [newest] = await entriesOf(scope)
    expect(newest).toMatchObject({ number: 48, balanceAfter: -12 * (105 + 7) })
    expect(await differences(scope)).toEqual([])
  })

  it.each([
    [
      'update balance_entries set amount = amount + 1, balance_after = balance_after + 1 where number = 1',
      'begins with',
    ],
    ['update balance_entries set balance_after = balance_after + 1 where number = 4', 'leaves'],
    ['delete from balance_entries where number = 1', 'follows a gap'],
    ['update business_balances set balance = balance + 1', 'but its entries end at'],
    ['delete from business_balances', 'holds 0 after 0 entries, but its entries end at'],
    ['update refunds set amount = amount + 1', 'which was'],
    ['update refunds set is_partial = true', 'and says that it is a part'],
    ['update payments set refund_status = null', 'refunded: not, and is: full'],
    ["update payments set refund_status = 'partial'", 'refunded: partial, and is: full'],
    ["update payments set dispute_status = 'dispute_won'", 'is dispute_won, and it is none'],
    [
      `update invoices set paper = jsonb_set(paper, '{credited,invoiceId}', '"INV-000099"') where kind = 'refund'`,
      'it takes back INV-000099, but that of its payment is INV-000001',
    ],
    ['delete from refunds', 'which was'],
    [
      "update balance_entries set created_at = created_at + interval '1 day' where number = 1",
      'is older',
    ],
    [
      "update balance_entries set reference_id = 'pay_x' where event_type = 'payment_fees'",
      'a fee of nothing',
    ],
  ])('is found bent after: %s', async (statement, found) => {
    const { products, scope } = await sellerWithFees(store)
    const { paymentId } = await bought(store, scope, { products })
    await createRefund(store, scope, asked({ paymentId }))
    expect(await differences(scope)).toEqual([])
    const [where, joined] = statement.includes('where') ? [' and', ''] : [' where', '']
    await store.db.query({
      text: `${statement}${joined}${where} business_id = $1`,
      values: [scope.businessId],
    })
    expect((await differences(scope)).join('\n')).toContain(found)
  })
})
