import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCheckout } from '../../../src/operations/checkouts/create-checkout.ts'
import { payCheckout } from '../../../src/operations/checkouts/pay-checkout.ts'
import { openPayment } from '../../../src/operations/payments/open-payment.ts'
import type { WantedCharge } from '../../../src/operations/subscriptions/charge-subscription.ts'
import { chargeSubscription } from '../../../src/operations/subscriptions/charge-subscription.ts'
import { updateSubscription } from '../../../src/operations/subscriptions/update-subscription.ts'
import { adjustWallet } from '../../../src/operations/wallets/adjust-wallet.ts'
import { after as later, minute } from '../../../src/std/instant.ts'
import { item } from '../../rules/commerce/payments/purchases.ts'
import { checkoutFor, payingWith } from '../../support/payments/checkouts.ts'
import { differencesOf } from '../../support/store/differences.ts'
import type { ScratchStore } from '../../support/store/scratch-store.ts'
import {
  atMoment,
  february,
  instantAt,
  january,
  scratchStore,
} from '../../support/store/scratch-store.ts'
import type { Subscribed } from './subscribing.ts'
import { good, subscribed, untilThen } from './subscribing.ts'

let store: ScratchStore
beforeAll(async () => {
  store = await scratchStore()
})
afterAll(async () => {
  // Whatever has become of all of them, the books add up.
  expect(await differencesOf(store, { businessId: null })).toEqual([])
  await store.drop()
})

const mandate = { mandateOnly: true, price: null, currency: null, description: null }
const [payOnce, slow, unanswered] = ['4000000000000341', '4000000000007015', '4000000000007049']
const onDemand = (card: string = good) => subscribed(store, { card, onDemand: mandate })

/** Begun with a card that takes its time, which later charges have to wait for, too. */
async function late(card: string = good) {
  const of = await onDemand(card)
  await untilThen(store, of.scope, later(january, 2 * minute))
  const [first] = await of.payments()
  return { ...of, subscriptionId: first?.subscriptionId ?? '' }
}

const charge = (of: Subscribed, more: Partial<WantedCharge> = {}) =>
  chargeSubscription(of.store, of.scope, {
    subscriptionId: of.subscriptionId,
    price: 700,
    currency: null,
    description: null,
    metadata: null,
    spendsWallet: true,
    idempotencyKey: null,
    ...more,
  })

/** Several of one moment are in the order of their ids. */
const charges = async (of: Subscribed) =>
  (await of.payments()).filter(({ purpose }) => purpose === 'charge')

const update = (of: Subscribed, patch: Parameters<typeof updateSubscription>[2]['patch']) =>
  updateSubscription(store, of.scope, { subscriptionId: of.subscriptionId, patch })

