import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SubscriptionStatus } from '../../../src/rules/commerce/subscriptions/subscription.ts'
import { subscriptionStatuses } from '../../../src/rules/commerce/subscriptions/subscription.ts'
import type { Call } from '../../support/edge/call.ts'
import { subscribed } from '../../support/store/branded.ts'
import type { ScratchCatalog } from '../../support/store/catalog-routes.ts'
import { catalogOnScratch } from '../../support/store/catalog-routes.ts'
import { base, oneTime } from '../../support/wire/products.ts'

let catalog: ScratchCatalog
beforeAll(async () => {
  catalog = await catalogOnScratch()
})
afterAll(() => catalog.drop())

const nothing = {
  name: null,
  description: null,
  url: null,
  support_email: null,
  statement_descriptor: '',
  image: null,
  enabled: true,
  verification_enabled: false,
  verification_status: 'Success',
  reason_for_hold: null,
  archived_at: null,
}

const make = async (call: Call, body: object = {}): Promise<string> =>
  String((await call('POST /brands', body)).body['brand_id'])

const archive = (call: Call, id: string, body: object | undefined) =>
  call(`POST /brands/${id}/archive`, body)

const codeOf = async (answering: ReturnType<Call>) => {
  const { status, body } = await answering
  return [status, body.code]
}

describe('brands', () => {
  it('are made with nothing or everything, and read as they are', async () => {
    const { id, call } = await catalog.business()
    const whole = {
      name: 'Labs',
      description: 'of Acme',
      url: 'https://labs.example.com',
      support_email: 'help@example.com',
      statement_descriptor: 'ACME LABS',
    }
    const brand_id = expect.stringMatching(/^brnd_[\w-]{21}$/)
    for (const [body, shown] of [
      [{}, {}],
      [{ name: null, unknown_field: 5 }, {}],
      [{ name: 'Labs' }, { name: 'Labs', statement_descriptor: 'Labs' }],
      [whole, whole],
    ] as const) {
      const made = await call('POST /brands', body)
      expect(made).toEqual({
        status: 200,
        body: { ...nothing, business_id: id, brand_id, ...shown },
      })
      expect(await call(`GET /brands/${made.body['brand_id']}`)).toEqual(made)
    }
    const primary = await call(`GET /brands/${id}`)
    const shown = { ...nothing, name: 'Test', statement_descriptor: 'Test' }
    expect(primary.body).toEqual({ ...shown, business_id: id, brand_id: id })
    const { items } = (await call('GET /brands')).body
    expect(items).toHaveLength(5)
    expect(items.at(-1)).toEqual(primary.body)
    expect(await codeOf(call('GET /brands/brnd_none'))).toEqual([404, 'NOT_FOUND'])
  })

  it('of another business or mode are unknown', async () => {
    const [one, other] = [await catalog.business(), await catalog.business()]
    const id = await make(one.call, { name: 'Ours' })
    for (const call of [other.call, one.call.as({ mode: 'live' })]) {
      expect(await codeOf(call(`GET /brands/${id}`))).toEqual([404, 'NOT_FOUND'])
      expect(await codeOf(call(`PATCH /brands/${id}`, {}))).toEqual([404, 'NOT_FOUND'])
      expect(await codeOf(archive(call, id, {}))).toEqual([404, 'NOT_FOUND'])
    }
    expect(await codeOf(other.call(`GET /brands/${one.id}`))).toEqual([404, 'NOT_FOUND'])
  })

  it('change: what is sent is set, null clears, and what is absent stays', async () => {
    const { id, call } = await catalog.business()
    const brand = await make(call, { name: 'Labs', url: 'https://a.example', description: 'd' })
    const changed = await call(`PATCH /brands/${brand}`, { name: 'L', description: null })
    expect(changed).toMatchObject({
      status: 200,
      body: { name: 'L', description: null, url: 'https://a.example' },
    })
    expect(await call(`GET /brands/${brand}`)).toEqual(changed)
    expect(await call(`PATCH /brands/${brand}`, {})).toEqual(changed)
    const fixed = [403, 'UNABLE_TO_EDIT_PRIMARY_BRAND']
    expect(await codeOf(call(`PATCH /brands/${id}`, { name: 'x' }))).toEqual(fixed)
  })

  it('are refused for a wrong shape, with the field in the message', async () => {
    const { call } = await catalog.business()
    const brand = await make(call)
    const wrong: readonly [object, string][] = [
      [{ name: '' }, 'name must not be empty'],
      [{ name: 5 }, 'name must be a string or null'],
      [{ name: 'n'.repeat(256) }, 'name must not be longer than 255'],
      [{ description: 'd'.repeat(1_001) }, 'description must not be longer'],
      [{ support_email: 'nobody' }, 'support_email must be an e-mail address'],
      [{ url: [] }, 'url must be a string or null'],
      [[], 'The body must be an object'],
    ]
    for (const [body, message] of wrong) {
      for (const target of ['POST /brands', `PATCH /brands/${brand}`] as const) {
        const answer = await call(target, body)
        expect(answer, target).toMatchObject({
          status: 422,
          body: { code: 'INVALID_REQUEST_BODY' },
        })
        expect(answer.body.message).toContain(message)
      }
    }
  })
})

