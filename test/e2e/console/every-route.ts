import { beforeAll, describe, expect, it } from 'vitest'
import { here, items, moveOn } from './here.ts'

type Row = readonly [method: string, path: string]

/** What the console serves beyond the described API. */
const beyond: readonly Row[] = [
  ['POST', '/payments/{payment_id}/mark'],
  ['POST', '/payments/{payment_id}/disputes'],
  ['POST', '/refunds/{refund_id}/mark'],
  ['POST', '/disputes/{dispute_id}/move'],
  ['POST', '/subscriptions/{subscription_id}/preview'],
  ['POST', '/subscriptions/{subscription_id}/charge/preview'],
  ['POST', '/subscriptions/{subscription_id}/update-payment-method/preview'],
  ['GET', '/brands/{id}/holdings'],
  ['POST', '/keys'],
  ['DELETE', '/keys/{id}'],
  ['POST', '/meters/preview'],
  ['GET', '/things/{id}'],
  ['PUT', '/images/product/{product_id}'],
]

type Described = Readonly<Record<string, { readonly security?: readonly unknown[] }>>

describe('every route of the console', () => {
  let routes: readonly Row[] = []
  let calls = 0

  beforeAll(async () => {
    const { body } = await here.owner.call('GET ~/openapi.json')
    const described = Object.entries(body['paths'] as Readonly<Record<string, Described>>)
    const known = described.flatMap(([path, of]) =>
      Object.entries(of).flatMap(([method, { security }]) =>
        // What needs no key is not of the console, where events do not come from, either.
        security === undefined && path !== '/events/ingest' ? [[method.toUpperCase(), path]] : [],
      ),
    ) as unknown as readonly Row[]
    // A stream is never over.
    const whole = known.filter(([, path]) => !path.endsWith('/stream'))
    routes = [...whole, ...beyond].map(([method, path]) => [method, filled(path)])
  })

  /** With ids of the shop, so that each names something that there is. */
  function filled(path: string): string {
    const { shop } = here
    const byParent: Readonly<Record<string, string>> = {
      addons: shop.addon,
      brands: shop.brand,
      'credit-entitlements': shop.credit,
      disputes: shop.dispute,
      entitlements: shop.entitlement,
      license_keys: shop.license,
      meters: shop.meter,
      'product-collections': shop.collection,
      products: shop.product,
      things: shop.license,
      webhooks: shop.webhook,
    }
    const byName: Readonly<Record<string, string>> = {
      customer_id: shop.customer,
      discount_id: shop.discount,
      dispute_id: shop.dispute,
      payment_id: shop.payment,
      product_id: shop.product,
      refund_id: shop.refund,
      subscription_id: shop.subscription,
    }
    const steps = path.split('/')
    return steps
      .map((step, at) => {
        const [, name] = /^\{(.*)\}$/.exec(step) ?? []
        if (name === undefined) return step
        return byName[name] ?? byParent[steps[at - 1] ?? ''] ?? 'id_nobody'
      })
      .join('/')
  }

  /** One address has so many requests a minute. */
  function call(who: (typeof here)['owner'], [method, path]: Row, headers = {}) {
    calls += 1
    if (calls % 40 === 0) moveOn()
    const body = method === 'GET' ? {} : { body: { name: 'taken over', amount: 1 } }
    return who.call(`${method} /test${path}`, { ...body, headers })
  }

  it('answers nobody who is not logged in, and changes nothing for a viewer', async () => {
    expect(routes.length).toBeGreaterThan(150)
    for (const row of routes) {
      const nobody = await call(here.viewer, row, { Cookie: null })
      expect([row, nobody.status]).toEqual([row, 401])
      const [method, path] = row
      if (method === 'GET') continue
      // Looking ahead writes nothing, so a viewer may do so.
      if (path.endsWith('/preview')) continue
      expect([row, (await call(here.viewer, row)).status]).toEqual([row, 403])
    }
  }, 120_000)

  it('refuses what a page of somebody else sends, whatever it calls its content', async () => {
    const bare = { 'Sec-Fetch-Site': null, 'Sluice-Console': null }
    const foreign: readonly Readonly<Record<string, string | null>>[] = [
      { 'Sec-Fetch-Site': 'same-site' },
      { ...bare, 'Content-Type': 'text/plain' },
      { ...bare, 'Content-Type': 'application/x-www-form-urlencoded', Origin: 'null' },
      { 'Sec-Fetch-Site': null, Origin: 'http://127.0.0.1:9' },
    ]
    for (const [index, row] of routes.entries()) {
      const isRead = row[0] === 'GET'
      const headers = isRead ? foreign[0] : foreign[index % foreign.length]
      const { status } = await call(here.owner, row, headers)
      expect([row, headers, status]).toEqual([row, headers, 403])
    }
  }, 120_000)

  it('shows nothing of a business to the owner of another, and changes nothing of it', async () => {
    const before = await shown()
    for (const row of routes) {
      const { status, text } = await call(here.stranger, row)
      const names = Object.values(here.shop).filter((id) => row[1].includes(id))
      const tells = Object.values(here.shop).some((id) => !names.includes(id) && text.includes(id))
      expect([row, tells]).toEqual([row, false])
      if (names.length > 0) expect([row, status >= 400]).toEqual([row, true])
    }
    expect(await shown()).toEqual(before)
  }, 120_000)

  async function shown(): Promise<readonly unknown[]> {
    moveOn()
    const lists = ['customers', 'products', 'brands', 'webhooks', 'payments', 'subscriptions']
    const all = lists.map(async (list) => items(await here.owner.call(`GET /test/${list}`)))
    return Promise.all(all)
  }
})
