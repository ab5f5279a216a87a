import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ScratchCatalog } from '../../support/store/catalog-routes.ts'
import { catalogOnScratch } from '../../support/store/catalog-routes.ts'
import { codeOf, groupsOf, openCollections } from '../../support/wire/collections.ts'
import { defaults, oneTime, recurring } from '../../support/wire/products.ts'

let catalog: ScratchCatalog
beforeAll(async () => {
  catalog = await catalogOnScratch()
})
afterAll(() => catalog.drop())

const opened = () => openCollections(catalog)

const uuid = expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)

describe('a product collection', () => {
  it('is made with groups of products, and read whole', async () => {
    const { id, call, product, create } = await opened()
    const [one, two, three] = [
      await product(),
      await product({ price: recurring }),
      await product(),
    ]
    const plans = {
      effective_at_on_upgrade: 'immediately',
      effective_at_on_downgrade: 'next_billing_date',
      proration_billing_mode_on_upgrade: 'prorated_immediately',
      proration_billing_mode_on_downgrade: 'do_not_bill',
      on_payment_failure: 'prevent_change',
    }
    const made = await create(
      [
        {
          group_name: 'First',
          products: [{ product_id: one }, { product_id: two, status: false }],
        },
        { products: [{ product_id: three }], status: false },
      ],
      { description: 'd', ...plans },
    )
    const shown = (product_id: string, more: object = {}) => ({
      id: uuid,
      product_id,
      status: true,
      name: 'Pro',
      description: null,
      is_recurring: false,
      currency: 'USD',
      price: 500,
      price_detail: { ...oneTime, ...defaults, pay_what_you_want: false, suggested_price: null },
      tax_category: 'saas',
      tax_inclusive: null,
      addons_count: 0,
      files_count: 0,
      meters_count: 0,
      has_credit_entitlements: false,
      license_key_enabled: false,
      ...more,
    })
    const second = {
      status: false,
      is_recurring: true,
      price: 900,
      price_detail: expect.objectContaining(recurring),
    }
    expect(made).toEqual({
      status: 200,
      body: {
        id: expect.stringMatching(/^pdc_[\w-]{21}$/),
        brand_id: id,
        name: 'Plans',
        description: 'd',
        image: null,
        groups: [
          {
            group_id: uuid,
            group_name: 'First',
            status: true,
            products: [shown(one), shown(two, second)],
          },
          { group_id: uuid, group_name: null, status: false, products: [shown(three)] },
        ],
        ...plans,
        created_at: '2027-01-15T08:00:00.000000Z',
        updated_at: '2027-01-15T08:00:00.000000Z',
      },
    })
    expect(await call(`GET /product-collections/${made.body.id}`)).toEqual(made)
    expect((await call(`GET /products/${two}`)).body['product_collection_id']).toBe(made.body.id)
    const { items } = (await call('GET /product-collections')).body
    expect(items).toEqual([
      {
        id: made.body.id,
        name: 'Plans',
        description: 'd',
        image: null,
        products_count: 3,
        created_at: made.body['created_at'],
        updated_at: made.body['updated_at'],
      },
    ])
    expect((await call(`GET /product-collections?brand_id=${id}`)).body.items).toHaveLength(1)
    expect((await call('GET /product-collections?brand_id=x')).body.items).toEqual([])
    expect((await call('GET /product-collections?archived=true')).body.items).toEqual([])
  })

  it('is refused with what it cannot hold', async () => {
    const { call, product, create, holding } = await opened()
    const [one, gone, taken] = [await product(), await product(), await product()]
    await call(`DELETE /products/${gone}`)
    const holder = (await create([holding(taken)])).body.id
    const brand = (await call('POST /brands', {})).body['brand_id']
    const named = (group_name: string) => ({ group_name, products: [] })
    const cases: readonly [readonly object[], object, number, string][] = [
      [[holding('pdt_none')], {}, 404, 'NOT_FOUND'],
      [[], { brand_id: 'brnd_none' }, 404, 'NOT_FOUND'],
      [[holding(gone)], {}, 410, 'PRODUCT_IS_DELETED'],
      [[holding(taken)], {}, 409, 'CONFLICT'],
      [[holding(one), holding(one)], {}, 422, 'INVALID_REQUEST_BODY'],
      [[named('A'), named('A')], {}, 422, 'INVALID_REQUEST_BODY'],
      [[holding(one)], { brand_id: brand }, 422, 'BRAND_MISMATCH'],
      [[], { name: '' }, 422, 'INVALID_REQUEST_BODY'],
      [[{}], {}, 422, 'INVALID_REQUEST_BODY'],
      [[], { on_payment_failure: 'never' }, 422, 'INVALID_REQUEST_BODY'],
    ]
    for (const [groups, body, status, code] of cases) {
      expect(await codeOf(create(groups, body)), code).toEqual([status, code])
    }
    const { items } = (await call('GET /product-collections')).body
    expect(items.map((each) => each.id)).toEqual([holder])
    expect((await create([{ products: [] }, { products: [] }])).status).toBe(200)
  })

  it('changes: fields, the order of groups, and null that inherits', async () => {
    const { call, product, create, holding, read } = await opened()
    const made = (await create([holding(await product()), holding(await product())])).body
    const path = `/product-collections/${made.id}` as const
    const ids = groupsOf(made).map((group) => group.group_id)
    const backward = ids.toReversed()
    const change = {
      name: 'N',
      description: 'd',
      group_order: backward,
      on_payment_failure: 'apply_change',
      effective_at_on_upgrade: 'immediately',
    }
    expect(await call(`PATCH ${path}`, change)).toEqual({ status: 204 })
    const read1 = await read(made.id)
    expect(read1).toMatchObject({ name: 'N', description: 'd', on_payment_failure: 'apply_change' })
    expect(groupsOf(read1).map((group) => group.group_id)).toEqual(backward)
    await call(`PATCH ${path}`, { name: null, description: null, on_payment_failure: null })
    expect(await read(made.id)).toMatchObject({
      name: 'N',
      description: null,
      on_payment_failure: null,
      effective_at_on_upgrade: 'immediately',
    })
    for (const group_order of [[], [ids[0]], [ids[0], ids[0]], [...ids, ids[0]], ['x', 'y']]) {
      expect(await codeOf(call(`PATCH ${path}`, { group_order }))).toEqual([
        422,
        'INVALID_REQUEST_BODY',
      ])
    }
    const brand = (await call('POST /brands', {})).body['brand_id']
    expect(await codeOf(call(`PATCH ${path}`, { brand_id: brand }))).toEqual([
      422,
      'BRAND_MISMATCH',
    ])
    const [held] = groupsOf(made)[0]?.products ?? []
    const leaving = call(`PATCH /products/${held?.product_id}`, { brand_id: brand })
    expect(await codeOf(leaving)).toEqual([422, 'BRAND_MISMATCH'])
    expect((await call('PATCH /product-collections/pdc_none', {})).status).toBe(404)
  })

  it('is archived with its products, and comes back without those archived meanwhile', async () => {
    const { call, product, create, holding, read } = await opened()
    const [one, two] = [await product(), await product()]
    const id = (await create([holding(one, two)])).body.id
    const path = `/product-collections/${id}` as const
    expect((await call(`POST ${path}/unarchive`)).status).toBe(404)
    expect(await call(`DELETE ${path}`)).toEqual({ status: 204 })
    const deleted = [410, 'PRODUCT_COLLECTION_IS_DELETED']
    expect(await codeOf(call(`DELETE ${path}`))).toEqual(deleted)
    expect(await codeOf(call(`PATCH ${path}`, { name: 'x' }))).toEqual(deleted)
    expect(await codeOf(call(`POST ${path}/groups`, { products: [] }))).toEqual(deleted)
    expect((await call('GET /product-collections')).body.items).toEqual([])
    expect((await call('GET /product-collections?archived=true')).body.items).toHaveLength(1)
    expect((await read(id)).id).toBe(id)
    await call(`DELETE /products/${two}`)
    const back = await call(`POST ${path}/unarchive`)
    expect(back).toEqual({
      status: 200,
      body: { collection_id: id, excluded_product_ids: [two], message: expect.any(String) },
    })
    expect(groupsOf(await read(id))[0]?.products.map((each) => each.product_id)).toEqual([one])
    expect((await call(`GET /products/${two}`)).body['product_collection_id']).toBe(null)
  })
})
