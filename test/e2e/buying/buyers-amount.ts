import { describe, expect, it } from 'vitest'
import { at } from '../here.ts'
import { fresh } from '../plan.ts'
import { latestOf, pays, shopper, tip } from '../shopper.ts'

const begin = async (productId: string, told: { amount?: number } = {}) => {
  const { session_id } = await at.client().checkoutSessions.create({
    product_cart: [{ product_id: productId, quantity: 2, ...told }],
    feature_flags: { allow_currency_selection: true },
  })
  return session_id
}

const valueIn = (text: string, name: string): string | null => {
  const input = text.split('<input ').find((each) => each.startsWith(`name="${name}"`))
  return /value="([^"]*)"/.exec(input ?? '')?.[1] ?? null
}

const charged = async (sessionId: string) => {
  const { currency, total_amount } = await latestOf(at, sessionId)
  return [currency, total_amount]
}

describe('a price that the buyer says [payments#choices]', () => {
  it('is asked for on the page, from what is suggested on', async () => {
    const productId = await tip(at, 700)
    const sessionId = await begin(productId)
    const person = shopper(at)
    const path = `/checkout/${sessionId}`
    const dollars = `amount[${productId}][USD]`
    const page = await person.visit(path)
    expect(valueIn(page.text, dollars)).toBe('7.00')
    expect(page.text).toContain('min="5.00" step="0.01"')
    const more = await person.send(path, { [dollars]: '12.50' })
    expect([more.status, valueIn(more.text, dollars)]).toEqual([200, '12.50'])
    expect(more.text).toContain('$25.00')
    const [less, none] = [
      await person.pay(sessionId, pays, { [dollars]: '4.99' }),
      await person.pay(sessionId, pays, { [dollars]: 'much' }),
    ]
    expect([less.status, less.text]).toEqual([
      422,
      expect.stringContaining('must be at least 5.00 USD'),
    ])
    expect([none.status, none.text]).toEqual([422, expect.stringContaining('an amount of USD')])
    const german = await person.visit(path, { 'Accept-Language': 'de' })
    expect(german.text).toContain('Ihr Preis (USD)')
    await person.pay(sessionId, pays, { [dollars]: '12.50', shown_total: 'USD 2500' })
    expect(await charged(sessionId)).toEqual(['USD', 2500])
  })

  it('is asked anew in another currency, and never read as units of it', async () => {
    const productId = await tip(at, 700)
    const sessionId = await begin(productId)
    const person = shopper(at)
    const said = { [`amount[${productId}][USD]`]: '12.50', currency: 'JPY' }
    const page = await person.send(`/checkout/${sessionId}`, said)
    expect(valueIn(page.text, `amount[${productId}][JPY]`)).toBe('90')
    expect(page.text).toContain('min="90" step="1"')
    const unseen = await person.pay(sessionId, pays, { ...said, shown_total: 'USD 2500' })
    expect(unseen.status).toBe(422)
    const yen = { [`amount[${productId}][JPY]`]: '120', currency: 'JPY' }
    await person.pay(sessionId, pays, yen)
    expect(await charged(sessionId)).toEqual(['JPY', 240])
  })

  it('holds where the seller has said it', async () => {
    const productId = await tip(at, 700)
    const sessionId = await begin(productId, { amount: 600 })
    const person = shopper(at)
    const field = `amount[${productId}][USD]`
    expect(valueIn((await person.visit(`/checkout/${sessionId}`)).text, field)).toBeNull()
    const other = await person.pay(sessionId, pays, { [field]: '5.50' })
    expect([other.status, await at.client().checkoutSessions.retrieve(sessionId)]).toEqual([
      422,
      expect.objectContaining({ payment_id: null }),
    ])
    await person.pay(sessionId, pays)
    expect(await charged(sessionId)).toEqual(['USD', 1200])
  })

  it('changes nothing where the price is the seller’s', async () => {
    const { product_id: productId } = await at.client().products.create({
      name: fresh('Book'),
      tax_category: 'edtech',
      price: { type: 'one_time_price', currency: 'USD', discount: 0, price: 900 },
    })
    const sessionId = await begin(productId)
    const person = shopper(at)
    const forged = await person.pay(sessionId, pays, { [`amount[${productId}][USD]`]: '0.01' })
    expect(forged.status).toBe(422)
    await person.pay(sessionId, pays)
    expect(await charged(sessionId)).toEqual(['USD', 1800])
  })

  it('begins at what the address of a static checkout says', async () => {
    const productId = await tip(at)
    const person = shopper(at)
    const path = `/buy/${productId}?paymentAmount=7.5`
    const { location } = await person.visit(path)
    const page = await person.visit(location ?? '')
    expect(valueIn(page.text, `amount[${productId}][USD]`)).toBe('7.50')
  })
})
