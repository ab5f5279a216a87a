import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { markPayment } from '../../../src/operations/payments/mark-payment.ts'
import { createRefund } from '../../../src/operations/refunds/create-refund.ts'
import { markRefund } from '../../../src/operations/refunds/mark-refund.ts'
import type { Scope } from '../../../src/parts/store/scope.ts'
import { storedBalance } from '../../../src/rules/accounts/account.ts'
import { day, instantOf } from '../../../src/std/instant.ts'
import { asked } from '../../rules/commerce/refunds/refunding.ts'
import { bought, soldOnce } from '../../support/payments/buying.ts'
import { differencesOf } from '../../support/store/differences.ts'
import type { ScratchStore } from '../../support/store/scratch-store.ts'
import { atMoment, january, scratchStore } from '../../support/store/scratch-store.ts'
import { subscribed, untilThen } from '../payments/subscribing.ts'

let store: ScratchStore
beforeAll(async () => {
  store = await scratchStore()
})
afterAll(() => store.drop())

const refund = (scope: Scope, paymentId: string, more: Parameters<typeof asked>[0] = {}) =>
  createRefund(store, scope, asked({ paymentId, ...more }))

const payment = async (scope: Scope, paymentId: string) => {
  const found = await store.payments.get(scope, paymentId)
  if (found === null) throw new Error('no payment')
  return found
}

async function paid(mode: Scope['mode'] = 'test') {
  const scope = { ...(await store.business()), mode }
  const entitlementId = await store.entitlement(scope)
  const productId = await soldOnce(store, scope, { entitlementId })
  const made = await bought(store, scope, { products: [productId] })
  return { scope, entitlementId, productId, paymentId: made.paymentId, made }
}

