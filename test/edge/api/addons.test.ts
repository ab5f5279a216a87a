import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { instantOf } from '../../../src/std/instant.ts'
import type { ScratchCatalog } from '../../support/store/catalog-routes.ts'
import { catalogOnScratch } from '../../support/store/catalog-routes.ts'
import { base, oneTime, recurring, usageBased } from '../../support/wire/products.ts'

let catalog: ScratchCatalog
beforeAll(async () => {
  catalog = await catalogOnScratch()
})
afterAll(() => catalog.drop())

const seats = { name: 'Seats', price: 500, currency: 'USD', tax_category: 'saas' }

describe('add-ons', () => {
  it('are made, read, changed and listed newest first', async () => {
    const { id, call } = await catalog.business()
    const made = await call('POST /addons', { ...seats, unknown: 1 })
    expect(made).toEqual({
      status: 200,
      body: {
        ...seats,
        id: expect.stringMatching(/^adn_[\w-]{21}$/),
        business_id: id,
        description: null,
        image: null,
        created_at: '2027-01-15T08:00:00.000000Z',
        updated_at: '2027-01-15T08:00:00.000000Z',
      },
    })
    const path = `/addons/${made.body.id}` as const
    expect(await call(`GET ${path}`)).toEqual(made)
    const all = { name: 'S', price: 0, currency: 'JPY', tax_category: 'edtech', description: 'd' }
    const changed = await call(`PATCH ${path}`, all)
    expect(changed.body).toEqual({ ...made.body, ...all, updated_at: expect.any(String) })
    // Null clears the description, and keeps what cannot be empty.
    const nulls = Object.fromEntries(Object.keys(all).map((name) => [name, null]))
    const cleared = await call(`PATCH ${path}`, nulls)
    expect(cleared.body).toEqual({
      ...changed.body,
      description: null,
      updated_at: expect.any(String),
    })
    expect(await call(`GET ${path}`)).toEqual(cleared)
    const at = instantOf(1_900_000_000_000_000)
    const later = await call.as({ at })('POST /addons', { ...seats, description: 'more' })
    const { items } = (await call('GET /addons')).body
    expect(items).toEqual([later.body, cleared.body])
    expect((await call('GET /addons?page_size=1&page_number=1')).body.items).toEqual([cleared.body])
    expect((await call('GET /addons?page_size=101')).status).toBe(422)
  })

  it('are refused for a wrong shape, and unknown to others', async () => {
    const { call } = await catalog.business()
    const { call: other } = await catalog.business()
    const made = (await call('POST /addons', seats)).body.id
    const wrong: readonly [object, string][] = [
      [{ ...seats, name: 'n'.repeat(101) }, 'name must not be longer than 100'],
      [{ ...seats, name: undefined, nmae: 'x' }, "'nmae' looks like a misspelling"],
      [{ ...seats, price: -1 }, 'price must be a whole number from 0 to'],
      [{ ...seats, price: 1.5 }, 'price must be an integer'],
      [{ ...seats, price: null }, 'price must be an integer'],
      [{ ...seats, currency: 'usd' }, 'currency must be one of'],
      [{ ...seats, tax_category: 'toys' }, 'tax_category must be one of'],
      [{ ...seats, description: 'd'.repeat(1_001) }, 'description must not be longer'],
    ]
    for (const [body, message] of wrong) {
      const answer = await call('POST /addons', body)
      expect(answer).toMatchObject({ status: 422, body: { code: 'INVALID_REQUEST_BODY' } })
      expect(answer.body.message).toContain(message)
    }
    expect((await call(`PATCH /addons/${made}`, { price: 2 ** 31 })).status).toBe(422)
    for (const asked of [call(`GET /addons/adn_none`), other(`GET /addons/${made}`)]) {
      expect((await asked).status).toBe(404)
    }
    expect((await other(`PATCH /addons/${made}`, {})).status).toBe(404)
  })

  it('go with recurring products, each once, and only those that there are', async () => {
    const { call } = await catalog.business()
    const [one, two] = [
      (await call('POST /addons', seats)).body.id,
      (await call('POST /addons', seats)).body.id,
    ]
    const product = { ...base, price: recurring, addons: [two, one] }
    const made = await call('POST /products', product)
    expect(made.body['addons']).toEqual([two, one])
    const path = `/products/${made.body.product_id}` as const
    const cases: readonly [object, number, string][] = [
      [{ addons: ['adn_none'] }, 422, 'MISSING_ADDON_IDS'],
      [{ addons: [one, one] }, 422, 'DUPLICATE_ADDON_IDS_IN_REQUEST'],
      [{ addons: [one], price: oneTime }, 422, 'INVALID_REQUEST_BODY'],
      [{ addons: [one], price: usageBased }, 422, 'ADDONS_IN_USAGE_BASED_BILLING_NOT_SUPPORTED'],
      [{ addons: Array(11).fill(one) }, 422, 'INVALID_REQUEST_BODY'],
    ]
    for (const [change, status, code] of cases) {
      const answer = await call('POST /products', { ...product, ...change })
      expect([answer.status, answer.body.code]).toEqual([status, code])
      const changed = await call(`PATCH ${path}`, change)
      expect(changed.status, JSON.stringify(change)).toBe(422)
    }
    expect((await call(`PATCH ${path}`, { addons: [one] })).status).toBe(204)
    expect((await call(`GET ${path}`)).body['addons']).toEqual([one])
    expect((await call(`PATCH ${path}`, { name: 'N', addons: null })).status).toBe(204)
    expect((await call(`GET ${path}`)).body['addons']).toEqual([one])
    await call(`PATCH ${path}`, { addons: [] })
    expect((await call(`GET ${path}`)).body['addons']).toBe(null)
  })
})
