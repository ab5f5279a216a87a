import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnswerBody } from '../../support/edge/call.ts'
import type { ScratchCatalog } from '../../support/store/catalog-routes.ts'
import { catalogOnScratch } from '../../support/store/catalog-routes.ts'
import { codeOf, groupsOf, openCollections } from '../../support/wire/collections.ts'

let catalog: ScratchCatalog
beforeAll(async () => {
  catalog = await catalogOnScratch()
})
afterAll(() => catalog.drop())

const opened = () => openCollections(catalog)

const uuid = expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)

describe('groups of a collection and their items', () => {
  it('are added, changed, put into order and taken out', async () => {
    const { call, product, create, holding, read } = await opened()
    const ids = [await product(), await product(), await product(), await product()]
    const made = (await create([holding(ids[0] ?? '')])).body
    const groups = `/product-collections/${made.id}/groups` as const
    const group = await call(`POST ${groups}`, {
      group_name: 'Yearly',
      products: [{ product_id: ids[1] }],
    })
    expect(group).toMatchObject({ status: 200, body: { group_id: uuid, group_name: 'Yearly' } })
    const path = `${groups}/${group.body['group_id']}` as const
    const added = await call(`POST ${path}/items`, {
      products: [{ product_id: ids[2], status: false }, { product_id: ids[3] }],
    })
    const items = added.body as unknown as readonly AnswerBody[]
    expect(items.map((item) => [item.product_id, item['status']])).toEqual([
      [ids[2], false],
      [ids[3], true],
    ])
    const now = async () => groupsOf(await read(made.id))
    const inside = async () => (await now())[1]?.products ?? []
    const order = (await inside()).map((item) => item.id).toReversed()
    const change = { product_order: order, group_name: null, status: false }
    expect(await call(`PATCH ${path}`, change)).toEqual({ status: 204 })
    expect((await now())[1]).toMatchObject({ group_name: null, status: false })
    expect((await inside()).map((item) => item.id)).toEqual(order)
    expect(await call(`PATCH ${path}/items/${items[0]?.id}`, { status: true })).toEqual({
      status: 204,
    })
    expect((await inside()).every((item) => item['status'] === true)).toBe(true)
    expect(await call(`DELETE ${path}/items/${items[0]?.id}`)).toEqual({ status: 204 })
    expect(await inside()).toHaveLength(2)
    expect((await call(`GET /products/${ids[2]}`)).body['product_collection_id']).toBe(null)
    expect(await call(`DELETE ${path}`)).toEqual({ status: 204 })
    expect(await now()).toHaveLength(1)
    for (const target of [
      `PATCH ${path}`,
      `DELETE ${path}`,
      `POST ${path}/items`,
      `PATCH ${path}/items/${items[1]?.id}`,
      `DELETE ${path}/items/${items[1]?.id}`,
    ] as const) {
      const body = { products: [{ product_id: ids[2] }], status: true }
      expect((await call(target, body)).status, target).toBe(404)
    }
  })

  it('keep the last product, and names apart', async () => {
    const { call, product, create, holding } = await opened()
    const one = await product()
    const made = (await create([{ group_name: 'A', ...holding(one) }, { products: [] }])).body
    const [first, second] = groupsOf(made)
    const groups = `/product-collections/${made.id}/groups` as const
    const kept = [422, 'PRODUCT_COLLECTION_MUST_HAVE_PRODUCTS']
    const item = first?.products[0]?.id
    expect(await codeOf(call(`DELETE ${groups}/${first?.group_id}/items/${item}`))).toEqual(kept)
    expect(await codeOf(call(`DELETE ${groups}/${first?.group_id}`))).toEqual(kept)
    expect((await call(`DELETE ${groups}/${second?.group_id}`)).status).toBe(204)
    const invalid = [422, 'INVALID_REQUEST_BODY']
    const named = { group_name: 'A', products: [] }
    expect(await codeOf(call(`POST ${groups}`, named))).toEqual(invalid)
    expect(await codeOf(call(`POST ${groups}`, { group_name: 'B' }))).toEqual(invalid)
    expect(await codeOf(call(`POST ${groups}`, holding(one)))).toEqual(invalid)
    const items = `${groups}/${first?.group_id}/items` as const
    expect(await codeOf(call(`POST ${items}`, { products: [] }))).toEqual(invalid)
    expect(await codeOf(call(`PATCH ${items}/${item}`, {}))).toEqual(invalid)
    expect(await codeOf(call(`PATCH ${items}/${item}`, { status: null }))).toEqual(invalid)
  })

  it('that want one product at once: one gets it', async () => {
    const { product, create, holding, call } = await opened()
    const wanted = await product()
    const answers = await Promise.all(Array.from({ length: 16 }, () => create([holding(wanted)])))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
    expect((await call('GET /product-collections')).body.items).toHaveLength(1)
  })

  it('that grow at once lose nothing', async () => {
    const { product, create, holding, call, read } = await opened()
    const made = (await create([holding(await product())])).body
    const more = await Promise.all(Array.from({ length: 8 }, () => product()))
    const path = `/product-collections/${made.id}/groups` as const
    const answers = await Promise.all(more.map((each) => call(`POST ${path}`, holding(each))))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(groupsOf(await read(made.id))).toHaveLength(9)
  })
})