describe('refunds', () => {
  it('never give back more than was paid, whatever races [refunds#what-is-left]', async () => {
    const { scope, paymentId, productId } = await paid()
    const needs = [store, ...Array.from({ length: 3 }, () => ({ ...store, ...store.another() }))]
    const asking = Array.from({ length: 24 }, (_, index) => {
      const amount = [100, 333, 700][index % 3] ?? 1
      const items = index % 8 === 7 ? null : [{ itemId: productId, amount, taxInclusive: true }]
      const desk = needs[index % needs.length] ?? store
      return createRefund(desk, scope, asked({ paymentId, items })).then(
        ({ refund }) => refund.amount,
        (error: { readonly code: string }) => error.code,
      )
    })
    const answers = await Promise.all(asking)
    const given = answers.filter((answer) => typeof answer === 'number')
    const refunds = await store.refunds.ofPayment(scope, paymentId)
    const sum = refunds.reduce((all, { amount }) => all + amount, 0)
    expect(given.reduce((all, amount) => all + amount, 0)).toBe(sum)
    expect(refunds).toHaveLength(given.length)
    expect(sum).toBeLessThanOrEqual(999)
    expect(sum).toBeGreaterThan(0)
    expect(new Set(answers.filter((answer) => typeof answer === 'string'))).toEqual(
      new Set(
        answers.filter((answer) =>
          ['LINE_ITEM_REFUND_AMOUNT_TOO_HIGH', 'PAYMENT_ALREADY_REFUNDED'].includes(String(answer)),
        ),
      ),
    )
    const { refundStatus } = await payment(scope, paymentId)
    expect(refundStatus).toBe(sum === 999 ? 'full' : 'partial')
  })

  it('with a key are one, however often and from where they are asked for [refunds#keys]', async () => {
    const { scope, paymentId, productId } = await paid()
    const items = [{ itemId: productId, amount: 333, taxInclusive: true }]
    const needs = [store, { ...store, ...store.another() }]
    const wanted = { items, metadata: { b: '1', a: '2' }, idempotencyKey: 'ticket 7' }
    const again = (more: Parameters<typeof asked>[0] = {}, desk = needs[0] ?? store) =>
      createRefund(desk, scope, asked({ paymentId, ...wanted, ...more }))
    const at = Array.from({ length: 8 }, (_, index) => again({}, needs[index % 2]))
    const ids = (await Promise.all(at)).map(({ refund }) => refund.refundId)
    expect(new Set(ids).size).toBe(1)
    await refund(scope, paymentId)
    const { refund: late } = await again({ metadata: { a: '2', b: '1' } })
    expect(late).toMatchObject({ refundId: ids[0], amount: 333, isPartial: true })
    for (const other of [{ items: null }, { reason: 'r' }, { metadata: {} }]) {
      await expect(again(other)).rejects.toMatchObject({ code: 'CONFLICT' })
    }
    const amounts = (await store.refunds.ofPayment(scope, paymentId)).map(({ amount }) => amount)
    expect(amounts.toSorted()).toEqual([333, 666])
    await expect(again({ idempotencyKey: 'ticket 8' })).rejects.toMatchObject({
      code: 'PAYMENT_ALREADY_REFUNDED',
    })
    const elsewhere = await paid()
    const theirs = await createRefund(
      store,
      elsewhere.scope,
      asked({ paymentId: elsewhere.paymentId, idempotencyKey: 'ticket 7' }),
    )
    expect(theirs.refund.refundId).not.toBe(ids[0])
  })

  it('take back what is left of the credits of a payment, once all of it went back [refunds#credits]', async () => {
    const { scope, entitlementId, paymentId, productId, made } = await paid()
    const { customerId } = made
    const key = { ...scope, customerId, entitlementId }
    const balance = async () => {
      const [view] = await store.accounts.load([key])
      const account = view?.stored?.account
      return account === undefined ? null : Number(storedBalance(account))
    }
    expect(await balance()).toBe(100)
    await refund(scope, paymentId, {
      items: [{ itemId: productId, amount: 500, taxInclusive: true }],
    })
    expect(await balance()).toBe(100)
    const { refund: rest } = await refund(scope, paymentId)
    expect(rest).toMatchObject({ amount: 499, isPartial: true, status: 'succeeded' })
    expect(await balance()).toBe(0)
    const [view] = await store.accounts.load([key])
    const [entry] = await store.ledger.entries(
      view?.stored?.accountId ?? '',
      { type: 'refund', from: null, to: null },
      { limit: 9, offset: 0 },
    )
    expect(entry).toMatchObject({
      isCredit: false,
      amount: '100',
      balanceAfter: '0',
      referenceType: 'payment',
      referenceId: paymentId,
    })
  })

  it('take back credits that have rolled over, and those of no other payment [refunds#credits]', async () => {
    const rolling = { rolloverEnabled: true, rolloverPercentage: 50, maxRolloverCount: 5 }
    const price = { frequency: { count: 1, interval: 'Week' } as const }
    const of = await subscribed(store, { price, mapping: rolling })
    const third = instantOf(january + 15 * day)
    await untilThen(store, of.scope, third)
    const [first, second] = await of.payments()
    // 100 of this week, half of last week's, and half of half of the first one's.
    expect(await of.balance()).toBe(175)
    const late = atMoment(third, store)
    await createRefund(late, of.scope, asked({ paymentId: first?.paymentId ?? '' }))
    expect(await of.balance()).toBe(150)
    await createRefund(late, of.scope, asked({ paymentId: second?.paymentId ?? '' }))
    expect(await of.balance()).toBe(100)
    expect(await differencesOf(store, of.scope)).toEqual([])
  })

  it('wait in live mode for the operator, one at a time [refunds#states]', async () => {
    const { scope, paymentId, productId } = await paid('live')
    await expect(refund(scope, paymentId)).rejects.toMatchObject({ code: 'PAYMENT_NOT_SUCCEEDED' })
    await markPayment(store, paymentId, { status: 'succeeded' })
    const items = [{ itemId: productId, amount: 9, taxInclusive: true }]
    const { refund: first } = await refund(scope, paymentId, { items })
    expect(first.status).toBe('pending')
    await expect(refund(scope, paymentId)).rejects.toMatchObject({
      code: 'EXISTING_REFUND_REQUEST_PROCESSING',
    })
    expect((await payment(scope, paymentId)).refundStatus).toBeNull()
    expect((await markRefund(store, first.refundId, 'failed')).status).toBe('failed')
    const failed = await store.refunds.get(scope, first.refundId)
    expect(await markRefund(store, first.refundId, 'failed')).toEqual(failed)
    await expect(markRefund(store, first.refundId, 'succeeded')).rejects.toThrow('failed already')
    const { refund: second } = await refund(scope, paymentId)
    expect(second).toMatchObject({ amount: 999, isPartial: false })
    const marks = Array.from({ length: 6 }, (_, index) =>
      markRefund(store, second.refundId, index % 2 === 0 ? 'succeeded' : 'failed').then(
        ({ status }) => status,
        () => 'refused',
      ),
    )
    const said = new Set(await Promise.all(marks))
    const { status } = (await store.refunds.get(scope, second.refundId)) ?? { status: null }
    expect(said).toEqual(new Set(['refused', status]))
    const { refundStatus } = await payment(scope, paymentId)
    expect(refundStatus).toBe(status === 'succeeded' ? 'full' : null)
    const facts = await factsOf(scope, second.refundId)
    expect(facts).toEqual([`refund.${String(status)}`])
  })

  it('are refused after their window, and of payments of others [refunds#refusals]', async () => {
    const { scope, paymentId } = await paid()
    const other = await store.business()
    await expect(refund(other, paymentId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(refund({ ...scope, mode: 'live' }, paymentId)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    const late = atMoment(instantOf(january + 31 * day), store)
    await expect(createRefund(late, scope, asked({ paymentId }))).rejects.toMatchObject({
      code: 'REFUND_WINDOW_EXPIRED',
    })
    const longer = { ...late, refundWindow: 32 * day }
    const { refund: made } = await createRefund(longer, scope, asked({ paymentId }))
    expect(made.status).toBe('succeeded')
  })
})

async function factsOf(scope: Scope, refundId: string): Promise<readonly string[]> {
  const rows = await store.db.query<{ type: string }>({
    text: `select type from outbox where business_id = $1
      and data #>> '{refund,refundId}' = $2`,
    values: [scope.businessId, refundId],
  })
  return rows.map(({ type }) => type)
}
