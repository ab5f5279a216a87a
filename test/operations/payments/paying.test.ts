import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openInTurn } from '../../../src/operations/accounts/in-turn.ts'
import { applyBoundary } from '../../../src/operations/boundaries/apply-boundary.ts'
import { createCheckout } from '../../../src/operations/checkouts/create-checkout.ts'
import type { PayCheckoutNeeds } from '../../../src/operations/checkouts/pay-checkout.ts'
import { payCheckout } from '../../../src/operations/checkouts/pay-checkout.ts'
import { rowAlone } from '../../../src/parts/store/changes.ts'
import type { Scope } from '../../../src/parts/store/scope.ts'
import { inherited } from '../../../src/rules/commerce/catalog/product.ts'
import type { CheckoutRequest } from '../../../src/rules/commerce/payments/checkout-session.ts'
import type { Instant } from '../../../src/std/instant.ts'
import { day, instantOf, minute } from '../../../src/std/instant.ts'
import { item, onceFor, productOf } from '../../rules/commerce/payments/purchases.ts'
import { checkoutFor, payingWith } from '../../support/payments/checkouts.ts'
import type { ScratchStore } from '../../support/store/scratch-store.ts'
import { january, scratchStore } from '../../support/store/scratch-store.ts'

let store: ScratchStore
beforeAll(async () => {
  store = await scratchStore()
})
afterAll(() => store.drop())

async function opened(
  price = 999,
  more: Partial<CheckoutRequest> = {},
): Promise<{ scope: Scope; sessionId: string; entitlementId: string }> {
  const scope = await store.business()
  const entitlementId = await store.entitlement(scope)
  const mapping = { ...creditsOf(entitlementId), mappingId: store.newId('cem') }
  const product = productOf(store.newId('pdt'), onceFor(price), { creditEntitlements: [mapping] })
  await store.changes.commit(rowAlone(scope, { noun: 'product', expected: null, row: product }))
  const { sessionId } = await createCheckout(store, scope, {
    request: { ...checkoutFor([item(product.productId)]), ...more },
    at: january,
  })
  return { scope, sessionId, entitlementId }
}

/** Applies everything that is due by then. */
async function untilThen(needs: PayCheckoutNeeds, scope: Scope, then: Instant): Promise<void> {
  for (;;) {
    const [next] = await needs.boundaries.due(then, scope, 1)
    if (next === undefined) return
    await applyBoundary(needs, next)
  }
}

const grantsOf = async (scope: Scope, entitlementId: string, customerId: string) => {
  const [view] = await store.accounts.load([{ ...scope, customerId, entitlementId }])
  return view?.stored?.account.grants.length ?? 0
}

