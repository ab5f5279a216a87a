import { describe, expect, it } from 'vitest'
import { at } from '../here.ts'
import { fresh } from '../plan.ts'
import { checkout, latestOf, monthly, pays, shopper } from '../shopper.ts'

/** Somebody who has paid for a plan of 20 euros, and a plan of 50 beside it. */
async function paying() {
  const { productId } = await monthly(at)
  const price = { type: 'recurring_price', currency: 'EUR', price: 5000, discount: 0 } as const
  const dear = await at.client().products.create({
    name: fresh('dear plan'),
    tax_category: 'saas',
    price: {
      ...price,
      payment_frequency_count: 1,
      payment_frequency_interval: 'Month',
      subscription_period_count: 1,
      subscription_period_interval: 'Year',
    },
  })
  const { session_id: sessionId } = await checkout(at, productId)
  await shopper(at).pay(sessionId, pays)
  const { subscription_id: id } = await latestOf(at, sessionId)
  return { id: id ?? '', dearId: dear.product_id }
}

const pathIn = (link: string | null | undefined): string => new URL(link ?? '').pathname
const card = { card_number: '5555 5555 5555 4444', card_expiry: '12/39', card_cvc: '123' }

describe('a page that settles [payments#settling-sessions]', () => {
  it('keeps another card for a subscription, in the language of the reader', async () => {
    const { id } = await paying()
    const before = await at.client().subscriptions.retrieve(id)
    const made = await at.client().subscriptions.updatePaymentMethod(id, {
      payment_method: { type: 'new', return_url: 'https://shop.example/back' },
    })
    expect(made).toMatchObject({
      client_secret: expect.stringContaining('_secret_cks_'),
      expires_on: expect.any(String),
      payment_id: expect.stringMatching(/^pay_/),
    })
    const path = pathIn(made.payment_link)
    const page = await shopper(at).visit(path, { 'Accept-Language': 'de' })
    expect([page.status, page.text.includes('Karte speichern')]).toEqual([200, true])
    expect((await shopper(at).send(`${path}/pay`, {})).status).toBe(422)
    const paid = await shopper(at).send(`${path}/pay`, card)
    expect(paid.status).toBe(303)
    expect(paid.location).toContain(`subscription_id=${id}&status=active`)
    const after = await at.client().subscriptions.retrieve(id)
    expect(after.payment_method_id).not.toBe(before.payment_method_id)
    const payment = await at.client().payments.retrieve(made.payment_id ?? '')
    expect(payment).toMatchObject({ is_update_payment_method: true, total_amount: 0 })
    expect((await shopper(at).visit(path)).status).toBe(410)
  })

  it('takes a card that its customer asks to enter in the portal, and nobody else', async () => {
    const { id } = await paying()
    const other = await paying()
    const before = await at.client().subscriptions.retrieve(id)
    const portalOf = async (customerId: string) =>
      pathIn((await at.client().customers.customerPortal.create(customerId)).link)
    const path = await portalOf(before.customer.customer_id)
    const person = shopper(at)
    expect((await person.visit(path, { 'Accept-Language': 'en' })).text).toContain('Another card')
    const opened = await person.send(`${path}/subscriptions/${id}/card`, {})
    expect([opened.status, opened.location]).toEqual([
      303,
      expect.stringMatching('^/checkout/cks_'),
    ])
    expect((await person.send(`${opened.location}/pay`, card)).status).toBe(303)
    const after = await at.client().subscriptions.retrieve(id)
    expect(after.payment_method_id).not.toBe(before.payment_method_id)
    const stolen = await person.send(`${path}/subscriptions/${other.id}/card`, {})
    expect(stolen.status).toBe(404)
  })

  it('pays for a change of the plan, once', async () => {
    const { dearId, id } = await paying()
    const asked = {
      product_id: dearId,
      quantity: 1,
      proration_billing_mode: 'difference_immediately',
      collect_via_payment_link: true,
      on_payment_failure: 'prevent_change',
    } as const
    const change = () => at.call(`POST /subscriptions/${id}/change-plan`, { body: asked })
    const { body } = await change()
    const path = pathIn(String(body['payment_link']))
    expect((await shopper(at).visit(path)).text).toContain('€30.00')
    expect((await at.client().subscriptions.retrieve(id)).product_id).not.toBe(dearId)
    expect(await change()).toMatchObject({
      status: 409,
      body: { code: 'PENDING_PLAN_CHANGE_EXISTS' },
    })
    const paid = await shopper(at).send(`${path}/pay`, card)
    expect([paid.status, paid.location?.endsWith('/done')]).toEqual([303, true])
    expect((await at.client().subscriptions.retrieve(id)).product_id).toBe(dearId)
  })

  it('refuses what does not go with it', async () => {
    const { dearId, id } = await paying()
    const change = { product_id: dearId, quantity: 1, proration_billing_mode: 'full_immediately' }
    const linked = { ...change, collect_via_payment_link: true }
    const calls = [
      ['change-plan', linked],
      ['change-plan', { ...linked, on_payment_failure: 'apply_change' }],
      [
        'change-plan',
        { ...linked, on_payment_failure: 'prevent_change', effective_at: 'next_billing_date' },
      ],
      ['update-payment-method', { type: 'new', payment_method_id: 'pm_1' }],
      ['update-payment-method', { type: 'existing' }],
      ['update-payment-method', { type: 'new', return_url: 'ftp://back' }],
    ] as const
    for (const [path, body] of calls) {
      const answer = await at.call(`POST /subscriptions/${id}/${path}`, { body })
      expect([path, answer.status, answer.body['code']]).toEqual([
        path,
        422,
        'INVALID_REQUEST_BODY',
      ])
    }
    const sepa = { type: 'new', allowed_payment_method_types: ['sepa'] }
    const answer = await at.call(`POST /subscriptions/${id}/update-payment-method`, { body: sepa })
    expect(answer).toMatchObject({ status: 422, body: { code: 'NO_ELIGIBLE_PAYMENT_METHODS' } })
  })
})
