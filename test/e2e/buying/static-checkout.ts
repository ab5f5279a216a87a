import { describe, expect, it } from 'vitest'
import { at } from '../here.ts'
import { fresh } from '../plan.ts'
import { latestOf, pack, pays, shopper, tip } from '../shopper.ts'

const sessionIn = (location: string | null): string =>
  /^\/checkout\/(cks_[\w-]+)$/.exec(location ?? '')?.[1] ?? `none in ${location}`

describe('a static checkout [payments#static-checkout]', () => {
  it('makes a session of its own at each visit, which its buyer pays', async () => {
    const { productId } = await pack(at)
    const person = shopper(at)
    const path = `/buy/${productId}?quantity=2&fullName=Ada&zipCode=10115&metadata_order=7&utm_source=x`
    const [one, two] = [await person.visit(path), await person.visit(path)]
    expect([one.status, two.status, one.headers.get('cache-control')]).toEqual([
      303,
      303,
      'no-store',
    ])
    const sessionId = sessionIn(one.location)
    expect(sessionIn(two.location)).not.toBe(sessionId)
    const page = await person.visit(one.location ?? '')
    expect(page.text).toMatch(/<input name="name"[^>]* value="Ada"/)
    expect(page.text).toMatch(/<input name="zipcode"[^>]* value="10115"/)
    const paid = await person.pay(sessionId, pays, { email: 'first@example.com', zipcode: '20095' })
    expect([paid.status, paid.location]).toEqual([303, `/checkout/${sessionId}/done`])
    expect(await latestOf(at, sessionId)).toMatchObject({
      status: 'succeeded',
      total_amount: 1998,
      metadata: { order: '7' },
      billing: { zipcode: '20095' },
      customer: { email: 'first@example.com', name: 'Ada' },
    })
  })

  it('asks the least of a price that buyers choose, in the money that it is sold for', async () => {
    const productId = await tip(at)
    const person = shopper(at)
    const paid = async (query: string) => {
      const begun = await person.visit(`/buy/${productId}${query}`)
      await person.pay(sessionIn(begun.location), pays)
      const { currency, total_amount } = await latestOf(at, sessionIn(begun.location))
      return [currency, total_amount]
    }
    expect(await paid('')).toEqual(['USD', 500])
    expect(await paid('?paymentAmount=7.5')).toEqual(['USD', 750])
    expect(await paid('?paymentCurrency=JPY')).toEqual(['JPY', 90])
    expect(await paid('?paymentCurrency=JPY&paymentAmount=120')).toEqual(['JPY', 120])
    const less = await person.visit(`/buy/${productId}?paymentAmount=4.99`)
    expect([less.status, less.text]).toEqual([422, expect.stringContaining('at least 5 USD')])
    const finer = await person.visit(`/buy/${productId}?paymentCurrency=JPY&paymentAmount=7.5`)
    expect([finer.status, finer.text]).toEqual([422, expect.stringContaining('without decimals')])
  })

  it('lets the buyer correct the e-mail, unless the link holds it', async () => {
    const { productId } = await pack(at)
    const person = shopper(at)
    const told = `${fresh('told').replace(' ', '.')}@example.com`
    await at.client().customers.create({ email: told, name: 'Somebody else' })
    for (const [held, paysAs] of [
      ['false', 'entered@example.com'],
      ['true', told],
    ] as const) {
      const begun = await person.visit(`/buy/${productId}?email=${told}&disableEmail=${held}`)
      await person.pay(sessionIn(begun.location), pays, { email: 'entered@example.com' })
      const { customer } = await latestOf(at, sessionIn(begun.location))
      expect(customer.email).toBe(paysAs)
    }
  })

  it('says on a page what is wrong, in the language of the reader', async () => {
    const { productId } = await pack(at)
    const gone = await pack(at)
    await at.client().products.archive(gone.productId)
    const person = shopper(at)
    const refused = [
      ['/buy/pdt_none', 404, 'Unter dieser Adresse ist nichts'],
      ['/buy/%00', 404, 'NOT_FOUND'],
      [`/buy/${gone.productId}`, 410, 'Das wird nicht mehr verkauft'],
      [`/buy/${productId}?quantity=x`, 422, 'Das geht so nicht'],
      ['/s/no-such-slug', 404, 'Unter dieser Adresse ist nichts'],
      ['/checkout/cks_none', 404, 'Unter dieser Adresse ist nichts'],
    ] as const
    for (const [path, status, saying] of refused) {
      const answer = await person.visit(path, { 'Accept-Language': 'de-AT,en;q=0.5' })
      expect([answer.status, answer.text], path).toEqual([status, expect.stringContaining(saying)])
    }
    const live = await fetch(`${at.url('live')}/buy/${productId}`, { redirect: 'manual' })
    expect(live.status).toBe(404)
    const head = await fetch(`${at.url()}/buy/${productId}`, { method: 'HEAD', redirect: 'manual' })
    expect([head.status, head.headers.get('location')]).toEqual([204, null])
  })

  it('is where a short link leads, and stays payable where the product is archived later', async () => {
    const { productId } = await pack(at)
    const slug = fresh('Sale').replace(/\W/g, '-')
    const { full_url, short_url } = await at.client().products.shortLinks.create(productId, {
      slug,
      static_checkout_params: { quantity: '3', metadata_order: '9' },
    })
    const person = shopper(at)
    const led = await person.visit(new URL(short_url).pathname.toLowerCase())
    expect([led.status, led.location]).toEqual([302, full_url])
    const begun = await person.visit(full_url.slice(at.url().length))
    const sessionId = sessionIn(begun.location)
    await person.pay(sessionId, pays)
    expect(await latestOf(at, sessionId)).toMatchObject({
      total_amount: 2997,
      metadata: { order: '9' },
    })
    await at.client().products.archive(productId)
    expect((await person.visit(`/checkout/${sessionId}/done`)).status).toBe(200)
    expect((await person.visit(`/checkout/${sessionId}`)).status).toBe(410)
    expect((await person.visit(full_url.slice(at.url().length))).status).toBe(410)
  })
})

describe('pages [requests#limits]', () => {
  it('have windows of their own, ten times as wide', async () => {
    const from = { 'X-Forwarded-For': '203.0.113.77' }
    const page = () => fetch(`${at.url()}/docs`, { headers: from })
    const first = await page()
    expect(first.headers.get('x-ratelimit-limit')).toMatch(/^(200|1000)$/)
    const api = await fetch(`${at.url()}/payments`, { headers: from })
    expect([api.status, api.headers.get('x-ratelimit-limit')]).toEqual([401, '20'])
    const many = await Promise.all(Array.from({ length: 60 }, page))
    expect(new Set(many.map(({ status }) => status))).toEqual(new Set([200]))
  })
})
