import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { currencies } from '../../../src/rules/commerce/currency.ts'
import type { ScratchCatalog } from '../../support/store/catalog-routes.ts'
import { catalogOnScratch } from '../../support/store/catalog-routes.ts'
import { base, oneTime } from '../../support/wire/products.ts'

let catalog: ScratchCatalog
beforeAll(async () => {
  catalog = await catalogOnScratch()
})
afterAll(() => catalog.drop())

async function opened(pricing_mode: string | null) {
  const { call } = await catalog.business()
  const made = await call('POST /products', { ...base, price: oneTime, pricing_mode })
  expect([made.status, made.body['pricing_mode']]).toEqual([200, pricing_mode])
  const product = `/products/${made.body.product_id}` as const
  const path = `${product}/localized-prices` as const
  const list = async () => (await call(`GET ${path}`)).body.items
  const create = (body: object) => call(`POST ${path}`, body)
  const codeOf = async (body: object) => {
    const answer = await create(body)
    return [answer.status, answer.body.code]
  }
  return { call, id: made.body.product_id, product, path, list, create, codeOf }
}

describe('localized prices', () => {
  it('are one for each currency, and only their amount changes', async () => {
    const { call, id, path, list, create, codeOf } = await opened('by_currency')
    const made = await create({ amount: 450, currency: 'EUR', unknown: 1 })
    expect(made).toEqual({
      status: 201,
      body: {
        id: expect.stringMatching(/^lcp_[\w-]{21}$/),
        product_id: id,
        mode: 'by_currency',
        currency: 'EUR',
        country_code: null,
        amount: 450,
        created_at: '2027-01-15T08:00:00.000000Z',
        updated_at: '2027-01-15T08:00:00.000000Z',
      },
    })
    const one = `${path}/${made.body.id}` as const
    expect(await call(`GET ${one}`)).toEqual({ status: 200, body: made.body })
    expect(await codeOf({ amount: 9, currency: 'EUR' })).toEqual([
      409,
      'LOCALIZED_PRICE_ALREADY_EXISTS',
    ])
    expect(await codeOf({ amount: 9, currency: 'USD' })).toEqual([
      422,
      'LOCALIZED_PRICE_DUPLICATES_BASE',
    ])
    expect(await codeOf({ amount: 9, currency: 'GBP', country_code: 'GB' })).toEqual([
      422,
      'LOCALIZED_PRICE_SHAPE_MISMATCH',
    ])
    const changed = await call(`PATCH ${one}`, { amount: 500, country_code: null })
    expect(changed.body).toEqual({ ...made.body, amount: 500, updated_at: expect.any(String) })
    const kept = await call(`PATCH ${one}`, { amount: null })
    expect(kept.body).toMatchObject({ amount: 500 })
    for (const [wrong, says] of [
      [{ amount: 0 }, 'amount must be a whole number from 1 to'],
      [{ amount: '5' }, 'amount must be'],
      [{ currency: 'USD' }, 'currency cannot be changed'],
      [{ country_code: 'DE' }, 'country_code cannot be changed'],
    ] as const) {
      const answer = await call(`PATCH ${one}`, wrong)
      expect([answer.status, answer.body.code]).toEqual([422, 'INVALID_REQUEST_BODY'])
      expect(answer.body.message).toContain(says)
    }
    const archived = await Promise.all([call(`DELETE ${one}`), call(`DELETE ${one}`)])
    expect(archived).toEqual([{ status: 204 }, { status: 204 }])
    expect(await list()).toEqual([])
    expect((await call(`GET ${one}`)).status).toBe(200)
    expect((await call(`PATCH ${one}`, { amount: 5 })).status).toBe(404)
    expect((await create({ amount: 9, currency: 'EUR' })).status).toBe(201)
    expect((await list()).map((each) => each['amount'])).toEqual([9])
  })

  it('are one for each country, in whatever currency', async () => {
    const { create, codeOf, list } = await opened('by_country')
    expect(await codeOf({ amount: 1, currency: 'INR' })).toEqual([
      422,
      'LOCALIZED_PRICE_SHAPE_MISMATCH',
    ])
    expect((await create({ amount: 5, currency: 'USD', country_code: 'IN' })).status).toBe(201)
    expect((await create({ amount: 5, currency: 'USD', country_code: 'BR' })).status).toBe(201)
    expect(await codeOf({ amount: 1, currency: 'INR', country_code: 'IN' })).toEqual([
      409,
      'LOCALIZED_PRICE_ALREADY_EXISTS',
    ])
    expect(await codeOf({ amount: 1, currency: 'INR', country_code: 'XX' })).toEqual([
      422,
      'INVALID_REQUEST_BODY',
    ])
    expect(await list()).toHaveLength(2)
  })

  it('need a mode, end with it, and are found under their product alone', async () => {
    const { call, product, path, list, create, codeOf } = await opened(null)
    expect(await codeOf({ amount: 1, currency: 'EUR' })).toEqual([
      422,
      'PRODUCT_PRICING_MODE_REQUIRED',
    ])
    await call(`PATCH ${product}`, { pricing_mode: 'by_currency' })
    const euro = (await create({ amount: 1, currency: 'EUR' })).body.id
    await call(`PATCH ${product}`, { pricing_mode: 'by_currency', name: 'N' })
    expect(await list()).toHaveLength(1)
    const price = { ...oneTime, currency: 'EUR' }
    const clash = await call(`PATCH ${product}`, { price })
    expect([clash.status, clash.body.code]).toEqual([422, 'LOCALIZED_PRICE_DUPLICATES_BASE'])
    await call(`PATCH ${product}`, { pricing_mode: 'by_country', price })
    expect([(await list()).length, (await call(`GET ${path}/${euro}`)).status]).toEqual([0, 200])
    await create({ amount: 1, currency: 'EUR', country_code: 'DE' })
    await call(`PATCH ${product}`, { pricing_mode: null })
    expect(await list()).toEqual([])
    const { body: other } = await call('POST /products', { ...base, price: oneTime })
    const elsewhere = `/products/${other.product_id}/localized-prices` as const
    for (const [target, body] of [
      [`GET ${elsewhere}/${euro}`, undefined],
      [`PATCH ${elsewhere}/${euro}`, {}],
      [`DELETE ${elsewhere}/${euro}`, undefined],
      ['GET /products/pdt_none/localized-prices', undefined],
      ['POST /products/pdt_none/localized-prices', { amount: 1, currency: 'EUR' }],
    ] as const) {
      expect((await call(target, body)).status, target).toBe(404)
    }
  })

  it('of one market at once are made once, and none gets past a change of the product', async () => {
    const { call, product, list, create } = await opened('by_currency')
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, n) =>
        create({ amount: n + 1, currency: n % 2 === 0 ? 'EUR' : 'GBP' }),
      ),
    )
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(2)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(22)
    const others = currencies.filter((each) => !['EUR', 'GBP', 'USD'].includes(each)).slice(0, 8)
    const [ended, ...made] = await Promise.all([
      call(`PATCH ${product}`, { pricing_mode: null }),
      ...others.map((currency) => create({ amount: 1, currency })),
    ])
    expect(ended.status).toBe(204)
    expect(made.every(({ status }) => status === 201 || status === 422)).toBe(true)
    expect(await list()).toEqual([])
  })
})
