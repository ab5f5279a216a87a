import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ScratchCatalog } from '../../support/store/catalog-routes.ts'
import { catalogOnScratch } from '../../support/store/catalog-routes.ts'
import {
  base,
  defaults,
  oneTime,
  recurring,
  sampleIds,
  usageBased,
} from '../../support/wire/products.ts'

let catalog: ScratchCatalog
beforeAll(async () => {
  catalog = await catalogOnScratch()
})
afterAll(() => catalog.drop())

async function opened(body: object = { price: oneTime }) {
  const { id, call } = await catalog.business()
  const made = await call('POST /products', { ...base, ...body })
  expect(made.status).toBe(200)
  const path = `/products/${made.body.product_id}` as const
  const read = async () => (await call(`GET ${path}`)).body
  const change = (sent: object) => call(`PATCH ${path}`, sent)
  const refused = async (sent: object) => {
    const before = await read()
    const { status, body } = await change(sent)
    expect(await read()).toEqual(before)
    return [status, body.code]
  }
  return { id, call, path, read, change, refused, made: made.body }
}

describe('a change of a product', () => {
  it('sets what is sent, clears by null what may be empty, and keeps the rest', async () => {
    const { read, change, made } = await opened({ price: oneTime, metadata: { a: 1 } })
    const all = { name: 'N', description: 'd', tax_category: 'edtech', metadata: { b: 'c' } }
    expect(await change(all)).toEqual({ status: 204 })
    const changed = { ...made, ...all, updated_at: expect.any(String) }
    expect(await read()).toEqual(changed)
    expect(await change({ unknown: 1 })).toEqual({ status: 204 })
    expect(await read()).toEqual(changed)
    const nulls = {
      name: null,
      description: null,
      tax_category: null,
      metadata: null,
      price: null,
      brand_id: null,
      addons: null,
      credit_entitlements: null,
      entitlements: null,
      digital_product_delivery: null,
      license_key_enabled: null,
      license_key_duration: null,
      license_key_activations_limit: null,
      license_key_activation_message: null,
      pricing_mode: null,
    }
    expect(await change(nulls)).toEqual({ status: 204 })
    expect(await read()).toEqual({ ...changed, description: null, metadata: {} })
    expect(String((await read())['updated_at']) > String(made['updated_at'])).toBe(true)
  })

  it('sets a price of the same kind, whole', async () => {
    const { read, change, refused } = await opened({ price: recurring })
    const price = {
      ...recurring,
      ...defaults,
      price: 1_200,
      discount: 15,
      tax_inclusive: true,
      purchasing_power_parity: true,
      trial_period_days: 14,
      trial_amount: 100,
      trial_apply_discounts: true,
    }
    expect((await change({ price })).status).toBe(204)
    expect((await read())['price']).toEqual(price)
    expect((await change({ price: recurring })).status).toBe(204)
    expect((await read())['price']).toMatchObject({ ...recurring, ...defaults, trial_amount: null })
    const invalid = [422, 'INVALID_REQUEST_BODY']
    expect(await refused({ price: oneTime })).toEqual(invalid)
    expect(await refused({ price: { ...recurring, trial_amount: 5 } })).toEqual(invalid)
    expect(await refused({ price: {} })).toEqual(invalid)
  })

  it('is judged with what stays: meters and credits belong together', async () => {
    const { call } = await catalog.business()
    const { meter, credit, coarse } = await sampleIds(call)
    const tied = { meter_id: meter, credit_entitlement_id: credit, meter_units_per_credit: '10' }
    const attached = { credit_entitlement_id: credit, credits_amount: '5' }
    const made = await call('POST /products', {
      ...base,
      price: { ...usageBased, meters: [tied] },
      credit_entitlements: [attached],
    })
    const path = `/products/${made.body.product_id}` as const
    const refused = await call(`PATCH ${path}`, { credit_entitlements: [] })
    expect([refused.status, refused.body.code]).toEqual([422, 'INVALID_REQUEST_BODY'])
    expect(refused.body.message).toContain('credit_entitlement_id')
    const both = [attached, { credit_entitlement_id: coarse, credits_amount: '1' }]
    expect((await call(`PATCH ${path}`, { credit_entitlements: both })).status).toBe(204)
    const read = async () => (await call(`GET ${path}`)).body
    const [first] = made.body['credit_entitlements'] as { id: string }[]
    const mappings = (await read())['credit_entitlements'] as { id: string }[]
    expect(mappings.map((each) => each.id)).toEqual([first?.id, expect.stringMatching(/^cem_/)])
    const cleared = { credit_entitlements: [], price: { ...usageBased, meters: [] } }
    expect((await call(`PATCH ${path}`, cleared)).status).toBe(204)
    expect(await read()).toMatchObject({ credit_entitlements: [], price: { meters: [] } })
  })

  it('keeps what was deleted or archived since, and takes nothing such anew', async () => {
    const { call } = await catalog.business()
    const { meter, other, credit, coarse } = await sampleIds(call)
    const priced = (id: string) => ({ meter_id: id, price_per_unit: '1' })
    const attached = (id: string) => ({ credit_entitlement_id: id, credits_amount: '5' })
    const made = await call('POST /products', {
      ...base,
      price: { ...usageBased, meters: [priced(meter)] },
      credit_entitlements: [attached(credit)],
    })
    for (const gone of [credit, coarse]) await call(`DELETE /credit-entitlements/${gone}`)
    for (const gone of [meter, other]) await call(`DELETE /meters/${gone}`)
    const change = (body: object) => call(`PATCH /products/${made.body.product_id}`, body)
    const kept = {
      price: { ...usageBased, fixed_price: 5, meters: [priced(meter)] },
      credit_entitlements: [attached(credit)],
    }
    expect((await change(kept)).status).toBe(204)
    const meters = [priced(meter), priced(other)]
    expect((await change({ price: { ...usageBased, meters } })).body.code).toBe('METER_IS_DELETED')
    expect((await change({ credit_entitlements: [attached(coarse)] })).body.code).toBe(
      'CREDIT_ENTITLEMENT_IS_DELETED',
    )
  })

  it('is refused for what it names, and leaves the product as it was', async () => {
    const { refused, call, path, read } = await opened()
    const unknown = [404, 'NOT_FOUND']
    expect(await refused({ brand_id: 'brnd_x' })).toEqual(unknown)
    expect(await refused({ entitlements: [{ entitlement_id: 'ent_x' }] })).toEqual(unknown)
    expect(
      await refused({ credit_entitlements: [{ credit_entitlement_id: 'c', credits_amount: '1' }] }),
    ).toEqual(unknown)
    const delivery = { digital_product_delivery: { files: ['none'] } }
    expect(await refused(delivery)).toEqual([422, 'INVALID_REQUEST_BODY'])
    const keys = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, 1]))
    expect(await refused({ metadata: keys })).toEqual([422, 'MAXIMUM_KEYS_REACHED'])
    expect(await refused({ name: '' })).toEqual([422, 'INVALID_REQUEST_BODY'])
    expect((await call('PATCH /products/pdt_none', {})).status).toBe(404)
    const brand = (await call('POST /brands', {})).body['brand_id']
    expect((await call(`PATCH ${path}`, { brand_id: brand })).status).toBe(204)
    expect((await read())['brand_id']).toBe(brand)
  })
})

