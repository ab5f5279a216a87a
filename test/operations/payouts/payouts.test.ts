import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDispute } from '../../../src/operations/disputes/open-dispute.ts'
import { createPayout } from '../../../src/operations/payouts/create-payout.ts'
import { markPayout } from '../../../src/operations/payouts/mark-payout.ts'
import { readBreakup, readPaidEntries } from '../../../src/operations/payouts/read-payouts.ts'
import { createRefund } from '../../../src/operations/refunds/create-refund.ts'
import type { Scope } from '../../../src/parts/store/scope.ts'
import type { PayoutMark } from '../../../src/rules/commerce/payouts/payout.ts'
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

const all = { limit: 1_000, offset: 0 }
const anything = {
  currency: null,
  eventType: null,
  referenceId: null,
  createdFrom: null,
  createdTo: null,
}
const mark = (payoutId: string, status: PayoutMark, remarks: string | null = null) =>
  markPayout(store, { payoutId, status, remarks, payer: null })

const seller = () => sellerWithFees(store)

const entriesOf = async (scope: Scope) =>
  (await store.balances.entries(scope, anything, all)).toReversed()

const differences = (scope: Scope) => differencesOf(store, scope)

async function told({ businessId }: Scope): Promise<readonly string[]> {
  const rows = await store.db.query<{ type: string }>({
    text: `select type from outbox where business_id = $1 and type like 'payout.%' order by id`,
    values: [businessId],
  })
  return rows.map(({ type }) => type)
}

