import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { payCheckout } from '../../../src/operations/checkouts/pay-checkout.ts'
import type { CollectedPlanChange } from '../../../src/operations/subscriptions/change-plan.ts'
import { changePlan } from '../../../src/operations/subscriptions/change-plan.ts'
import { updateSubscription } from '../../../src/operations/subscriptions/update-subscription.ts'
import { rowAlone } from '../../../src/parts/store/changes.ts'
import { day, after as later } from '../../../src/std/instant.ts'
import { productOf } from '../../rules/commerce/payments/purchases.ts'
import { payingWith } from '../../support/payments/checkouts.ts'
import { differencesOf } from '../../support/store/differences.ts'
import type { ScratchStore } from '../../support/store/scratch-store.ts'
import { atMoment, february, january, scratchStore } from '../../support/store/scratch-store.ts'
import { subscribed, untilThen } from './subscribing.ts'

let store: ScratchStore
beforeAll(async () => {
  store = await scratchStore()
})
afterAll(async () => {
  // Whatever has become of all of them, the books add up.
  expect(await differencesOf(store, { businessId: null })).toEqual([])
  await store.drop()
})

const half = later(january, 15.5 * day)
const other = '5555555555554444'
const declined = '4000000000000002'

/** Somebody on a plan of 1000, whose change to one of 5000 is to be paid on a page. */
async function collecting(asked: Partial<CollectedPlanChange> = {}, moment = half) {
  const one = await subscribed(store)
  const { product, scope, subscriptionId } = one
  if (product.price.type !== 'recurring_price') throw new Error('A plan without a price.')
  const price = { ...product.price, price: 5_000 }
  const dear = productOf(store.newId('pdt'), price, {
    creditEntitlements: product.creditEntitlements,
  })
  await store.changes.commit(rowAlone(scope, { noun: 'product', expected: null, row: dear }))
  const opened = await changePlan(atMoment(moment, store), scope, {
    subscriptionId,
    productId: dear.productId,
    quantity: 1,
    mode: 'difference_immediately',
    addons: [],
    discountCodes: null,
    waits: false,
    replaces: false,
    onFailure: 'prevent_change',
    metadata: null,
    linkTo: (id) => `https://pay.example/${id}`,
    ...asked,
  })
  const enter = (card: string, at = moment) =>
    payCheckout(atMoment(at, store), 'test', payingWith(opened?.sessionId ?? '', card))
  return { ...one, dear, opened, enter, found: () => one.subscription(subscriptionId) }
}

describe('a plan change by a link [subscriptions#paying-for-a-change]', () => {
  it('waits for its page, and is made with its payment and the card of it', async () => {
    const { dear, enter, found, opened, paid: first, ...of } = await collecting()
    expect(opened).toMatchObject({ status: 'requires_payment_method', totalAmount: 4_000 })
    expect(opened?.paymentLink).toBe(`https://pay.example/${opened?.sessionId}`)
    const waiting = await found()
    expect(waiting.productId).toBe(of.product.productId)
    expect(waiting.changing?.paymentId).toBe(opened?.paymentId)
    const paid = await enter(other)
    expect(paid).toMatchObject({ payment: { status: 'succeeded', totalAmount: 4_000 } })
    const after = await found()
    expect(after).toMatchObject({ productId: dear.productId, changing: null, status: 'active' })
    expect(after.paymentMethodId).not.toBe(first.paymentMethodId)
    await expect(enter(other)).rejects.toMatchObject({ code: 'CHECKOUT_SESSION_CONSUMED' })
    expect((await of.told()).slice(-5)).toEqual([
      'payment.succeeded',
      'subscription.plan_changed',
      'subscription.update_payment_method',
      'credit.expired',
      'credit.added',
    ])
  })

  it('is given up where the card is declined, and its page is closed', async () => {
    const { enter, found, product } = await collecting()
    expect(await enter(declined)).toMatchObject({ payment: { status: 'failed' } })
    expect(await found()).toMatchObject({ productId: product.productId, changing: null })
    await expect(enter(other)).rejects.toMatchObject({ code: 'CHECKOUT_SESSION_EXPIRED' })
  })

  it('is given up after a day, at the end of its cycle, and with its subscription', async () => {
    const one = await collecting()
    await untilThen(store, one.scope, later(half, day))
    expect(await one.found()).toMatchObject({ changing: null, status: 'active' })
    const waited = (await one.payments()).find(({ purpose }) => purpose === 'plan_change')
    expect(waited).toMatchObject({ status: 'cancelled' })

    const two = await collecting({}, later(february, -day / 2))
    await untilThen(store, two.scope, february)
    const late = two.enter(other, february)
    await expect(late).rejects.toMatchObject({ code: 'CHECKOUT_SESSION_EXPIRED' })

    const { enter, scope, subscriptionId } = await collecting()
    await updateSubscription(atMoment(half, store), scope, {
      subscriptionId,
      patch: { status: 'cancelled' },
    })
    await expect(enter(other)).rejects.toMatchObject({ code: 'CHECKOUT_SESSION_EXPIRED' })
  })

  it('is made at once where nothing is to be paid', async () => {
    const { dear, found, opened } = await collecting({ mode: 'do_not_bill' })
    expect(opened).toBeNull()
    expect(await found()).toMatchObject({ productId: dear.productId, changing: null })
  })

  it('charges once, however many pay at once', async () => {
    const { dear, enter, found, ...of } = await collecting()
    await Promise.allSettled([enter(other), enter(other), enter(other)])
    const changes = (await of.payments()).filter(({ purpose }) => purpose === 'plan_change')
    expect(changes).toMatchObject([{ status: 'succeeded' }])
    expect(await found()).toMatchObject({ productId: dear.productId })
  })
})