describe('a subscription on demand [subscriptions#on-demand]', () => {
  it('begins with its card alone, and with its first credits', async () => {
    const { paid, subscriptionId, ...read } = await onDemand()
    expect(paid).toMatchObject({ status: 'succeeded', totalAmount: 0, card: { lastFour: '4242' } })
    const made = await read.subscription(subscriptionId)
    expect(made).toMatchObject({ status: 'active', onDemand: true, charging: null })
    expect(made.paymentMethodId).toBe(paid.paymentMethodId)
    expect(await read.balance()).toBe(100)
  })

  it('wants a card also where nothing is charged at the start', async () => {
    const { product, scope } = await subscribed(store)
    const request = { ...checkoutFor([item(product.productId)]), onDemand: mandate }
    const { sessionId } = await createCheckout(store, scope, { request, at: january })
    const paying = { ...payingWith(sessionId, good), card: null }
    const paid = await payCheckout(store, 'test', paying)
    expect(paid).toMatchObject({ wrong: [{ field: 'card_number', problem: 'is missing' }] })
    const opened = await openPayment(store, scope, { request, linkTo: null, mayRenew: true })
    expect(opened.payment.status).toBe('requires_payment_method')
  })

  it('is charged what its business says, and as often', async () => {
    const of = await onDemand()
    const first = await charge(of, { description: 'Two rides', metadata: { ride: 2 } })
    expect(first).toMatchObject({ status: 'succeeded', totalAmount: 700, purpose: 'charge' })
    expect(first).toMatchObject({ metadata: { ride: 2 }, lines: [{ description: 'Two rides' }] })
    expect(await charge(of, { price: 1 })).toMatchObject({ status: 'succeeded', totalAmount: 1 })
    expect(await of.payments()).toHaveLength(3)
    expect(await of.subscription(of.subscriptionId)).toMatchObject({ charging: null })
    const told = [
      'payment.succeeded',
      'subscription.active',
      'subscription.renewed',
      'credit.added',
    ]
    expect(await of.told()).toEqual([...told, 'payment.succeeded', 'payment.succeeded'])
  })

  it('goes on after a charge that is declined', async () => {
    const of = await onDemand(payOnce)
    expect(await charge(of)).toMatchObject({ status: 'failed', errorCode: 'CARD_DECLINED' })
    const after = await of.subscription(of.subscriptionId)
    expect(after).toMatchObject({ status: 'active', charging: null, dues: null })
    await untilThen(store, of.scope, february)
    expect(await of.payments()).toHaveLength(2)
    expect((await of.told()).slice(4)).toEqual([
      ...['payment.failed', 'subscription.renewed', 'credit.expired', 'credit.added'],
    ])
  })

  it('renews without a payment, and ends with its period', async () => {
    const of = await onDemand()
    await untilThen(store, of.scope, instantAt('2026-04-01T00:00:00Z'))
    expect(await of.payments()).toHaveLength(1)
    expect(await of.balance()).toBe(100)
    const after = await of.subscription(of.subscriptionId)
    expect(after).toMatchObject({ status: 'active', dues: null, onDemand: true })
  })

  it('renews by itself once it is on demand no more', async () => {
    const of = await onDemand()
    const date = instantAt('2026-01-20T00:00:00Z')
    await update(of, { disablesOnDemand: date })
    expect(await of.subscription(of.subscriptionId)).toMatchObject({
      onDemand: false,
      nextBillingDate: date,
    })
    await expect(charge(of)).rejects.toMatchObject({ code: 'SUBSCRIPTION_NOT_ON_DEMAND' })
    await untilThen(store, of.scope, date)
    const renewal = (await of.payments()).find(({ purpose }) => purpose === 'renewal')
    expect(renewal).toMatchObject({ totalAmount: 1_000, status: 'succeeded' })
  })
})

