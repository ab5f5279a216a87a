import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCheckout } from '../../../src/operations/checkouts/create-checkout.ts'
import { payCheckout } from '../../../src/operations/checkouts/pay-checkout.ts'
import { showCheckout } from '../../../src/operations/checkouts/show-checkout.ts'
import { takeBackLicenseKeys } from '../../../src/operations/refunds/taken-back/license-keys.ts'
import { subscribe } from '../../../src/operations/subscriptions/subscribe.ts'
import { rowAlone } from '../../../src/parts/store/changes.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import { licenseKeys } from '../../../src/parts/store/postgres/licenses/license-keys.ts'
import { refunds } from '../../../src/parts/store/postgres/payments/refunds.ts'
import type { Product } from '../../../src/rules/commerce/catalog/product.ts'
import { licenseKeyStatus } from '../../../src/rules/commerce/licenses/license-key.ts'
import type { Refund } from '../../../src/rules/commerce/refunds/refund.ts'
import { day, after as later } from '../../../src/std/instant.ts'
import { item, onceFor, productOf } from '../../rules/commerce/payments/purchases.ts'
import { checkoutFor, payingWith } from '../../support/payments/checkouts.ts'
import { changeWith } from '../../support/store/decided.ts'
import type { ScratchStore } from '../../support/store/scratch-store.ts'
import { january, scratchStore } from '../../support/store/scratch-store.ts'
import { slowly } from './between-plans.ts'
import { untilThen } from './subscribing.ts'

let store: ScratchStore
beforeAll(async () => {
  store = await scratchStore()
})
afterAll(() => store.drop())

const monthly = (price: number): Product['price'] => ({
  type: 'recurring_price',
  currency: 'EUR',
  discount: 0,
  purchasingPowerParity: false,
  taxInclusive: null,
  price,
  frequency: { count: 1, interval: 'Month' },
  period: { count: 1, interval: 'Year' },
  trialPeriodDays: 0,
  trialAmount: null,
  trialApplyDiscounts: false,
})

const licensed: Product['license'] = {
  enabled: true,
  activationMessage: null,
  activationsLimit: 2,
  duration: { count: 10, interval: 'Day' },
}

async function bought(products: readonly Product[], card = '4242424242424242') {
  const scope = await store.business()
  for (const product of products) {
    const row = { noun: 'product', expected: null, row: product } as const
    await store.changes.commit({ ...changeWith(scope, { rows: [row] }), clockAhead: null })
  }
  const items = products.map(({ productId }, index) => item(productId, index === 0 ? 2 : 1))
  const request = checkoutFor(items)
  const { sessionId } = await createCheckout(store, scope, { request, at: january })
  await payCheckout(store, 'test', payingWith(sessionId, card)).catch(() => null)
  const session = await store.sessions.get(scope, sessionId)
  const paymentId = session?.paymentId ?? ''
  const payment = await store.payments.get(scope, paymentId)
  const keys = await store.licenseKeys.broughtBy(scope, {
    paymentIds: [paymentId],
    subscriptionIds: [],
  })
  return { scope, sessionId, paymentId, payment, keys }
}

const toldIn = async (businessId: string) =>
  (
    await store.db.query<{ type: string }>(sql`
      select type from outbox where business_id = ${businessId} order by id`)
  ).map(({ type }) => type)

describe('a subscription that begins with a payment of 0', () => {
  it('brings its keys, and no more at once than a change should make [licenses#license-keys]', async () => {
    const scope = await store.business()
    const product = productOf(store.newId('pdt'), monthly(0), { license: licensed })
    const row = { noun: 'product', expected: null, row: product } as const
    await store.changes.commit({ ...changeWith(scope, { rows: [row] }), clockAhead: null })
    const start = (quantity: number) =>
      subscribe(store, scope, {
        request: checkoutFor([item(product.productId, quantity)]),
        linkTo: null,
      })
    const { payment, subscription } = await start(2)
    const { subscriptionId } = subscription
    const keys = await store.licenseKeys.broughtBy(scope, {
      paymentIds: [],
      subscriptionIds: [subscriptionId],
    })
    expect(keys.map((key) => [key.subscriptionId, key.paymentId, key.expiresAt])).toEqual([
      [subscriptionId, payment.paymentId, null],
      [subscriptionId, payment.paymentId, null],
    ])
    expect(await toldIn(scope.businessId)).toEqual([
      ...['payment.succeeded', 'subscription.active', 'subscription.renewed'],
      ...['subscription.updated', 'license_key.created', 'license_key.created'],
    ])
    await expect(start(1_001)).rejects.toMatchObject({ code: 'INVALID_REQUEST_BODY' })
  })
})

