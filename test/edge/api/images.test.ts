import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pictures } from '../../support/files/pictures.ts'
import type { ScratchCatalog } from '../../support/store/catalog-routes.ts'
import { catalogOnScratch } from '../../support/store/catalog-routes.ts'
import { base, oneTime } from '../../support/wire/products.ts'

let catalog: ScratchCatalog
beforeAll(async () => {
  catalog = await catalogOnScratch()
})
afterAll(() => catalog.drop())

const png = pictures['image/png']
const clock = (seconds: number) => {
  catalog.clock.at = (1_800_000_000_000_000 + seconds * 1_000_000) as never
}

async function business() {
  clock(0)
  return catalog.business()
}

const pathOf = (url: unknown): `/${string}` => new URL(String(url)).pathname as `/${string}`

async function owners({ call }: Awaited<ReturnType<typeof business>>) {
  const seats = { name: 'Seats', price: 5, currency: 'USD', tax_category: 'saas' }
  const product = (await call('POST /products', { ...base, price: oneTime })).body.product_id
  const brand = (await call('POST /brands', { name: 'Labs' })).body['brand_id']
  const addon = (await call('POST /addons', seats)).body.id
  const groups = [{ products: [{ product_id: product }] }]
  const collection = (await call('POST /product-collections', { name: 'All', groups })).body.id
  return {
    product: `/products/${product}`,
    brand: `/brands/${brand}`,
    addon: `/addons/${addon}`,
    collection: `/product-collections/${collection}`,
  } as const
}

describe('images', () => {
  it('are uploaded without a key, and stand where they belong', async () => {
    const made = await business()
    const { call } = made
    for (const [owner, path] of Object.entries(await owners(made))) {
      expect((await call(`GET ${path}`)).body['image']).toBeNull()
      const named = owner === 'product' || owner === 'collection' ? '?force_update=true' : ''
      const offered = await call(`PUT ${path}/images${named}`)
      expect(offered).toEqual({
        status: 200,
        body: {
          url: expect.stringMatching(/^http:\/\/localhost\/images\/uploads\//),
          image_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        },
      })
      const imageId = offered.body['image_id']
      const taken = await call(`PUT ${pathOf(offered.body['url'])}`, png)
      const address = `http://localhost/images/${imageId}`
      expect(taken).toEqual({ status: 200, body: { image_id: imageId, url: address } })
      expect((await call(`GET ${path}`)).body['image']).toBe(address)
      // The same again changes nothing; another one is none of this address.
      const updatedAt = (await call(`GET ${path}`)).body['updated_at']
      expect((await call(`POST ${pathOf(offered.body['url'])}`, png)).status).toBe(200)
      if (owner === 'brand') expect(updatedAt).toBeUndefined()
      const other = pictures['image/webp']
      expect((await call(`PUT ${pathOf(offered.body['url'])}`, other)).status).toBe(409)
      expect((await call(`GET /images/${imageId}`)).status).toBe(200)
    }
  })

  it('are named by an image_id in PATCH, taken away by null, and are nobody else’s', async () => {
    const made = await business()
    const { call } = made
    const { product, addon } = await owners(made)
    const offered = (await call(`PUT ${addon}/images`)).body
    const unknown = { image_id: offered['image_id'] }
    expect(await call(`PATCH ${product}`, unknown)).toMatchObject({
      status: 422,
      body: { code: 'INVALID_REQUEST_BODY' },
    })
    await call(`PUT ${pathOf(offered['url'])}`, png)
    expect((await call(`PATCH ${product}`, unknown)).status).toBe(204)
    expect((await call(`GET ${product}`)).body['image']).toContain(offered['image_id'])
    expect((await call(`PATCH ${addon}`, { image_id: null })).body['image']).toBeNull()
    expect((await call(`PATCH ${addon}`, {})).body['image']).toBeNull()
    const { call: other } = await business()
    const theirs = (await other('POST /brands', { name: 'B' })).body['brand_id']
    expect((await other(`PATCH /brands/${theirs}`, unknown)).status).toBe(422)
    expect((await other(`PUT ${addon}/images`)).status).toBe(404)
    expect((await call.as({ mode: 'live' })(`PUT ${addon}/images`)).status).toBe(404)
    expect((await call.as({ mode: 'live' })(`GET /images/${offered['image_id']}`)).status).toBe(404)
  })

  it('without force_update have no name, and are there all the same', async () => {
    const made = await business()
    const { call } = made
    const { product } = await owners(made)
    const offered = (await call(`PUT ${product}/images`)).body
    expect(offered['image_id']).toBeNull()
    await call(`PUT ${pathOf(offered['url'])}`, pictures['image/jpeg'])
    expect((await call(`GET ${product}`)).body['image']).toMatch(/\/images\/[0-9a-f-]{36}$/)
    expect((await call(`PUT ${product}/images?force_update=maybe`)).status).toBe(422)
  })

  it('are refused by what they are, by their size, and after a minute', async () => {
    const made = await business()
    const { call } = made
    const { addon } = await owners(made)
    const url = pathOf((await call(`PUT ${addon}/images`)).body['url'])
    const big = Buffer.alloc(3 * 1024 * 1024 + 1)
    expect((await call(`PUT ${url}`, big)).status).toBe(413)
    expect((await call(`PUT ${url}`, Buffer.from('<svg/>'))).status).toBe(415)
    expect((await call(`PUT ${url}`, Buffer.alloc(0))).status).toBe(415)
    for (const wrong of [`${url}x`, '/images/uploads/a.b', '/images/uploads/x']) {
      expect((await call(`PUT ${wrong as '/x'}`, png)).status).toBe(403)
    }
    expect((await call.as({ mode: 'live' })(`PUT ${url}`, png)).status).toBe(403)
    clock(60)
    expect((await call(`PUT ${url}`, png)).status).toBe(403)
    expect((await call(`GET ${addon}`)).body['image']).toBeNull()
    clock(59)
    expect((await call(`PUT ${url}`, png)).status).toBe(200)
  })

  it('are not taken where nothing may change', async () => {
    const { id, call } = await business()
    expect(await call(`PUT /brands/${id}/images`)).toMatchObject({
      status: 403,
      body: { code: 'UNABLE_TO_EDIT_PRIMARY_BRAND' },
    })
    const brand = (await call('POST /brands', { name: 'Labs' })).body['brand_id']
    const url = pathOf((await call(`PUT /brands/${brand}/images`)).body['url'])
    await call(`POST /brands/${brand}/archive`, {})
    expect((await call(`PUT /brands/${brand}/images`)).status).toBe(409)
    expect((await call(`PUT ${url}`, png)).status).toBe(409)
    expect((await call(`PUT /addons/adn_none/images`)).status).toBe(404)
  })
})
