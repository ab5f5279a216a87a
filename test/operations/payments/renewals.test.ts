import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { updatePaymentMethod } from '../../../src/operations/subscriptions/update-payment-method.ts'
import { updateSubscription } from '../../../src/operations/subscriptions/update-subscription.ts'
import { rowAlone } from '../../../src/parts/store/changes.ts'
import { newSavedMethod } from '../../../src/rules/commerce/payments/saved-method.ts'
import { day, hour, after as later, minute } from '../../../src/std/instant.ts'
import type { ScratchStore } from '../../support/store/scratch-store.ts'
import {
  atMoment,
  february,
  instantAt,
  january,
  scratchStore,
} from '../../support/store/scratch-store.ts'
import { good, subscribed, untilThen } from './subscribing.ts'

let store: ScratchStore
beforeAll(async () => {
  store = await scratchStore()
})
afterAll(() => store.drop())

const march = instantAt('2026-03-01T00:00:00Z')
const good2 = {
  token: 'sandbox:pays',
  card: {
    network: 'MASTERCARD',
    lastFour: '4444',
    expiryMonth: '12',
    expiryYear: '2039',
    holder: null,
    type: 'credit',
    issuingCountry: 'US',
  },
} as const
const [payOnce, slow, unanswered] = ['4000000000000341', '4000000000007015', '4000000000007049']