describe('an archived product', () => {
  it('is listed among the archived ones, reads, and comes back', async () => {
    const { call, path, read, made } = await opened()
    const ids = async (query: string) =>
      (await call(`GET /products${query}`)).body.items.map((item) => item.product_id)
    expect(await ids('?archived=true')).toEqual([])
    expect(await call(`DELETE ${path}`)).toEqual({ status: 204 })
    const again = await call(`DELETE ${path}`)
    expect([again.status, again.body.code]).toEqual([410, 'PRODUCT_IS_DELETED'])
    expect([await ids(''), await ids('?archived=true')]).toEqual([[], [made.product_id]])
    expect(await read()).toEqual({ ...made, updated_at: expect.any(String) })
    expect(await call(`POST ${path}/unarchive`)).toEqual({ status: 204 })
    expect(await ids('')).toEqual([made.product_id])
    expect((await call(`POST ${path}/unarchive`)).status).toBe(404)
    expect((await call('DELETE /products/pdt_none')).status).toBe(404)
    expect((await call('POST /products/pdt_none/unarchive')).status).toBe(404)
  })

  it('is archived once, however many try', async () => {
    const { call, path } = await opened()
    const answers = await Promise.all(Array.from({ length: 16 }, () => call(`DELETE ${path}`)))
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 410)).toHaveLength(15)
  })
})

it('changes of one product at once are all kept', async () => {
  const { call, path, read } = await opened()
  const names = Array.from({ length: 12 }, (_, n) => `n${n}`)
  const answers = await Promise.all([
    ...names.map((name) => call(`PATCH ${path}`, { name })),
    call(`PATCH ${path}`, { description: 'kept' }),
    call(`PATCH ${path}`, { metadata: { kept: true } }),
  ])
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]))
  expect(await read()).toMatchObject({ description: 'kept', metadata: { kept: true } })
})