describe('an archive of a brand', () => {
  it('moves products, live subscriptions and collections, and counts them exactly', async () => {
    const { id, call } = await catalog.business()
    const scope = { businessId: id, mode: 'test' } as const
    const [from, to] = [await make(call, { name: 'From' }), await make(call, { name: 'To' })]
    const product = async (brand: string) =>
      (await call('POST /products', { ...base, price: oneTime, brand_id: brand })).body.product_id
    const mine = [await product(from), await product(from), await product(from)]
    await call(`DELETE /products/${mine[0]}`)
    const theirs = [await product(to), await product(id)]
    const groups = [{ products: [{ product_id: mine[0] ?? '' }] }]
    expect(
      await codeOf(call('POST /product-collections', { name: 'C', brand_id: from, groups })),
    ).toEqual([410, 'PRODUCT_IS_DELETED'])
    const collected = await call('POST /product-collections', {
      name: 'C',
      brand_id: from,
      groups: [{ products: [{ product_id: mine[1] }, { product_id: mine[2] }] }],
    })
    await call('POST /product-collections', { name: 'O', groups: [] })
    const customerId = (await call('POST /customers', { email: 'a@b.c', name: 'A' })).body
      .customer_id
    const states = subscriptionStatuses.map((status) => ({ customerId, brandId: from, status }))
    const ids = new Map<SubscriptionStatus, string>()
    for (const of of states) ids.set(of.status, await subscribed(catalog.changes, scope, of))
    await subscribed(catalog.changes, scope, { customerId, brandId: to, status: 'active' })

    const archived = await archive(call, from, { move_products_to: to })
    expect(archived).toEqual({
      status: 200,
      body: {
        brand_id: from,
        archived_at: '2027-01-15T08:00:00.000001Z',
        products_moved: 3,
        subscriptions_moved: 4,
        collections_moved: 1,
        moved_to_brand_id: to,
      },
    })
    for (const each of [...mine, theirs[0]]) {
      expect((await call(`GET /products/${each}`)).body['brand_id']).toBe(to)
    }
    expect((await call(`GET /products/${theirs[1]}`)).body['brand_id']).toBe(id)
    const moved = await call(`GET /product-collections/${collected.body.id}`)
    expect(moved.body['brand_id']).toBe(to)
    const brands = await catalog.brandsOf(scope)
    const live = ['pending', 'active', 'on_hold', 'paused']
    for (const [status, subscription] of ids) {
      expect([status, brands.get(subscription)]).toEqual([
        status,
        live.includes(status) ? to : from,
      ])
    }
    // It reads, and is listed when asked for.
    const read = await call(`GET /brands/${from}`)
    expect(read.body).toMatchObject({ enabled: false, archived_at: archived.body['archived_at'] })
    const listed = async (query: string) =>
      (await call(`GET /brands${query}`)).body.items.map((item) => item['brand_id'])
    expect(await listed('')).not.toContain(from)
    expect(await listed('?include_archived=false')).not.toContain(from)
    expect(await listed('?include_archived=true')).toContain(from)
    expect((await call('GET /brands?include_archived=yes')).status).toBe(422)
  })

  it('is for good: whatever would be new or changed on it is 409', async () => {
    const { call } = await catalog.business()
    const brand = await make(call)
    await archive(call, brand, {})
    const refused = [409, 'BRAND_NOT_ENABLED']
    expect(await codeOf(call(`PATCH /brands/${brand}`, { name: 'x' }))).toEqual(refused)
    expect(await codeOf(archive(call, brand, {}))).toEqual(refused)
    expect(await codeOf(archive(call, brand, { move_products_to: 'brnd_none' }))).toEqual(refused)
    const product = { ...base, price: oneTime }
    expect(await codeOf(call('POST /products', { ...product, brand_id: brand }))).toEqual(refused)
    const made = (await call('POST /products', product)).body.product_id
    expect(await codeOf(call(`PATCH /products/${made}`, { brand_id: brand }))).toEqual(refused)
    const collection = { name: 'C', groups: [], brand_id: brand }
    expect(await codeOf(call('POST /product-collections', collection))).toEqual(refused)
  })

  it('needs no target where nothing needs one, and then collections stay', async () => {
    const { id, call } = await catalog.business()
    const brand = await make(call)
    const scope = { businessId: id, mode: 'test' } as const
    const customerId = (await call('POST /customers', { email: 'a@b.c', name: 'A' })).body
      .customer_id
    await subscribed(catalog.changes, scope, { customerId, brandId: brand, status: 'cancelled' })
    const collection = (
      await call('POST /product-collections', { name: 'C', brand_id: brand, groups: [] })
    ).body.id
    const { body } = await archive(call, brand, { move_products_to: null })
    expect(body).toMatchObject({
      products_moved: 0,
      subscriptions_moved: 0,
      collections_moved: 0,
      moved_to_brand_id: null,
    })
    const kept = `/product-collections/${collection}` as const
    expect((await call(`GET ${kept}`)).body['brand_id']).toBe(brand)
    expect(await codeOf(call(`PATCH ${kept}`, { name: 'x' }))).toEqual([409, 'BRAND_NOT_ENABLED'])
    expect(await codeOf(call(`DELETE ${kept}`))).toEqual([409, 'BRAND_NOT_ENABLED'])
  })

  it('is refused in this order: 404, 403, 409, 422', async () => {
    const { id, call } = await catalog.business()
    const { call: other, id: otherId } = await catalog.business()
    const [brand, gone] = [await make(call), await make(call)]
    await archive(call, gone, {})
    const theirs = await make(other)
    const invalid = [422, 'INVALID_REQUEST_BODY']
    const target = (to: unknown) => archive(call, brand, { move_products_to: to })
    for (const body of [undefined, 'x', 5, [], { move_products_to: 5 }]) {
      expect(await codeOf(archive(call, 'brnd_none', body as object))).toEqual(invalid)
    }
    expect(await codeOf(archive(call, 'brnd_none', {}))).toEqual([404, 'NOT_FOUND'])
    const primary = [403, 'UNABLE_TO_EDIT_PRIMARY_BRAND']
    expect(await codeOf(archive(call, id, { move_products_to: 'brnd_none' }))).toEqual(primary)
    for (const wrong of ['brnd_none', brand, gone, theirs, otherId]) {
      expect(await codeOf(target(wrong)), wrong).toEqual(invalid)
    }
    await call('POST /products', { ...base, price: oneTime, brand_id: brand })
    // A name that is nearly right is not it.
    for (const body of [{}, { move_products_to: null }, { move_product_to: id }]) {
      const answer = await archive(call, brand, body)
      expect([answer.status, answer.body.code]).toEqual(invalid)
      expect(answer.body.message).toContain('move_products_to is required')
    }
    expect((await target(id)).body).toMatchObject({ products_moved: 1, moved_to_brand_id: id })
  })

  it('needs a target for a live subscription alone, too', async () => {
    const { id, call } = await catalog.business()
    const scope = { businessId: id, mode: 'test' } as const
    const brandId = await make(call)
    const customerId = (await call('POST /customers', { email: 'a@b.c', name: 'A' })).body
      .customer_id
    await subscribed(catalog.changes, scope, { customerId, brandId, status: 'paused' })
    expect(await codeOf(archive(call, brandId, {}))).toEqual([422, 'INVALID_REQUEST_BODY'])
    expect((await archive(call, brandId, { move_products_to: id })).body).toMatchObject({
      products_moved: 0,
      subscriptions_moved: 1,
    })
  })
})