describe('a renewal [subscriptions#renewals]', () => {
  it('charges the card that paid first, and brings its credits with the payment', async () => {
    const { scope, subscriptionId, paid, ...read } = await subscribed(store)
    expect(paid.paymentMethodId).toMatch(/^pm_/)
    await untilThen(store, scope, february)
    const after = await read.subscription(subscriptionId)
    expect(after).toMatchObject({ status: 'active', dues: null, previousBillingDate: february })
    expect(await read.balance()).toBe(100)
    const [, renewal, ...others] = await read.payments()
    expect(renewal).toMatchObject({ status: 'succeeded', totalAmount: 1_000, purpose: 'renewal' })
    expect(renewal?.subscriptionId).toBe(subscriptionId)
    expect(others).toEqual([])
    const told = await read.told()
    expect(told).toEqual([
      ...['payment.succeeded', 'subscription.active', 'subscription.renewed', 'credit.added'],
      ...['credit.expired', 'payment.succeeded', 'subscription.renewed', 'credit.added'],
    ])
  })

  it('charges a whole year month by month, each month once', async () => {
    const { scope, ...read } = await subscribed(store)
    await untilThen(store, scope, instantAt('2027-01-01T00:00:00Z'))
    expect(await read.payments()).toHaveLength(13)
    expect(await read.balance()).toBe(100)
  })

  it('that fails holds the subscription and its credits, and is tried again for 13 days', async () => {
    const { scope, subscriptionId, ...read } = await subscribed(store, { card: payOnce })
    await untilThen(store, scope, february)
    expect(await read.subscription(subscriptionId)).toMatchObject({
      status: 'on_hold',
      nextBillingDate: march,
    })
    expect(await read.balance()).toBe(0)
    const told = await read.told()
    expect(told.slice(-5)).toEqual([
      ...['credit.expired', 'payment.failed', 'subscription.on_hold', 'dunning.started'],
      'credit.balance_low',
    ])
    await untilThen(store, scope, later(february, 27 * day))
    const [, ...renewals] = await read.payments()
    const hours = renewals.map(({ createdAt }) => (createdAt - february) / hour)
    expect(hours).toEqual([0, 12, 36, 84, 156, 252])
    expect(renewals.map(({ retryAttempt }) => retryAttempt)).toEqual([0, 1, 2, 3, 4, 5])
    expect(new Set(renewals.map(({ status }) => status))).toEqual(new Set(['failed']))
    // Cycles go on without credits, and without another charge.
    await untilThen(store, scope, later(march, day))
    expect(await read.payments()).toHaveLength(7)
    expect(await read.subscription(subscriptionId)).toMatchObject({
      status: 'on_hold',
      previousBillingDate: march,
    })
    expect(await read.balance()).toBe(0)
  })

  it('whose processor is slow has its credits when the news comes', async () => {
    const { scope, subscriptionId, ...read } = await subscribed(store, { card: slow })
    await untilThen(store, scope, later(january, minute))
    const [{ subscriptionId: id } = { subscriptionId: '' }] = await read.payments()
    expect(subscriptionId).toBe('')
    await untilThen(store, scope, later(january, 31 * day + 5_000_000))
    const { nextBillingDate } = await read.subscription(id ?? '')
    await untilThen(store, scope, nextBillingDate)
    expect(await read.balance()).toBe(0)
    expect((await read.told()).at(-1)).toBe('credit.balance_low')
    await untilThen(store, scope, later(nextBillingDate, minute))
    expect(await read.balance()).toBe(100)
    expect(await read.payments()).toHaveLength(3)
  })

  it('whose process dies after the attempt was written is asked for again, and paid once', async () => {
    const { scope, subscriptionId, ...read } = await subscribed(store)
    const test = { ...store.processors.test, charge: () => new Promise<never>(() => undefined) }
    const dying = { ...store, processors: { ...store.processors, test } }
    // It hangs in the call to its processor for ever, as a killed process does.
    void untilThen(dying, scope, february)
    await expect
      .poll(async () => (await read.payments()).at(-1)?.status)
      .toBe('requires_confirmation')
    expect(await read.balance()).toBe(0)
    await untilThen(store, scope, later(february, 4 * minute))
    expect(await read.balance()).toBe(0)
    await untilThen(store, scope, later(february, 6 * minute))
    expect(await read.balance()).toBe(100)
    expect(await read.payments()).toHaveLength(2)
    expect(await read.subscription(subscriptionId)).toMatchObject({ status: 'active', dues: null })
    // The credits were away for a while, and nobody was alarmed.
    expect(await read.told()).not.toContain('credit.balance_low')
  })

  it('that is cancelled before it is answered brings what it charged, until the cycle ends', async () => {
    const { scope, ...read } = await subscribed(store, { card: unanswered })
    await untilThen(store, scope, later(january, minute))
    const subscriptionId = (await read.payments())[0]?.subscriptionId ?? ''
    const { nextBillingDate } = await read.subscription(subscriptionId)
    await untilThen(store, scope, nextBillingDate)
    const now = atMoment(later(nextBillingDate, 10_000_000), store)
    const patch = { status: 'cancelled' } as const
    await updateSubscription(now, scope, { subscriptionId, patch })
    await untilThen(store, scope, later(nextBillingDate, 2 * minute))
    expect(await read.balance()).toBe(100)
    const over = await read.subscription(subscriptionId)
    expect(over).toMatchObject({ status: 'cancelled', dues: null })
    await untilThen(store, scope, over.nextBillingDate)
    expect(await read.balance()).toBe(0)
    expect(await read.payments()).toHaveLength(2)
  })

  it('of a free trial with a card charges at its end; card 0341 declines it [subscriptions#trials]', async () => {
    const trial = { trialPeriodDays: 14 }
    const ends = later(january, 14 * day)
    const paying = await subscribed(store, { price: trial })
    await untilThen(store, paying.scope, ends)
    expect((await paying.payments()).map(({ totalAmount }) => totalAmount)).toEqual([0, 1_000])
    expect(await paying.balance()).toBe(100)
    const declined = await subscribed(store, { price: trial, card: payOnce })
    await untilThen(store, declined.scope, ends)
    expect((await declined.payments()).map(({ status }) => status)).toEqual(['succeeded', 'failed'])
    const { subscriptionId } = declined
    expect(await declined.subscription(subscriptionId)).toMatchObject({ status: 'on_hold' })
  })

  it('that was declined is paid by another method of the customer [subscriptions#dunning]', async () => {
    const { scope, subscriptionId, customerId, ...read } = await subscribed(store, {
      card: payOnce,
    })
    await untilThen(store, scope, later(february, 3 * day))
    const { dues } = await read.subscription(subscriptionId)
    const other = newSavedMethod(store.newId, { ...good2, customerId }, february)
    const row = { noun: 'payment_method', expected: null, row: other } as const
    await store.changes.commit(rowAlone(scope, row))
    const now = atMoment(later(february, 3 * day), store)
    const wanted = { subscriptionId, paymentMethodId: other.paymentMethodId }
    const strange = { ...wanted, paymentMethodId: 'pm_none' }
    await expect(updatePaymentMethod(now, scope, strange)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    const { length: before } = await read.told()
    const updated = 'subscription.update_payment_method'
    const [paid, again] = await Promise.allSettled([
      updatePaymentMethod(now, scope, wanted),
      updatePaymentMethod(now, scope, wanted),
    ])
    const payments = (await read.payments()).filter(({ status }) => status === 'succeeded')
    expect(payments).toHaveLength(2)
    expect([paid.status, again.status]).toContain('fulfilled')
    expect(await read.balance()).toBe(100)
    expect(dues?.retries).toBe(2)
    expect(await read.subscription(subscriptionId)).toMatchObject({
      status: 'active',
      dues: null,
      paymentMethodId: other.paymentMethodId,
      nextBillingDate: march,
    })
    const told = (await read.told()).slice(before)
    const answered = [paid, again].filter(({ status }) => status === 'fulfilled').length
    expect(told[0]).toBe(updated)
    expect(told.filter((fact) => fact === updated)).toHaveLength(answered)
    expect(told.filter((fact) => fact !== updated)).toEqual([
      ...['payment.succeeded', 'subscription.active', 'subscription.renewed', 'dunning.recovered'],
      'credit.added',
    ])
    await untilThen(store, scope, later(march, day))
    expect(await read.balance()).toBe(100)
  })

  it('is paid by the same card once, however many methods it was saved as', async () => {
    const { scope, customerId } = await subscribed(store, { card: good })
    expect(await store.paymentMethods.ofCustomer(scope, customerId)).toHaveLength(1)
  })
})
