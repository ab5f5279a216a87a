import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Call } from '../../support/edge/call.ts'
import { subscribed } from '../../support/store/branded.ts'
import type { ScratchCatalog } from '../../support/store/catalog-routes.ts'
import { catalogOnScratch } from '../../support/store/catalog-routes.ts'
import { base, oneTime } from '../../support/wire/products.ts'

let catalog: ScratchCatalog
let call: Call
let id: string
beforeAll(async () => {
  catalog = await catalogOnScratch()
})
afterAll(() => catalog.drop())
beforeEach(async () => {
  const business = await catalog.business()
  call = business.call
  id = business.id
})

const many = 64

const make = async (): Promise<string> => String((await call('POST /brands', {})).body['brand_id'])

const product = (brand: string) =>
  call('POST /products', { ...base, price: oneTime, brand_id: brand })

const archive = (brand: string, to: string | null) =>
  call(`POST /brands/${brand}/archive`, { move_products_to: to })

const times = <T>(count: number, one: (index: number) => Promise<T>): Promise<readonly T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => one(index)))

describe('archives of brands at once', { timeout: 240_000 }, () => {
  it('of two brands that name each other leave one of them', async () => {
    for (let round = 0; round < 4; round += 1) {
      const [a, b] = [await make(), await make()]
      const made = [await product(a), await product(a), await product(b)]
      const answers = await times(many, (index) =>
        index % 2 === 0 ? archive(a, b) : archive(b, a),
      )
      const [one, ...more] = answers.filter(({ status }) => status === 200)
      if (one === undefined) throw new Error('No archive.')
      expect(more).toEqual([])
      const rest = answers.filter(({ status }) => status !== 200).map(({ body }) => body.code)
      expect(new Set(rest)).toEqual(new Set(['BRAND_NOT_ENABLED', 'INVALID_REQUEST_BODY']))
      const { brand_id: gone, products_moved: count, moved_to_brand_id: to } = one.body
      expect([gone, to].toSorted()).toEqual([a, b].toSorted())
      expect(count).toBe(gone === a ? 2 : 1)
      for (const { body } of made) {
        expect((await call(`GET /products/${body.product_id}`)).body['brand_id']).toBe(to)
      }
    }
  })

  it('of one brand happen once', async () => {
    const [brand, to] = [await make(), await make()]
    await product(brand)
    const answers = await times(many, () => archive(brand, to))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(many - 1)
  })

  it('of many brands to one all move what they hold', async () => {
    const to = await make()
    const brands = await times(16, make)
    await times(16, (index) => product(brands[index] ?? ''))
    const answers = await times(16, (index) => archive(brands[index] ?? '', to))
    expect(answers.map(({ body }) => body['products_moved'])).toEqual(answers.map(() => 1))
    const { items } = (await call(`GET /products?brand_id=${to}&page_size=100`)).body
    expect(items).toHaveLength(16)
  })

  it('leave nothing behind that comes to the brand meanwhile, and count it', async () => {
    const scope = { businessId: id, mode: 'test' } as const
    for (let round = 0; round < 4; round += 1) {
      const [brand, to] = [await make(), await make()]
      const plan = (await product(brand)).body.product_id
      const elsewhere = (await product(to)).body.product_id
      const customers = await times(12, async () => {
        const made = await call('POST /customers', { email: 'a@b.c', name: 'A' })
        return made.body.customer_id
      })
      const subscribing = customers.map((customerId) => {
        const of = { customerId, brandId: brand, productId: plan, status: 'active' as const }
        return subscribed(catalog.changes, scope, of)
      })
      const [archived, moving, ...products] = await Promise.all([
        archive(brand, to),
        call(`PATCH /products/${elsewhere}`, { brand_id: brand }),
        ...Array.from({ length: many / 4 }, () => product(brand)),
      ])
      const subscriptions = await Promise.all(subscribing)
      expect(archived.status).toBe(200)
      expect([204, 409]).toContain(moving.status)
      const made = products.filter(({ status }) => status === 200)
      expect(products.every(({ status }) => status === 200 || status === 409)).toBe(true)
      const held = (await call(`GET /products?brand_id=${brand}`)).body.items
      expect(held).toEqual([])
      const cameAlong = moving.status === 204 ? 1 : 0
      expect(archived.body['products_moved']).toBe(1 + made.length + cameAlong)
      const brands = await catalog.brandsOf(scope)
      expect(subscriptions.map((each) => brands.get(each))).toEqual(subscriptions.map(() => to))
      expect(Number(archived.body['subscriptions_moved'])).toBeLessThanOrEqual(12)
    }
  })

  it('and a collection that takes products meanwhile stay of one brand', async () => {
    for (let round = 0; round < 4; round += 1) {
      const [brand, to] = [await make(), await make()]
      const plans = await times(4, async () => (await product(brand)).body.product_id)
      const [archived, ...collections] = await Promise.all([
        archive(brand, to),
        ...plans.map((plan) =>
          call('POST /product-collections', {
            name: plan,
            brand_id: brand,
            groups: [{ products: [{ product_id: plan }] }],
          }),
        ),
      ])
      const made = collections.filter(({ status }) => status === 200)
      expect(archived.body['collections_moved']).toBe(made.length)
      for (const { body } of made) {
        const read = await call(`GET /product-collections/${body.id}`)
        expect(read.body['brand_id']).toBe(to)
      }
    }
  })
})
