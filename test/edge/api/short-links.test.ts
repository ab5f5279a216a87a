import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shortLinkPage, shortLinkRoutes } from '../../../src/edge/api/short-links.ts'
import { caller } from '../../support/edge/call.ts'
import type { ScratchCatalog } from '../../support/store/catalog-routes.ts'
import { catalogOnScratch } from '../../support/store/catalog-routes.ts'
import { base, oneTime } from '../../support/wire/products.ts'

let catalog: ScratchCatalog
beforeAll(async () => {
  catalog = await catalogOnScratch()
})
afterAll(() => catalog.drop())

let made = 0
const slug = (): string => `Slug_${++made}-x`

async function opened() {
  const { id, call } = await catalog.business()
  const product = (await call('POST /products', { ...base, price: oneTime })).body.product_id
  const create = (body: object) => call(`POST /products/${product}/short_links`, body)
  return { id, call, product, create }
}

describe('short links', () => {
  it('stand for the checkout of a product, with its parameters in their order', async () => {
    const { call, product, create } = await opened()
    const [one, two] = [slug(), slug()]
    const params = { quantity: '2', email: 'a+b@c.de', 'metadata_a b': 'ä&=', z: '', a: '1' }
    const query = 'quantity=2&email=a%2Bb%40c.de&metadata_a+b=%C3%A4%26%3D&z=&a=1'
    const whole = `http://localhost/buy/${product}?${query}`
    const answer = await create({ slug: one, static_checkout_params: params, unknown: 1 })
    expect(answer).toEqual({
      status: 200,
      body: { full_url: whole, short_url: `http://localhost/s/${one}` },
    })
    const bare = await create({ slug: two, static_checkout_params: null })
    expect(bare.body['full_url']).toBe(`http://localhost/buy/${product}`)
    const created_at = '2027-01-15T08:00:00.000000Z'
    const listed = (body: object) => ({ ...body, product_id: product, created_at })
    const all = [listed(bare.body), listed(answer.body)]
    expect((await call('GET /products/short_links')).body.items).toEqual(all)
    expect((await call(`GET /products/short_links?product_id=${product}`)).body.items).toEqual(all)
    expect((await call('GET /products/short_links?product_id=x')).body.items).toEqual([])
    expect((await call('GET /products/short_links?page_size=1')).body.items).toEqual([all[0]])
  })

  it('have a slug of 3 to 64 plain characters, which nobody else has in any case', async () => {
    const { create, call } = await opened()
    const other = await opened()
    const one = slug()
    expect((await create({ slug: one })).status).toBe(200)
    for (const taken of [one, one.toUpperCase(), one.toLowerCase()]) {
      for (const each of [create, other.create]) {
        const { status, body } = await each({ slug: taken })
        expect([status, body.code]).toEqual([409, 'SLUG_ALREADY_TAKEN'])
      }
    }
    const inLive = call.as({ mode: 'live' })
    const live = (await inLive('POST /products', { ...base, price: oneTime })).body.product_id
    const again = await inLive(`POST /products/${live}/short_links`, { slug: one })
    expect(again.status).toBe(200)
    const wrong = ['ab', 'a'.repeat(65), 'a b', 'a/b', 'ä-ä', 'a.b', '', null, 5, undefined]
    for (const each of wrong) {
      const { status, body } = await create({ slug: each })
      expect([status, body.code], String(each)).toEqual([422, 'INVALID_REQUEST_BODY'])
    }
    const { body } = await create({ slgu: 'abc' })
    expect(body.message).toContain("'slgu' looks like a misspelling")
    for (const params of [{ a: 1 }, { a: null }, [], 'x', { '': 'a' }, { a: 'x'.repeat(501) }]) {
      const { status } = await create({ slug: slug(), static_checkout_params: params })
      expect(status, JSON.stringify(params)).toBe(422)
    }
  })

  it('are made once for a slug, however many try', async () => {
    const { create } = await opened()
    const wanted = slug()
    const answers = await Promise.all(Array.from({ length: 24 }, () => create({ slug: wanted })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(23)
  })

  it('are refused for a product that is not there or archived, and listed by their business', async () => {
    const { call, product, create } = await opened()
    const other = await opened()
    await create({ slug: slug() })
    expect((await other.call('GET /products/short_links')).body.items).toEqual([])
    expect((await call('POST /products/pdt_none/short_links', { slug: slug() })).status).toBe(404)
    const theirs = await other.call(`POST /products/${product}/short_links`, { slug: slug() })
    expect(theirs.status).toBe(404)
    await call(`DELETE /products/${product}`)
    const { status, body } = await create({ slug: slug() })
    expect([status, body.code]).toEqual([410, 'PRODUCT_IS_DELETED'])
  })

  it('lead there without a key, in the mode of the host', async () => {
    const { product, create } = await opened()
    const one = slug()
    await create({ slug: one, static_checkout_params: { quantity: '3' } })
    const page = shortLinkPage({ shortLinks: catalog.shortLinks, publicUrl: 'https://pay.example' })
    const follow = (wanted: string, mode: 'test' | 'live') =>
      page.handler({ mode, param: () => wanted, header: () => null } as never)
    for (const spelt of [one, one.toUpperCase()]) {
      const { status, headers } = await follow(spelt, 'test')
      expect([status, headers?.['Location']]).toEqual([
        302,
        `https://pay.example/buy/${product}?quantity=3`,
      ])
    }
    await expect(follow(one, 'live')).rejects.toThrow('There is no short link')
    await expect(follow('no\0thing', 'test')).rejects.toThrow('There is no short link')
  })

  it('begin with the address that the operator named', async () => {
    const { id, product } = await opened()
    const routes = shortLinkRoutes({ ...catalog, publicUrl: 'https://pay.example/x' })
    const call = caller(routes, { businessId: id })
    const one = slug()
    const { body } = await call(`POST /products/${product}/short_links`, { slug: one })
    expect(body).toEqual({
      full_url: `https://pay.example/x/buy/${product}`,
      short_url: `https://pay.example/x/s/${one}`,
    })
  })
})
