import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { instantOf } from '../../../src/std/instant.ts'
import type { Call } from '../../support/edge/call.ts'
import type { ScratchCatalog } from '../../support/store/catalog-routes.ts'
import { catalogOnScratch } from '../../support/store/catalog-routes.ts'

let catalog: ScratchCatalog
beforeAll(async () => {
  catalog = await catalogOnScratch()
})
afterAll(() => catalog.drop())

const tenth = { type: 'percentage', amount: 1_000 }
const start = 1_800_000_000_000_000

async function made(call: Call, body: object): Promise<string> {
  return String((await call('POST /discounts', body)).body['discount_id'])
}

describe('customers of a discount', () => {
  const ada = { email: 'ada@example.com', name: 'Ada' }

  it('are attached, listed and detached', async () => {
    const { call } = await catalog.business()
    const customers = [await call('POST /customers', ada), await call('POST /customers', ada)]
    const [one = '', two = ''] = customers.map(({ body }) => body.customer_id)
    const id = await made(call, { ...tenth, customer_eligibility: 'specific' })
    const path = `/discounts/${id}/customers` as const
    expect((await call(`GET ${path}`)).body).toEqual({ items: [] })
    const sent = { customer_ids: [one] }
    expect(await call(`POST ${path}`, sent)).toEqual({ status: 200, body: sent })
    const later = call.as({ at: instantOf(start + 1) })
    const both = { customer_ids: [one, two, one] }
    expect(await later(`POST ${path}`, both)).toEqual({ status: 200, body: both })
    const listed = async (query = '') =>
      (await call(`GET ${path}${query}`)).body.items.map((item) => item.customer_id)
    expect(await listed()).toEqual([two, one])
    expect(await listed('?page_size=1&page_number=1')).toEqual([one])
    expect((await call(`GET ${path}`)).body.items[1]).toEqual(customers[0]?.body)

    expect((await call(`DELETE ${path}/${two}`)).status).toBe(204)
    expect((await call(`DELETE ${path}/${two}`)).status).toBe(404)
    expect((await call(`DELETE ${path}/cus_none`)).status).toBe(404)
    expect(await listed()).toEqual([one])
  })

  it('must all exist, and be named', async () => {
    const { call } = await catalog.business()
    const { customer_id: one } = (await call('POST /customers', ada)).body
    const id = await made(call, tenth)
    const path = `/discounts/${id}/customers` as const
    const strange = await call.as({ mode: 'live' })('POST /customers', ada)
    for (const unknown of ['cus_none', strange.body.customer_id]) {
      const answer = await call(`POST ${path}`, { customer_ids: [one, unknown] })
      expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
      expect(answer.body.message).toContain(unknown)
    }
    expect((await call(`GET ${path}`)).body.items).toEqual([])
    for (const body of [{}, { customer_ids: [] }, { customer_ids: [7] }, { customer_ids: null }]) {
      const answer = await call(`POST ${path}`, body)
      expect(answer).toMatchObject({ status: 422, body: { code: 'INVALID_REQUEST_BODY' } })
    }
    const many = Array.from({ length: 1_001 }, () => one)
    expect((await call(`POST ${path}`, { customer_ids: many })).status).toBe(422)
    expect((await call('POST /discounts/dsc_none/customers', { customer_ids: [one] })).status).toBe(
      404,
    )
  })
})