describe('payouts', () => {
  it('pay what the ledger holds, each entry once, and leave it at 0 [payouts#payouts]', async () => {
    const { scope, products } = await seller()
    await expect(createPayout(store, scope, 'EUR')).rejects.toThrow('nothing to pay out')
    const { paymentId } = await bought(store, scope, { products })
    await createRefund(store, scope, asked({ paymentId }))
    await bought(store, scope, { products })
    const disputed = await bought(store, scope, { products })
    await openDispute(store, {
      paymentId: disputed.paymentId,
      amount: 100,
      reason: null,
      stage: 'dispute',
    })
    const first = await createPayout(store, scope, 'EUR')
    // 3 × (999 − 105) − 999 − 7 − 100 = 1576, of which 1 % and 2 are the fee.
    expect(first).toMatchObject({
      status: 'not_initiated',
      amount: 1_558,
      fee: 18,
      refunds: 999,
      chargebacks: 100,
      fromEntry: 1,
      toEntry: 10,
    })
    expect(await readBreakup(store, scope, first.payoutId)).toEqual([
      { eventType: 'payment', total: 2_997 },
      { eventType: 'payment_fees', total: -315 },
      { eventType: 'refund', total: -999 },
      { eventType: 'refund_fees', total: -7 },
      { eventType: 'dispute', total: -100 },
      { eventType: 'payout_fees', total: -18 },
    ])
    const pages = await Promise.all(
      [0, 4, 8, 12].map((offset) =>
        readPaidEntries(store, scope, {
          page: { limit: 4, offset },
          payoutId: first.payoutId,
        }),
      ),
    )
    expect(pages.map((page) => page.map(({ number }) => number))).toEqual([
      [1, 2, 3, 4],
      [5, 6, 7, 8],
      [9, 10],
      [],
    ])
    expect((await entriesOf(scope)).at(-1)).toMatchObject({
      number: 11,
      eventType: 'payout',
      amount: 1_558,
      balanceAfter: 0,
    })
    await expect(createPayout(store, scope, 'EUR')).rejects.toThrow('nothing to pay out')
    await bought(store, scope, { products })
    const second = await createPayout(store, scope, 'EUR')
    expect([second.fromEntry, second.toEntry, second.amount]).toEqual([12, 14, 883])
    expect(
      await store.payouts.list(scope, { createdFrom: null, createdTo: null }, all),
    ).toHaveLength(2)
    expect(await store.payouts.get({ ...scope, mode: 'live' }, second.payoutId)).toBe(null)
    await expect(readBreakup(store, await store.business(), second.payoutId)).rejects.toThrow(
      'There is no payout',
    )
    expect(await differences(scope)).toEqual([])
  })

  it('take their states from the operator, and failed ones come back [payouts#states]', async () => {
    const { scope, products } = await seller()
    await bought(store, scope, { products })
    const { amount, fee, payoutId } = await createPayout(store, scope, 'EUR')
    expect((await mark(payoutId, 'on_hold', 'papers')).remarks).toBe('papers')
    expect((await mark(payoutId, 'in_progress')).remarks).toBe('papers')
    const begun = await store.payouts.get(scope, payoutId)
    expect(await mark(payoutId, 'in_progress')).toEqual(begun)
    await mark(payoutId, 'failed')
    await mark(payoutId, 'failed')
    await expect(mark(payoutId, 'success')).rejects.toThrow('is failed already')
    const last = (await entriesOf(scope)).slice(-2)
    expect(last.map(({ eventType, amount: moved }) => [eventType, moved])).toEqual([
      ['payout_reversal', amount],
      ['payout_fees_reversal', fee],
    ])
    const again = await createPayout(store, scope, 'EUR')
    expect([again.amount, again.fee]).toEqual([amount, fee])
    await mark(again.payoutId, 'success')
    await mark(again.payoutId, 'success')
    await expect(mark(again.payoutId, 'failed')).rejects.toThrow('is success already')
    expect(await store.invoices.get(scope, 'payout', payoutId)).toBe(null)
    expect(await store.invoices.get(scope, 'payout', again.payoutId)).toMatchObject({
      number: 1,
      paper: { total: amount },
    })
    await expect(mark('pyt_x', 'success')).rejects.toThrow('There is no payout')
    expect(await told(scope)).toEqual([
      'payout.created',
      'payout.on_hold',
      'payout.in_progress',
      'payout.failed',
      'payout.created',
      'payout.success',
    ])
    expect(await differences(scope)).toEqual([])
  })

  it('at once with payments and each other pay every entry once [payouts#payouts]', async () => {
    const { scope, products } = await seller()
    const needs = [store, ...Array.from({ length: 3 }, () => ({ ...store, ...store.another() }))]
    await bought(store, scope, { products })
    const made = await Promise.allSettled(
      Array.from({ length: 24 }, (_, index) => {
        const one = needs[index % needs.length] ?? store
        return index % 3 === 0
          ? createPayout(one, scope, 'EUR')
          : bought(one, scope, { products }).then(() => null)
      }),
    )
    const refused = made.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
    expect(refused.filter((reason) => !reason.includes('nothing to pay out'))).toEqual([])
    const payouts = await store.payouts.list(scope, { createdFrom: null, createdTo: null }, all)
    expect(payouts.length).toBe(8 - refused.length)
    const marks = await Promise.allSettled(
      payouts.flatMap(({ payoutId }) => [mark(payoutId, 'success'), mark(payoutId, 'failed')]),
    )
    expect(marks.filter(({ status }) => status === 'fulfilled')).toHaveLength(payouts.length)
    expect(await differences(scope)).toEqual([])
  })

  it('whose process dies are there or are not, and a repeat pays nothing twice', async () => {
    const { scope, products } = await seller()
    await bought(store, scope, { products })
    const dying = (writes: boolean) => ({
      ...store,
      changes: {
        async commit(change: Parameters<typeof store.changes.commit>[0]) {
          if (writes) await store.changes.commit(change)
          throw new Error('gone')
        },
      },
    })
    await expect(createPayout(dying(false), scope, 'EUR')).rejects.toThrow('gone')
    expect(await entriesOf(scope)).toHaveLength(2)
    await expect(createPayout(dying(true), scope, 'EUR')).rejects.toThrow('gone')
    await expect(createPayout(store, scope, 'EUR')).rejects.toThrow('nothing to pay out')
    const last = await store.payouts.last(scope, 'EUR')
    const payoutId = last?.payoutId ?? ''
    const failed = { payoutId, status: 'failed', remarks: null, payer: null } as const
    await expect(markPayout(dying(true), failed)).rejects.toThrow('gone')
    await markPayout(store, failed)
    expect(await entriesOf(scope)).toHaveLength(6)
    expect(await told(scope)).toEqual(['payout.created', 'payout.failed'])
    expect(await differences(scope)).toEqual([])
  })

  it.each([
    ['update payouts set amount = amount + 1', 'add up to'],
    ['update payouts set fee = fee + 1', 'which was'],
    ['update payouts set refunds = 7', 'of refunds'],
    ['update payouts set from_entry = 2', 'begins with entry 2'],
    ['update payouts set to_entry = to_entry - 1', 'is not its own'],
    ["update payouts set status = 'failed'", 'its payout is failed'],
    ['delete from payouts', 'which was 0'],
    ['delete from invoices', 'has no invoice'],
    ['update invoices set number = 3', 'should have 1'],
    ['update invoice_counters set last_number = 5', 'is at 5, but the last is 1'],
    [
      `update invoices set paper = jsonb_set(paper, '{lines,0,amount}', '1')`,
      'its lines are [[1, 0]]',
    ],
    [`update invoices set paper = jsonb_set(paper, '{total}', '1')`, 'it says 1 with'],
    [`update invoices set subject_id = subject_id || 'x'`, 'there is no such'],
  ])('are found bent after: %s', async (statement, found) => {
    const { scope, products } = await seller()
    await bought(store, scope, { products })
    await mark((await createPayout(store, scope, 'EUR')).payoutId, 'success')
    expect(await differences(scope)).toEqual([])
    const kind = /invoice/.test(statement) ? ` and kind = 'payout'` : ''
    const values = [scope.businessId]
    await store.db.query({ text: `${statement} where business_id = $1${kind}`, values })
    expect((await differences(scope)).join('\n')).toContain(found)
  })
})
