import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowAlone } from '../../../src/parts/store/changes.ts'
import { day, hour, after as later, minute, second } from '../../../src/std/instant.ts'
import { discount } from '../../rules/commerce/discounts/samples.ts'
import { differencesOf } from '../../support/store/differences.ts'
import type { ScratchStore } from '../../support/store/scratch-store.ts'
import { atMoment, february, january, scratchStore } from '../../support/store/scratch-store.ts'
import { betweenPlans, half, payOnce, slowly } from './between-plans.ts'
import { good, untilThen } from './subscribing.ts'

let store: ScratchStore
beforeAll(async () => {
  store = await scratchStore()
})
afterAll(() => store.drop())

const between = (card = good) => betweenPlans(store, card)

const prevent = { onFailure: 'prevent_change' } as const

describe('a plan change that charges [subscriptions#paying-for-a-change]', () => {
  it.each(['apply_change', 'prevent_change'] as const)(
    'is made with its payment: %s',
    async (onFailure) => {
      const { change, dear, found, preview, ...read } = await between()
      const before = (await read.told()).length
      const seen = await preview({ onFailure })
      expect(await change({ onFailure })).toMatchObject({ status: 'succeeded', totalAmount: 4_000 })
      expect(seen.cart?.total).toBe(4_000)
      const after = await found()
      expect(after).toMatchObject({ productId: dear.productId, dues: null, changing: null })
      expect([after.status, after.previousBillingDate]).toEqual(['active', half])
      expect(await read.balance()).toBe(100)
      expect((await read.told()).slice(before)).toEqual([
        ...(onFailure === 'apply_change' ? ['credit.expired'] : []),
        ...['payment.succeeded', 'subscription.plan_changed'],
        ...(onFailure === 'apply_change' ? [] : ['credit.expired']),
        'credit.added',
      ])
    },
  )

  it('leaves the plan as it was where a failure prevents it', async () => {
    const { change, found, ...read } = await between(payOnce)
    const before = await found()
    const failed = await change(prevent)
    expect(failed).toMatchObject({ status: 'failed', purpose: 'plan_change' })
    const { productId, changing, owed, status } = await found()
    expect({ productId, changing, owed, status }).toEqual({
      productId: before.productId,
      changing: null,
      owed: 0,
      status: 'active',
    })
    expect(await read.balance()).toBe(100)
    expect((await read.told()).at(-1)).toBe('payment.failed')
    expect(await change(prevent, later(half, hour))).toMatchObject({ status: 'failed' })
  })

  it('is made all the same where a failure does not, and owed: no credits, and retries', async () => {
    const { change, dear, found, until, ...read } = await between(payOnce)
    const before = (await read.told()).length
    expect(await change()).toMatchObject({ status: 'failed' })
    expect(await found()).toMatchObject({ productId: dear.productId, status: 'on_hold' })
    expect(await read.balance()).toBe(0)
    const told = (await read.told()).slice(before)
    expect(told.filter((type) => !type.startsWith('dunning'))).toEqual([
      ...['credit.expired', 'payment.failed', 'subscription.on_hold'],
      ...['subscription.plan_changed', 'credit.balance_low'],
    ])
    await until(later(half, 13 * hour))
    const [, , retried] = await read.payments()
    expect(retried).toMatchObject({ totalAmount: 4_000, retryAttempt: 1 })
  })

  it('waits for a slow processor; meanwhile there is no other, and no pause', async () => {
    const { change, dear, found, until, update } = await between()
    expect(await change(prevent, half, slowly)).toMatchObject({ status: 'processing' })
    const pending = { code: 'PENDING_PLAN_CHANGE_EXISTS' }
    await expect(change({ replaces: true })).rejects.toMatchObject(pending)
    const busy = { code: 'PREVIOUS_PAYMENT_PENDING' }
    await expect(update({ status: 'paused' }, half)).rejects.toMatchObject(busy)
    expect((await found()).productId).not.toBe(dear.productId)
    await until(later(half, minute))
    expect(await found()).toMatchObject({ productId: dear.productId, changing: null })
  })

  it('that is made at once tells of it once, and has its credits with the news', async () => {
    const { change, dear, found, until, ...read } = await between()
    expect(await change({}, half, slowly)).toMatchObject({ status: 'processing' })
    expect(await found()).toMatchObject({ productId: dear.productId, status: 'active' })
    expect(await read.balance()).toBe(0)
    await expect(change()).rejects.toMatchObject({ code: 'PENDING_PLAN_CHANGE_EXISTS' })
    await until(later(half, minute))
    expect(await found()).toMatchObject({ dues: null })
    expect(await read.balance()).toBe(100)
    const told = await read.told()
    expect(told.filter((type) => type === 'subscription.plan_changed')).toHaveLength(1)
  })

  it('is given up at the end of the cycle, and what is paid then is owed', async () => {
    const { change, dear, found, until, ...read } = await between()
    const late = later(february, -30 * second)
    expect(await change(prevent, late, slowly)).toMatchObject({ status: 'processing' })
    await until(later(february, hour))
    const after = await found()
    expect(after.productId).not.toBe(dear.productId)
    expect(after).toMatchObject({ changing: null, owed: 4_000 })
    await until(later(february, 35 * day))
    const paid = (await read.payments()).map(({ totalAmount }) => totalAmount)
    expect(paid).toEqual([1_000, 4_000, 1_000])
    expect((await found()).owed).toBe(3_000)
  })

  it('goes back where its subscription has ended meanwhile, with its ledger and its paper', async () => {
    const { change, found, until, update, scope, ...read } = await between()
    await change(prevent, half, slowly)
    await update({ status: 'cancelled' }, half)
    await until(later(half, minute))
    expect(await found()).toMatchObject({ status: 'cancelled', changing: null, owed: 0 })
    const paid = (await read.payments()).at(-1)
    expect(paid).toMatchObject({ status: 'succeeded', refundStatus: 'full' })
    const refunds = await store.refunds.ofPayment(scope, paid?.paymentId ?? '')
    const amount = paid?.totalAmount
    expect(refunds).toMatchObject([{ status: 'succeeded', isPartial: false, amount }])
    const paper = await store.invoices.get(scope, 'refund', refunds[0]?.refundId ?? '')
    expect(paper?.paper.total).toBe(amount)
    expect((await read.told()).slice(-2)).toEqual(['payment.succeeded', 'refund.succeeded'])
    expect(await differencesOf(store, scope)).toEqual([])
  })

  it('waits to go back where its processor refunds nothing by itself', async () => {
    const { change, update, scope, ...read } = await between()
    await change(prevent, half, slowly)
    await update({ status: 'cancelled' }, half)
    const then = later(half, minute)
    const test = { ...store.processors.test, refundsAtOnce: false }
    const desk = { ...atMoment(then, store), processors: { ...store.processors, test } }
    await untilThen(desk, scope, then)
    const { paymentId = '' } = (await read.payments()).at(-1) ?? {}
    expect(await store.refunds.ofPayment(scope, paymentId)).toMatchObject([{ status: 'pending' }])
  })

  it('takes add-ons, a code and taxes, and charges what its preview says', async () => {
    const { change, dear, found, preview, scope, ...read } = await between()
    const addonId = store.newId('adn')
    const addon = {
      addonId,
      name: 'Seats',
      description: null,
      price: 700,
      currency: 'EUR' as const,
      taxCategory: 'saas' as const,
      imageId: null,
      createdAt: january,
      updatedAt: january,
    }
    const code = discount({
      discountId: store.newId('dsc'),
      code: 'HALF',
      amount: 5_000,
      usageLimit: 1,
      subscriptionCycles: 2,
      createdAt: january,
      updatedAt: january,
    })
    const table = [{ country: 'DE' as const, region: null, category: null, rate: 190_000 }]
    await store.changes.commit(rowAlone(scope, { noun: 'addon', expected: null, row: addon }))
    await store.changes.commit(rowAlone(scope, { noun: 'discount', expected: null, row: code }))
    const taxes = {
      noun: 'tax_table',
      expected: null,
      row: { businessId: scope.businessId, rows: table },
    } as const
    await store.changes.commit(rowAlone(scope, taxes))
    await store.changes.commit(
      rowAlone(scope, {
        noun: 'product',
        expected: dear.updatedAt,
        row: { ...dear, addonIds: [addonId], updatedAt: later(january, 1 * second) },
      }),
    )
    const asked = {
      addons: [{ addonId, quantity: 2 }],
      discountCodes: ['half'],
      quantity: 2,
      ...({ mode: 'prorated_immediately', metadata: { why: 'more' } } as const),
    }
    const seen = await preview(asked)
    const payment = await change(asked)
    // Half of (2 × 5000 + 2 × 700) / 2 − 1000, and 19 % on top.
    expect(seen.cart).toMatchObject({ total: 2_797, tax: 447 })
    expect(payment).toMatchObject({ totalAmount: 2_797, tax: 447, metadata: { why: 'more' } })
    expect(payment?.lines.reduce((all, each) => all + each.amount + each.tax, 0)).toBe(2_797)
    expect(await found()).toMatchObject({
      quantity: 2,
      addons: [{ addonId, quantity: 2 }],
      recurringPreTaxAmount: 11_400,
      discounts: [{ discount: { code: 'HALF' }, cyclesRemaining: 1 }],
    })
    expect(await store.discounts.get(scope, code.discountId)).toMatchObject({
      timesUsed: 1,
      held: 0,
    })
    await expect(change(asked, later(half, day))).rejects.toMatchObject({
      code: 'DISCOUNT_ALREADY_USED_ON_SUBSCRIPTION',
    })
    // What it leaves of a cycle counts at what the code has left of it.
    const back = await preview({ mode: 'difference_immediately', discountCodes: [] }, half)
    expect(back.cart?.charged).toMatchObject({ due: 0, owed: 700 })
    expect(await read.balance()).toBe(200)
  })

  it('waits with its codes and metadata for the end of the cycle, whose payment has both', async () => {
    const { change, dear, found, scope, until, ...read } = await between()
    const code = discount({
      discountId: store.newId('dsc'),
      code: 'LATER',
      amount: 1_000,
      createdAt: january,
      updatedAt: january,
    })
    await store.changes.commit(rowAlone(scope, { noun: 'discount', expected: null, row: code }))
    const asked = {
      ...({ mode: 'full_immediately', waits: true, discountCodes: ['LATER'] } as const),
      metadata: { order: 7 },
    }
    expect(await change(asked)).toBe(null)
    expect(await store.discounts.get(scope, code.discountId)).toMatchObject({ timesUsed: 1 })
    await until(later(february, hour))
    expect(await found()).toMatchObject({ productId: dear.productId, status: 'active' })
    expect((await read.payments()).at(-1)).toMatchObject({
      totalAmount: 4_500,
      metadata: { order: 7 },
      purpose: 'renewal',
    })
  })

  it.each([
    [good, ['payment.succeeded', 'subscription.plan_changed', 'subscription.renewed']],
    [payOnce, ['payment.failed', 'subscription.on_hold', 'subscription.plan_changed']],
  ])('that waited is told with the first news of its payment, once: %s', async (card, news) => {
    const { change, until, ...read } = await between(card)
    await change({ mode: 'full_immediately', waits: true })
    const before = (await read.told()).length
    await until(later(february, 13 * hour))
    const told = (await read.told()).slice(before)
    expect(told.slice(0, 4)).toEqual(['credit.expired', ...news])
    expect(told.filter((type) => type === 'subscription.plan_changed')).toHaveLength(1)
  })

  it('brings no more license keys than come at once [licenses#license-keys]', async () => {
    const { change, dear, found, scope } = await between()
    const license = { ...dear.license, enabled: true }
    const row = { ...dear, license }
    await store.changes.commit(rowAlone(scope, { noun: 'product', expected: dear.updatedAt, row }))
    const many = change({ quantity: 1_001 })
    await expect(many).rejects.toMatchObject({ code: 'INVALID_REQUEST_BODY' })
    expect(await change({ quantity: 3 })).toMatchObject({ status: 'succeeded' })
    const { subscriptionId } = await found()
    const by = { paymentIds: [], subscriptionIds: [subscriptionId] }
    expect(await store.licenseKeys.broughtBy(scope, by)).toHaveLength(3)
  })

  it('goes to no product of another brand', async () => {
    const { change, dear, scope } = await between()
    const row = { ...dear, brandId: 'brn_other', updatedAt: later(january, second) }
    await store.changes.commit(rowAlone(scope, { noun: 'product', expected: dear.updatedAt, row }))
    await expect(change()).rejects.toMatchObject({ code: 'BRAND_MISMATCH' })
  })
})
