import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCheckout } from '../../../src/operations/checkouts/create-checkout.ts'
import { payCheckout } from '../../../src/operations/checkouts/pay-checkout.ts'
import { openPayment } from '../../../src/operations/payments/open-payment.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import type { Scope } from '../../../src/parts/store/scope.ts'
import type { AbandonedTold } from '../../../src/rules/facts/abandoned-facts.ts'
import type { Instant } from '../../../src/std/instant.ts'
import { day, hour, after as later, minute } from '../../../src/std/instant.ts'
import { item } from '../../rules/commerce/payments/purchases.ts'
import { checkoutFor, payingWith } from '../../support/payments/checkouts.ts'
import { differencesOf } from '../../support/store/differences.ts'
import type { ScratchStore } from '../../support/store/scratch-store.ts'
import { atMoment, january, scratchStore } from '../../support/store/scratch-store.ts'
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

const [declined, asksFirst] = ['4000000000000002', '4000002760003184']

/** A session for a plan that somebody is about to pay. */
async function begun() {
  const { product, scope } = await subscribed(store)
  const request = checkoutFor([item(product.productId)])
  const { sessionId } = await createCheckout(store, scope, { request, at: january })
  return { request, scope, sessionId }
}

async function enter(sessionId: string, card: string, at: Instant) {
  const paid = await payCheckout(atMoment(at, store), 'test', payingWith(sessionId, card))
  if ('wrong' in paid) throw new Error('The checkout was not paid.')
  return paid.payment
}

/** What was told of sessions that were left, in its order. */
async function told({ businessId }: Scope) {
  const rows = await store.db.query<{ type: string; data: AbandonedTold }>(sql`
    select type, data from outbox
    where business_id = ${businessId} and type like 'abandoned%' order by id`)
  return rows.map(({ data, type }) => ({ type, ...data }))
}

describe('an abandoned checkout [webhooks#abandoned-checkouts]', () => {
  it('is one whose card was declined, and that nobody has tried again for an hour', async () => {
    const { scope, sessionId } = await begun()
    const { customerId, paymentId } = await enter(sessionId, declined, january)
    await untilThen(store, scope, later(january, hour - minute))
    expect(await told(scope)).toEqual([])
    await untilThen(store, scope, later(january, hour))
    const detected = {
      type: 'abandoned_checkout.detected',
      customerId,
      paymentId,
      brandId: 'bus_1',
      reason: 'payment_failed',
      abandonedAt: later(january, hour),
      status: 'abandoned',
      recoveredPaymentId: null,
    }
    expect(await told(scope)).toEqual([detected])
    // Another that fails tells nothing more, and one that pays brings the buyer back.
    const now = later(january, 2 * hour)
    await enter(sessionId, declined, now)
    await untilThen(store, scope, later(january, 4 * hour))
    expect(await told(scope)).toHaveLength(1)
    const paid = await enter(sessionId, good, later(january, 5 * hour))
    const recovered = { status: 'recovered', recoveredPaymentId: paid.paymentId } as const
    expect(await told(scope)).toEqual([
      detected,
      {
        ...detected,
        ...recovered,
        type: 'abandoned_checkout.recovered',
        customerId: paid.customerId,
      },
    ])
  })

  it('is none that another card has paid meanwhile', async () => {
    const { scope, sessionId } = await begun()
    await enter(sessionId, declined, january)
    await enter(sessionId, good, later(january, minute))
    await untilThen(store, scope, later(january, 2 * day))
    expect(await told(scope)).toEqual([])
  })

  it('is one that nobody has confirmed until its session has expired', async () => {
    const { scope, sessionId } = await begun()
    const { paymentId } = await enter(sessionId, asksFirst, january)
    await untilThen(store, scope, later(january, day))
    const reason = 'checkout_incomplete'
    expect(await told(scope)).toMatchObject([
      { paymentId, reason, abandonedAt: later(january, day) },
    ])
  })

  it('is one whose payment waited, and that nobody has tried to pay', async () => {
    const { request, scope } = await begun()
    const opened = await openPayment(store, scope, { request, linkTo: null, mayRenew: true })
    await untilThen(store, scope, later(january, 2 * day))
    const { paymentId } = opened.payment
    expect(await told(scope)).toMatchObject([{ paymentId, reason: 'checkout_incomplete' }])
  })

  it('is no page that nobody has used, and no renewal', async () => {
    const one = await subscribed(store, { card: '4000000000000341' })
    const { request, scope } = await begun()
    await createCheckout(store, scope, { request, at: january })
    await untilThen(store, scope, later(january, 40 * day))
    await untilThen(store, one.scope, later(january, 40 * day))
    expect([...(await told(scope)), ...(await told(one.scope))]).toEqual([])
  })
})