describe('a charge on demand [subscriptions#on-demand]', () => {
  it('has no other beside it while its processor takes its time', async () => {
    const of = await late(slow)
    const first = await charge(of)
    expect(first.status).toBe('processing')
    await expect(charge(of)).rejects.toMatchObject({ code: 'PREVIOUS_PAYMENT_PENDING' })
    await untilThen(store, of.scope, later(january, 4 * minute))
    const [heard] = await charges(of)
    expect(heard).toMatchObject({ paymentId: first.paymentId, status: 'succeeded' })
    expect(await of.subscription(of.subscriptionId)).toMatchObject({ charging: null })
  })

  it('is charged once where its processor does not answer', async () => {
    const of = await late(unanswered)
    expect(await charge(of)).toMatchObject({ status: 'processing' })
    await untilThen(store, of.scope, later(january, 10 * minute))
    expect(await charges(of)).toMatchObject([{ status: 'succeeded', totalAmount: 700 }])
  })

  it('is one of two at once', async () => {
    const of = await onDemand()
    const both = await Promise.allSettled([charge(of), charge(of, { price: 800 })])
    const paid = both.filter(({ status }) => status === 'fulfilled')
    expect(await charges(of)).toHaveLength(paid.length)
    expect(paid.length).toBeGreaterThan(0)
    for (const each of both) {
      if (each.status === 'rejected') expect(each.reason.code).toBe('PREVIOUS_PAYMENT_PENDING')
    }
  })

  it('is the same one when it comes again with its key, also at once and afterwards', async () => {
    const of = await onDemand()
    const again = () => charge(of, { idempotencyKey: 'order 7' })
    const [one, two] = await Promise.all([again(), again()])
    expect(two.paymentId).toBe(one.paymentId)
    await update(of, { status: 'cancelled' })
    expect((await again()).paymentId).toBe(one.paymentId)
    expect(await charges(of)).toMatchObject([{ totalAmount: 700 }])
    const other = charge(of, { idempotencyKey: 'order 7', price: 701 })
    await expect(other).rejects.toMatchObject({ code: 'CONFLICT' })
    const elsewhere = await onDemand()
    const theirs = await charge(elsewhere, { idempotencyKey: 'order 7' })
    expect(theirs.paymentId).not.toBe(one.paymentId)
  })

  it('is carried out later where the process ended before its processor was asked', async () => {
    const of = await onDemand()
    const processors = {
      ...store.processors,
      test: { ...store.processors.test, charge: () => Promise.reject(new Error('gone')) },
    }
    const cut = await charge({ ...of, store: { ...store, processors } })
    expect(cut.status).toBe('processing')
    await untilThen(store, of.scope, later(january, 30 * minute))
    expect(await charges(of)).toMatchObject([{ status: 'succeeded' }])
    expect(await of.subscription(of.subscriptionId)).toMatchObject({ charging: null })
  })

  it('is paid by the wallet first, unless it says otherwise', async () => {
    const of = await subscribed(store, { onDemand: mandate, price: { currency: 'USD' } })
    const adjustment = { amount: 500, currency: 'USD', isCredit: true } as const
    const key = { ...of.scope, customerId: of.customerId }
    await adjustWallet(store, key, {
      adjustment: { ...adjustment, idempotencyKey: null, reason: null },
      at: january,
    })
    expect(await charge(of, { spendsWallet: false })).toMatchObject({ fromWallet: 0 })
    expect(await charge(of)).toMatchObject({ fromWallet: 500, totalAmount: 700 })
    expect(await charge(of)).toMatchObject({ fromWallet: 0 })
  })

  it('is paid all the same where its news come after the end', async () => {
    const of = await late(slow)
    await charge(of)
    await update(of, { status: 'cancelled' })
    await untilThen(store, of.scope, later(january, 4 * minute))
    expect(await charges(of)).toMatchObject([{ status: 'succeeded' }])
    const after = await of.subscription(of.subscriptionId)
    expect(after).toMatchObject({ status: 'cancelled', charging: null })
  })
})

describe('a charge is refused [subscriptions#on-demand]', () => {
  it('of what is paused, to be cancelled, cancelled or expired, and is taken again after', async () => {
    const of = await onDemand()
    await update(of, { status: 'paused' })
    await expect(charge(of)).rejects.toMatchObject({ code: 'SUBSCRIPTION_INACTIVE' })
    await update(of, { status: 'active' })
    await update(of, { cancelAtNextBillingDate: true })
    const scheduled = { code: 'CHARGE_NOT_ALLOWED_FOR_SCHEDULED_CANCELLATION' }
    await expect(charge(of)).rejects.toMatchObject(scheduled)
    await update(of, { cancelAtNextBillingDate: false })
    expect(await charge(of)).toMatchObject({ status: 'succeeded' })
    const other = charge(of, { currency: 'USD' })
    await expect(other).rejects.toMatchObject({ code: 'UNSUPPORTED_CURRENCY' })
    await update(of, { status: 'cancelled' })
    await expect(charge(of)).rejects.toMatchObject({ code: 'SUBSCRIPTION_INACTIVE' })
    const short = await subscribed(store, {
      onDemand: mandate,
      price: { period: { count: 1, interval: 'Month' } },
    })
    await untilThen(atMoment(february, store), short.scope, february)
    await expect(charge(short)).rejects.toMatchObject({ code: 'SUBSCRIPTION_EXPIRED' })
  })

  it('of what is not on demand, and of what is not there', async () => {
    const of = await subscribed(store)
    await expect(charge(of)).rejects.toMatchObject({ code: 'SUBSCRIPTION_NOT_ON_DEMAND' })
    const unknown = charge({ ...of, subscriptionId: 'sub_none' })
    await expect(unknown).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
