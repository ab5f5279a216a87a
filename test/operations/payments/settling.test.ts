import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { confirmCheckout } from '../../../src/operations/checkouts/confirm-checkout.ts'
import { payCheckout } from '../../../src/operations/checkouts/pay-checkout.ts'
import { openMethodUpdate } from '../../../src/operations/subscriptions/open-method-update.ts'
import { updateSubscription } from '../../../src/operations/subscriptions/update-subscription.ts'
import type { Instant } from '../../../src/std/instant.ts'
import { day, hour, after as later } from '../../../src/std/instant.ts'
import { payingWith } from '../../support/payments/checkouts.ts'
import { differencesOf } from '../../support/store/differences.ts'
import type { ScratchStore } from '../../support/store/scratch-store.ts'
import { atMoment, february, january, scratchStore } from '../../support/store/scratch-store.ts'
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

const payOnce = '4000000000000341'
const other = '5555555555554444'
const declined = '4000000000000002'
const asksFirst = '4000002760003184'

const openAt = (of: Subscribed, moment: Instant) =>
  openMethodUpdate(atMoment(moment, store), of.scope, {
    subscriptionId: of.subscriptionId,
    returnUrl: null,
    linkTo: (id) => `https://pay.example/${id}`,
  })

const enter = (sessionId: string, card: string, moment: Instant) =>
  payCheckout(atMoment(moment, store), 'test', payingWith(sessionId, card))

const paidOn = async (sessionId: string, card: string, moment: Instant) => {
  const paid = await enter(sessionId, card, moment)
  if ('wrong' in paid) throw new Error(`${paid.wrong[0]?.field} ${paid.wrong[0]?.problem}`)
  return paid.payment
}

/** On hold since february: its card paid once. */
async function onHold() {
  const of = await subscribed(store, { card: payOnce })
  await untilThen(store, of.scope, february)
  expect(await of.subscription(of.subscriptionId)).toMatchObject({ status: 'on_hold' })
  return of
}

