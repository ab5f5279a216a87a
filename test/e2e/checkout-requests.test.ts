import { describe, expect, it } from 'vitest'
import { at } from './here.ts'
import { fresh } from './plan.ts'
import { checkout, pack, shopper } from './shopper.ts'

describe('a request for a checkout session', () => {
  it('refuses what cannot be paid, and names the field', async () => {
    const { productId } = await pack(at)
    const cart = [{ product_id: productId, quantity: 1 }]
    const other = await at.client().products.create({
      name: fresh('dollars'),
      tax_category: 'saas',
      price: {
        type: 'one_time_price',
        currency: 'USD',
        price: 500,
        discount: 0,
        purchasing_power_parity: false,
        pay_what_you_want: true,
      },
    })
    const paying = { product_id: other.product_id, quantity: 1 }
    const wrong: readonly [object, number, string, string][] = [
      [{}, 422, 'INVALID_REQUEST_BODY', 'product_cart'],
      [{ product_cart: [] }, 422, 'PRODUCT_CART_EMTPY', 'product_cart'],
      [{ product_cart: [{ product_id: 'pdt_x', quantity: 1 }] }, 404, 'NOT_FOUND', 'pdt_x'],
      [
        { product_cart: [{ product_id: productId, quantity: 0 }] },
        422,
        'INVALID_REQUEST_BODY',
        'quantity',
      ],
      [
        { product_cart: [...cart, ...cart] },
        422,
        'DUPLICATE_LINE_ITEMS_IN_REQUEST',
        'product_cart',
      ],
      [
        { product_cart: [...cart, { ...paying, amount: 600 }] },
        422,
        'UNSUPPORTED_BILLING_CURRENCY',
        'currency',
      ],
      [{ product_cart: [paying] }, 422, 'PAY_AS_YOU_WANT_AMOUNT_REQUIRED', 'amount'],
      [
        { product_cart: [{ ...paying, amount: 499 }] },
        422,
        'REQUEST_AMOUNT_BELOW_MINIMUM',
        'amount',
      ],
      [
        { product_cart: [{ product_id: productId, quantity: 2_150_000 }] },
        422,
        'INVALID_REQUEST_BODY',
        'total',
      ],
      [
        { product_cart: cart, feature_flags: { allow_taxid: true } },
        422,
        'INVALID_REQUEST_BODY',
        'feature_flags',
      ],
      [{ product_cart: cart, customer: { customer_id: 'cus_x' } }, 404, 'NOT_FOUND', 'cus_x'],
      [
        { product_cart: cart, return_url: 'javascript:x' },
        422,
        'INVALID_REQUEST_BODY',
        'return_url',
      ],
      [{ product_cart: cart, discount_code: 'NONE' }, 422, 'INVALID_DISCOUNT_CODE', 'NONE'],
      [{ product_cart: cart, confirm: true }, 422, 'INVALID_REQUEST_BODY', 'customer'],
      [
        { product_cart: cart, allowed_payment_method_types: ['ideal'] },
        422,
        'NO_ELIGIBLE_PAYMENT_METHODS',
        'allowed_payment_method_types',
      ],
    ]
    for (const [body, status, code, named] of wrong) {
      for (const path of ['POST /checkouts', 'POST /checkouts/preview'] as const) {
        if (path.endsWith('preview') && code === 'NOT_FOUND' && named === 'cus_x') continue
        const answer = await at.call(path, { body })
        expect([answer.status, answer.body.code], JSON.stringify(body)).toEqual([status, code])
        expect(answer.body.message).toContain(named)
      }
    }
  })

  it('is previewed to the unit, by a key that may only read', async () => {
    const { creditId, productId } = await pack(at)
    const preview = await at.client(at.keys.read).checkoutSessions.preview({
      product_cart: [{ product_id: productId, quantity: 2 }],
      billing_address: { country: 'FR' },
    })
    expect(preview).toMatchObject({
      billing_country: 'FR',
      currency: 'EUR',
      total_price: 1_998,
      current_breakup: { subtotal: 1_998, discount: 0, tax: 0, total_amount: 1_998 },
      product_cart: [
        {
          og_price: 999,
          quantity: 2,
          credit_entitlements: [{ credit_entitlement_id: creditId, credits_amount: '100' }],
        },
      ],
    })
    const refused = await at.call('POST /checkouts', {
      key: at.keys.read,
      body: { product_cart: [{ product_id: productId, quantity: 2 }] },
    })
    expect(refused.status).toBe(403)
  })

  it('speaks the language of its reader, or the one that the seller wants', async () => {
    const { productId } = await pack(at)
    const session = await checkout(at, productId)
    const path = `/checkout/${session.session_id}`
    const words = { en: 'Pay', de: 'Bezahlen', fr: 'Payer', es: 'Pagar', ja: '支払う' }
    for (const [language, word] of Object.entries(words)) {
      const page = await shopper(at).visit(path, { 'Accept-Language': `${language};q=0.9` })
      expect([page.text.includes(`lang="${language}"`), page.text.includes(word)]).toEqual([
        true,
        true,
      ])
      expect(page.text.length).toBeLessThan(60_000)
    }
    const forced = await checkout(at, productId, { customization: { force_language: 'ja' } })
    const page = await shopper(at).visit(`/checkout/${forced.session_id}`, {
      'Accept-Language': 'de',
    })
    expect(page.text).toContain('lang="ja"')
  })
})
