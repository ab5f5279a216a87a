import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Fault } from '../../../src/faults.ts'
import { applyBoundary } from '../../../src/operations/boundaries/apply-boundary.ts'
import { createCheckout } from '../../../src/operations/checkouts/create-checkout.ts'
import { payCheckout } from '../../../src/operations/checkouts/pay-checkout.ts'
import { rowAlone } from '../../../src/parts/store/changes.ts'
import type { Scope } from '../../../src/parts/store/scope.ts'
import { noChoices } from '../../../src/rules/commerce/payments/choices.ts'
import { nothingEntered } from '../../../src/rules/commerce/payments/payer.ts'
import type { Payment } from '../../../src/rules/commerce/payments/payment.ts'
import { after, hour } from '../../../src/std/instant.ts'
import { checkoutRequest } from '../../../src/wire/checkout.ts'
import { discount } from '../../rules/commerce/discounts/samples.ts'
import { onceFor, productOf } from '../../rules/commerce/payments/purchases.ts'
import type { ScratchStore } from '../../support/store/scratch-store.ts'
import { january, scratchStore } from '../../support/store/scratch-store.ts'

let store: ScratchStore
beforeAll(async () => {
  store = await scratchStore()
})
afterAll(() => store.drop())

async function shop(usageLimit: number) {
  const scope = await store.business()
  const product = productOf(store.newId('pdt'), onceFor(10_000))
  const code = discount({ discountId: store.newId('dsc'), code: 'LAST', amount: 1_000, usageLimit })
  const row = { ...code, createdAt: january, updatedAt: january }
  const rate = { country: 'DE' as const, region: null, category: null, rate: 190_000 }
  const taxes = { businessId: scope.businessId, rows: [rate] }
  for (const change of [
    { noun: 'product', expected: null, row: product } as const,
    { noun: 'discount', expected: null, row } as const,
    { noun: 'tax_table', expected: null, row: taxes } as const,
  ]) {
    expect(await store.changes.commit(rowAlone(scope, change))).toBe('committed')
  }
  return { scope, productId: product.productId, discountId: code.discountId }
}

async function opened(scope: Scope, productId: string, buyer: number): Promise<string> {
  const body = {
    product_cart: [{ product_id: productId, quantity: 1 }],
    billing_address: { country: 'DE' },
    discount_codes: ['last'],
  }
  const email = `buyer${buyer}@example.com`
  const customer = { email, name: null, phoneNumber: null }
  const request = { ...checkoutRequest(body), customer }
  return (await createCheckout(store, scope, { request, at: january })).sessionId
}

/** The payment, or why there is none. */
async function pays(sessionId: string, number = '4242424242424242'): Promise<Payment | string> {
  const card = { number, expiry: '12/39', cvc: '123', holder: null }
  const paying = { sessionId, details: nothingEntered, choices: noChoices, agreedTotal: null, card }
  try {
    const paid = await payCheckout(store, 'test', paying)
    return 'wrong' in paid ? (paid.wrong[0]?.field ?? '') : paid.payment
  } catch (error) {
    if (error instanceof Fault) return error.code
    throw error
  }
}

const countOf = async (scope: Scope, discountId: string) => {
  const found = await store.discounts.get(scope, discountId)
  return [found?.timesUsed, found?.held]
}

describe('a code with one use [resources#redemption]', () => {
  it('is one buyer’s of 64, and nobody else is charged', async () => {
    const { scope, productId, discountId } = await shop(1)
    const sessions: string[] = []
    for (let buyer = 0; buyer < 64; buyer += 1) {
      sessions.push(await opened(scope, productId, buyer))
    }
    const answers = await Promise.all(sessions.map((sessionId) => pays(sessionId)))
    const won = answers.flatMap((each) => (typeof each === 'string' ? [] : [each]))
    expect(won.map(({ status, tax, totalAmount }) => [status, tax, totalAmount])).toEqual([
      ['succeeded', 1_710, 10_710],
    ])
    const refused = new Set(answers.filter((each) => typeof each === 'string'))
    for (const why of refused) {
      expect(['DISCOUNT_CONCURRENT_REDEMPTION', 'discount_code']).toContain(why)
    }
    expect(await countOf(scope, discountId)).toEqual([1, 0])
  })

  it('is free again when its payment is declined, or nobody confirms it', async () => {
    const { scope, productId, discountId } = await shop(1)
    const first = await opened(scope, productId, 1)
    const second = await opened(scope, productId, 2)
    expect(await pays(first, '4000000000000002')).toMatchObject({ status: 'failed' })
    expect(await countOf(scope, discountId)).toEqual([0, 0])
    expect(await pays(first, '4000002760003184')).toMatchObject({
      status: 'requires_customer_action',
    })
    expect(await countOf(scope, discountId)).toEqual([0, 1])
    expect(await pays(second)).toBe('DISCOUNT_CONCURRENT_REDEMPTION')
    expect(await pays(first)).toMatchObject({ status: 'succeeded', totalAmount: 10_710 })
    expect(await countOf(scope, discountId)).toEqual([1, 0])
    expect(await pays(second)).toBe('discount_code')
  })

  it('is free again when the session of an attempt that nobody confirms expires', async () => {
    const { scope, productId, discountId } = await shop(1)
    const sessionId = await opened(scope, productId, 1)
    await pays(sessionId, '4000002760003184')
    for (const [hours, held] of [
      [23, 1],
      [25, 0],
    ] as const) {
      for (;;) {
        const [next] = await store.boundaries.due(after(january, hours * hour), scope, 1)
        if (next === undefined) break
        await applyBoundary(store, next)
      }
      expect(await countOf(scope, discountId)).toEqual([0, held])
    }
  })
})