describe('a page that keeps a card [payments#settling-sessions]', () => {
  it('charges nothing where nothing is owed, and is used from then on', async () => {
    const of = await subscribed(store)
    const { payment, session } = await openAt(of, later(january, day))
    expect(payment).toMatchObject({ status: 'requires_payment_method', totalAmount: 0 })
    expect(payment.paymentLink).toBe(`https://pay.example/${session.sessionId}`)
    const paid = await paidOn(session.sessionId, other, later(january, day))
    expect(paid).toMatchObject({ paymentId: payment.paymentId, status: 'succeeded' })
    expect(paid).toMatchObject({ purpose: 'method_update', totalAmount: 0 })
    const after = await of.subscription(of.subscriptionId)
    expect(after.paymentMethodId).toBe(paid.paymentMethodId)
    expect(after.paymentMethodId).not.toBe(of.paid.paymentMethodId)
    expect((await of.told()).slice(-2)).toEqual([
      'payment.succeeded',
      'subscription.update_payment_method',
    ])
    const again = enter(session.sessionId, other, later(january, day))
    await expect(again).rejects.toMatchObject({ code: 'CHECKOUT_SESSION_CONSUMED' })
    await untilThen(store, of.scope, february)
    const renewal = (await of.payments()).find(({ purpose }) => purpose === 'renewal')
    expect(renewal).toMatchObject({ status: 'succeeded', card: { lastFour: '4444' } })
  })

  it('pays what is owed, and the subscription is active again', async () => {
    const of = await onHold()
    const now = later(february, hour)
    const { payment, session } = await openAt(of, now)
    expect(payment).toMatchObject({ purpose: 'renewal', totalAmount: 1_000 })
    expect(await paidOn(session.sessionId, declined, now)).toMatchObject({ status: 'failed' })
    expect(await of.subscription(of.subscriptionId)).toMatchObject({ status: 'on_hold' })
    const paid = await paidOn(session.sessionId, good, now)
    expect(paid).toMatchObject({ status: 'succeeded', totalAmount: 1_000 })
    const after = await of.subscription(of.subscriptionId)
    expect(after).toMatchObject({ status: 'active', dues: null })
    expect(after.paymentMethodId).toBe(paid.paymentMethodId)
    expect(await of.balance()).toBe(100)
    expect((await of.told()).slice(-6)).toEqual([
      'payment.succeeded',
      'subscription.active',
      'subscription.renewed',
      'subscription.update_payment_method',
      'dunning.recovered',
      'credit.added',
    ])
    await untilThen(store, of.scope, later(february, 14 * day))
    const renewals = (await of.payments()).filter(({ purpose }) => purpose === 'renewal')
    expect(renewals.filter(({ status }) => status === 'succeeded')).toHaveLength(1)
  })

  it('charges nothing where what was owed is paid meanwhile, and says so before', async () => {
    const of = await onHold()
    const now = later(february, hour)
    const first = await openAt(of, now)
    const second = await openAt(of, now)
    await paidOn(first.session.sessionId, good, now)
    const paid = await paidOn(second.session.sessionId, other, now)
    expect(paid).toMatchObject({ purpose: 'method_update', totalAmount: 0, status: 'succeeded' })
  })

  it('wants to be looked at again where more is owed than it has shown', async () => {
    const of = await subscribed(store, { card: payOnce })
    const { session } = await openAt(of, later(january, 30 * day + 12 * hour))
    const now = later(february, hour)
    await untilThen(store, of.scope, february)
    const agreedTotal = { amount: 0, currency: 'EUR' } as const
    const shown = { ...payingWith(session.sessionId, good), agreedTotal }
    const paid = await payCheckout(atMoment(now, store), 'test', shown)
    expect(paid).toMatchObject({ wrong: [{ field: 'order', problem: 'has become dearer' }] })
  })

  it('charges once beside a retry that comes by itself', async () => {
    const of = await onHold()
    const retry = later(february, 12 * hour)
    const { session } = await openAt(of, later(february, hour))
    await Promise.allSettled([
      enter(session.sessionId, good, retry),
      untilThen(store, of.scope, retry),
    ])
    await enter(session.sessionId, good, retry).catch(() => null)
    const renewals = (await of.payments()).filter(({ purpose }) => purpose === 'renewal')
    expect(renewals.filter(({ status }) => status === 'succeeded')).toHaveLength(1)
    expect(await of.subscription(of.subscriptionId)).toMatchObject({ status: 'active', dues: null })
  })

  it('asks the holder of the card, and takes another card where that fails', async () => {
    const of = await onHold()
    const now = later(february, hour)
    const { session } = await openAt(of, now)
    const asked = await paidOn(session.sessionId, asksFirst, now)
    expect(asked.status).toBe('requires_customer_action')
    const desk = atMoment(now, store)
    const no = await confirmCheckout(desk, 'test', { sessionId: session.sessionId, passed: false })
    expect(no.payment.status).toBe('failed')
    await paidOn(session.sessionId, asksFirst, now)
    const yes = await confirmCheckout(desk, 'test', { sessionId: session.sessionId, passed: true })
    expect(yes.payment.status).toBe('succeeded')
    expect(await of.subscription(of.subscriptionId)).toMatchObject({ status: 'active' })
  })

  it('ends after a day, and with its subscription', async () => {
    const of = await subscribed(store)
    const [one, two] = [await openAt(of, january), await openAt(of, january)]
    const subscriptionId = of.subscriptionId
    await updateSubscription(store, of.scope, { subscriptionId, patch: { status: 'cancelled' } })
    const over = enter(one.session.sessionId, good, january)
    await expect(over).rejects.toMatchObject({ code: 'CHECKOUT_SESSION_EXPIRED' })
    await expect(openAt(of, january)).rejects.toMatchObject({ code: 'SUBSCRIPTION_INACTIVE' })
    await untilThen(store, of.scope, later(january, day))
    const late = enter(two.session.sessionId, good, later(january, day))
    await expect(late).rejects.toMatchObject({ code: 'CHECKOUT_SESSION_EXPIRED' })
    const waited = (await of.payments()).filter(({ purpose }) => purpose === 'method_update')
    expect(waited.map(({ status }) => status)).toEqual(['cancelled', 'cancelled'])
  })
})