describe('a payment of licensed products', () => {
  it('brings a key for each unit, once, with its terms, and tells of each [licenses#license-keys]', async () => {
    const one = productOf(store.newId('pdt'), onceFor(100), { license: licensed })
    const plain = productOf(store.newId('pdt'), onceFor(100))
    const { keys, payment, scope, sessionId } = await bought([one, plain])
    expect(payment?.status).toBe('succeeded')
    expect(keys).toHaveLength(2)
    expect(new Set(keys.map(({ key }) => key)).size).toBe(2)
    for (const key of keys) {
      expect(key).toMatchObject({
        key: expect.stringMatching(/^([A-Z2-7]{8}-){3}[A-Z2-7]{8}$/),
        productId: one.productId,
        customerId: payment?.customerId,
        source: 'auto',
        activationsLimit: 2,
        subscriptionId: null,
        expiresAt: later(key.createdAt, 10 * day),
      })
      expect(licenseKeyStatus(key, later(key.createdAt, 10 * day - 1))).toBe('active')
      expect(licenseKeyStatus(key, later(key.createdAt, 10 * day))).toBe('expired')
    }
    const told = await toldIn(scope.businessId)
    expect(told.filter((type) => type === 'license_key.created')).toHaveLength(2)
    expect(told.indexOf('payment.succeeded')).toBeLessThan(told.indexOf('license_key.created'))
    const shown = await showCheckout(store, 'test', sessionId)
    expect(shown.licenseKeys).toEqual(keys.map(({ key }) => key))
  })

  it('that is declined brings none', async () => {
    const one = productOf(store.newId('pdt'), onceFor(100), { license: licensed })
    const { keys, payment, scope } = await bought([one], '4000000000000002')
    expect([payment?.status, keys]).toEqual(['failed', []])
    expect(await toldIn(scope.businessId)).not.toContain('license_key.created')
  })

  it('that is a subscription brings keys that last as long as it', async () => {
    const plan = productOf(store.newId('pdt'), monthly(100), { license: licensed })
    const { keys, payment, scope } = await bought([plan])
    const [key] = keys
    expect(key).toMatchObject({
      subscriptionId: payment?.subscriptionId,
      subscriptionState: 'active',
      expiresAt: null,
    })
    if (key === undefined) throw new Error('There is no key.')
    const statuses = [
      ['on_hold', 'disabled'],
      ['paused', 'disabled'],
      ['cancelled', 'disabled'],
      ['expired', 'expired'],
      ['active', 'active'],
    ] as const
    for (const [status, expected] of statuses) {
      await store.db.query(sql`
        update subscriptions set status = ${status} where subscription_id = ${key.subscriptionId}`)
      const read = await licenseKeys(store.db).get(scope, key.licenseKeyId)
      expect(read && licenseKeyStatus(read, january), status).toBe(expected)
      const page = { limit: 10, offset: 0 }
      const filter = {
        customerId: null,
        productId: null,
        source: null,
        createdFrom: null,
        createdTo: null,
        status: expected,
        at: january,
      }
      expect(await licenseKeys(store.db).list(scope, filter, page), status).toHaveLength(
        keys.length,
      )
    }
  })

  it('brings what can come at once where its product came to bring keys meanwhile', async () => {
    const scope = await store.business()
    const plain = productOf(store.newId('pdt'), onceFor(1))
    await store.changes.commit(rowAlone(scope, { noun: 'product', expected: null, row: plain }))
    const request = checkoutFor([item(plain.productId, 1_200)])
    const { sessionId } = await createCheckout(store, scope, { request, at: january })
    const test = { ...store.processors.test, charge: slowly }
    const slow = { ...store, processors: { ...store.processors, test } }
    await payCheckout(slow, 'test', payingWith(sessionId, '4242424242424242'))
    const row = { ...plain, license: licensed }
    const licensing = { noun: 'product', expected: plain.updatedAt, row } as const
    await store.changes.commit(rowAlone(scope, licensing))
    await untilThen(slow, scope, later(january, day))
    const session = await store.sessions.get(scope, sessionId)
    const by = { paymentIds: [session?.paymentId ?? ''], subscriptionIds: [] }
    expect(await store.licenseKeys.broughtBy(scope, by)).toHaveLength(1_000)
  })

  it('that is refunded whole loses its keys, once', async () => {
    const one = productOf(store.newId('pdt'), onceFor(100), { license: licensed })
    const { keys, payment, scope } = await bought([one])
    assert(payment !== null)
    const refund = { refundId: 'ref_1' } as Refund
    const moment = { refund, charged: 0, at: january, newId: store.newId }
    const taken = async (refundStatus: 'full' | 'partial') => {
      const needs = { ...store, refunds: refunds(store.db) }
      const taking = await takeBackLicenseKeys(needs, scope, payment)
      return taking?.decide({ ...moment, payment: { ...payment, refundStatus } }).rows ?? []
    }
    expect(await taken('partial')).toEqual([])
    const rows = await taken('full')
    expect(rows).toHaveLength(keys.length)
    expect(await store.changes.commit({ ...changeWith(scope, { rows }), clockAhead: null })).toBe(
      'committed',
    )
    for (const { licenseKeyId } of keys) {
      expect((await licenseKeys(store.db).get(scope, licenseKeyId))?.disabled).toBe(true)
    }
    expect(await taken('full')).toEqual([])
  })
})