describe('a payment whose process dies', () => {
  it('after the attempt was written is asked for again, and charged once [payments#news]', async () => {
    const { scope, sessionId, entitlementId } = await opened()
    const processors = {
      ...store.processors,
      test: {
        ...store.processors.test,
        charge: () => new Promise<never>(() => undefined),
      },
    }
    // It hangs in the call to its processor for ever, as a killed process does.
    void payCheckout({ ...store, processors }, 'test', payingWith(sessionId, '4242424242424242'))
    const latest = async () => {
      const session = await store.sessions.get(scope, sessionId)
      return session?.paymentId == null ? null : store.payments.get(scope, session.paymentId)
    }
    await expect.poll(async () => (await latest())?.status).toBe('requires_confirmation')
    const second = payCheckout(store, 'test', payingWith(sessionId, '4242424242424242'))
    await expect(second).rejects.toMatchObject({ code: 'PREVIOUS_PAYMENT_PENDING' })
    await untilThen(store, scope, instantOf(january + 4 * minute))
    expect((await latest())?.status).toBe('requires_confirmation')
    await untilThen(store, scope, instantOf(january + 6 * minute))
    const payment = await latest()
    expect(payment?.status).toBe('succeeded')
    expect(await grantsOf(scope, entitlementId, payment?.customerId ?? '')).toBe(1)
    const third = payCheckout(store, 'test', payingWith(sessionId, '4242424242424242'))
    await expect(third).rejects.toMatchObject({ code: 'CHECKOUT_SESSION_CONSUMED' })
    expect(await store.payments.list(scope, anything, { limit: 10, offset: 0 })).toHaveLength(1)
  })

  it('is asked for again with what the session asked for: the holder has to confirm', async () => {
    const { scope, sessionId } = await opened(999, { forcesConfirmation: true })
    const test = { ...store.processors.test, charge: () => new Promise<never>(() => undefined) }
    const needs = { ...store, processors: { ...store.processors, test } }
    void payCheckout(needs, 'test', payingWith(sessionId, '4242424242424242'))
    const all = () => store.payments.list(scope, anything, { limit: 10, offset: 0 })
    await expect.poll(async () => (await all())[0]?.status).toBe('requires_confirmation')
    await untilThen(store, scope, instantOf(january + 6 * minute))
    expect((await all()).map(({ status }) => status)).toEqual(['requires_customer_action'])
  })

  it('between the claim of a purchase of 0 and its completion is completed later, once', async () => {
    const { scope, sessionId, entitlementId } = await opened(0)
    let commits = 0
    const commit: typeof store.changes.commit = (change) => {
      commits += 1
      return commits === 1 ? store.changes.commit(change) : new Promise(() => undefined)
    }
    // The turns of a process end with it.
    const dying = { ...store, changes: { ...store.changes, commit }, inTurn: openInTurn() }
    void payCheckout(dying, 'test', payingWith(sessionId, '4242424242424242'))
    const all = () => store.payments.list(scope, anything, { limit: 10, offset: 0 })
    await expect.poll(async () => (await all())[0]?.status).toBe('requires_confirmation')
    await expect.poll(() => commits).toBe(2)
    await untilThen(store, scope, instantOf(january + 6 * minute))
    await untilThen(store, scope, instantOf(january + 20 * minute))
    const [payment, ...others] = await all()
    expect(payment?.status).toBe('succeeded')
    expect(others).toEqual([])
    expect(await grantsOf(scope, entitlementId, payment?.customerId ?? '')).toBe(1)
  })

  it('hears what was still to be said, though the first answer was lost', async () => {
    const { scope, sessionId } = await opened()
    const test = { ...store.processors.test, charge: () => new Promise<never>(() => undefined) }
    const needs = { ...store, processors: { ...store.processors, test } }
    void payCheckout(needs, 'test', payingWith(sessionId, '4000000000007049'))
    const all = () => store.payments.list(scope, anything, { limit: 10, offset: 0 })
    await expect.poll(async () => (await all())[0]?.status).toBe('requires_confirmation')
    await untilThen(store, scope, instantOf(january + 7 * minute))
    expect((await all()).map(({ status }) => status)).toEqual(['succeeded'])
  })

  it('is asked for ever more rarely while its processor says nothing, and fails after two weeks', async () => {
    const { scope, sessionId } = await opened()
    let asked = 0
    const silent = {
      ...store.processors.test,
      charge: async () => {
        asked += 1
        throw new Error('no answer')
      },
    }
    const needs = { ...store, processors: { ...store.processors, test: silent } }
    await payCheckout(needs, 'test', payingWith(sessionId, '4242424242424242'))
    const payment = async () =>
      (await store.payments.list(scope, anything, { limit: 10, offset: 0 }))[0]
    await untilThen(needs, scope, instantOf(january + 14 * day - minute))
    expect((await payment())?.status).toBe('processing')
    await untilThen(needs, scope, instantOf(january + 60 * day))
    expect(asked).toBeGreaterThan(5)
    expect(asked).toBeLessThan(30)
    expect(await payment()).toMatchObject({
      status: 'failed',
      errorCode: 'NETWORK_TIMEOUT',
      updatedAt: january + 14 * day,
    })
  })

  it('is asked for again where nobody asks any more, as an earlier release has left it', async () => {
    const { scope, sessionId } = await opened()
    const test = { ...store.processors.test, charge: () => Promise.reject(new Error('silence')) }
    const needs = { ...store, processors: { ...store.processors, test } }
    await payCheckout(needs, 'test', payingWith(sessionId, '4242424242424242'))
    const found = async () =>
      (await store.payments.list(scope, anything, { limit: 10, offset: 0 }))[0]
    const forget = { text: 'delete from processor_news where business_id = $1' }
    await store.db.query({ ...forget, values: [scope.businessId] })
    expect(await store.processorNews.wake(instantOf(january + 59 * minute))).toBe(0)
    await untilThen(needs, scope, instantOf(january + 90 * day))
    expect((await found())?.status).toBe('processing')
    expect(await store.processorNews.wake(instantOf(january + 90 * day))).toBe(1)
    expect(await store.processorNews.wake(instantOf(january + 90 * day))).toBe(0)
    await untilThen(needs, scope, instantOf(january + 90 * day))
    expect(await found()).toMatchObject({ status: 'failed', errorCode: 'NETWORK_TIMEOUT' })
    expect(await store.processorNews.wake(instantOf(january + 99 * day))).toBe(0)
  })
})

const anything = {
  brandId: null,
  customerId: null,
  productId: null,
  subscriptionId: null,
  currency: null,
  status: null,
  disputeStatus: null,
  createdFrom: null,
  createdTo: null,
}

const creditsOf = (creditEntitlementId: string) => ({
  ...inherited,
  creditEntitlementId,
  creditsAmount: '100',
})
