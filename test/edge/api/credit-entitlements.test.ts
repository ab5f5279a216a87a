import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { instantOf } from '../../../src/std/instant.ts'
import type { ScratchCatalog } from '../../support/store/catalog-routes.ts'
import { catalogOnScratch } from '../../support/store/catalog-routes.ts'

let catalog: ScratchCatalog
beforeAll(async () => {
  catalog = await catalogOnScratch()
})
afterAll(() => catalog.drop())

const plain = {
  name: 'Tokens',
  unit: 'token',
  precision: 2,
  overage_enabled: false,
  rollover_enabled: false,
}
const empty = {
  currency: null,
  description: null,
  expires_after_days: null,
  max_rollover_count: null,
  overage_behavior: 'forgive_at_reset',
  overage_limit: null,
  price_per_unit: null,
  rollover_percentage: null,
  rollover_timeframe_count: null,
  rollover_timeframe_interval: null,
  meter_links: [],
  low_balance_threshold: null,
}
const full = {
  ...plain,
  currency: 'USD',
  description: 'd',
  expires_after_days: 7,
  max_rollover_count: 0,
  overage_behavior: 'carry_deficit',
  overage_limit: 9_007_199_254_740_991,
  price_per_unit: '0.000000000001',
  rollover_percentage: 100,
  rollover_timeframe_count: 1,
  rollover_timeframe_interval: 'Month',
  low_balance_threshold: '10.25',
  overage_enabled: true,
  rollover_enabled: true,
}
const meter = {
  name: 'm',
  event_name: 'e',
  aggregation: { type: 'count' },
  measurement_unit: 'call',
}

describe('credit entitlements [resources#credit-entitlements, credits#grants]', () => {
  it('are created, read and answered whole', async () => {
    const { id, call } = await catalog.business()
    const common = {
      id: expect.stringMatching(/^cde_[\w-]{21}$/),
      business_id: id,
      created_at: '2027-01-15T08:00:00.000000Z',
      updated_at: '2027-01-15T08:00:00.000000Z',
    }
    const small = await call('POST /credit-entitlements', plain)
    expect(small).toEqual({ status: 201, body: { ...common, ...empty, ...plain } })
    const meterId = (await call('POST /meters', meter)).body.id
    const links = [{ meter_id: meterId, meter_units_per_credit: '1000', free_threshold: null }]
    const sent = { ...full, name: 'Full', meter_links: links }
    const large = await call('POST /credit-entitlements', sent)
    expect(large).toEqual({ status: 201, body: { ...common, ...sent } })
    for (const { body } of [small, large]) {
      expect(await call(`GET /credit-entitlements/${body.id}`)).toEqual({ status: 200, body })
    }
  })

  it('answer decimals plainly', async () => {
    const { call } = await catalog.business()
    const { id: meterId } = (await call('POST /meters', meter)).body
    const { body } = await call('POST /credit-entitlements', {
      ...full,
      price_per_unit: '00012.500',
      low_balance_threshold: '5.00',
      meter_links: [{ meter_id: meterId, meter_units_per_credit: '0.100', free_threshold: 0 }],
    })
    const read = await call(`GET /credit-entitlements/${body.id}`)
    expect(read.body).toEqual(body)
    expect(body).toMatchObject({
      price_per_unit: '12.5',
      low_balance_threshold: '5',
      meter_links: [{ meter_units_per_credit: '0.1', free_threshold: 0 }],
    })
  })

  it('refuse what is wrong, with the field in the message', async () => {
    const { call } = await catalog.business()
    const priced = { currency: 'USD', overage_enabled: true }
    const cases: [object, string][] = [
      [{ name: '' }, 'name must not be empty'],
      [{ name: 'n'.repeat(256) }, 'name must not be longer than 255'],
      [{ unit: 'u'.repeat(51) }, 'unit must not be longer than 50'],
      [{ precision: 11 }, 'precision must be a whole number from 0 to 10'],
      [{ precision: -1 }, 'precision must be a whole number from 0 to 10'],
      [{ precision: 1.5 }, 'precision must be an integer'],
      [{ precision: undefined }, 'precision is required'],
      [{ rollover_enabled: null }, 'rollover_enabled must be a boolean'],
      [{ description: 'd'.repeat(1_001) }, 'description must not be longer than 1000'],
      [{ expires_after_days: 6 }, 'expires_after_days must be a whole number from 7'],
      [{ rollover_percentage: 101 }, 'rollover_percentage must be a whole number from 0 to 100'],
      [{ rollover_percentage: -1 }, 'rollover_percentage must be a whole number from 0 to 100'],
      [{ max_rollover_count: -1 }, 'max_rollover_count must be a whole number from 0'],
      [{ overage_limit: -1 }, 'overage_limit must be a whole number from 0'],
      [{ overage_limit: '5' }, 'overage_limit must be an integer or null'],
      [{ overage_behavior: 'forget' }, 'overage_behavior must be one of forgive_at_reset'],
      [{ currency: 'XXX' }, 'currency must be one of AED'],
      [{ rollover_timeframe_count: 1 }, 'rollover_timeframe_count needs'],
      [{ rollover_timeframe_interval: 'Month' }, 'rollover_timeframe_interval needs'],
      [
        { rollover_timeframe_count: 0, rollover_timeframe_interval: 'Day' },
        'must be a whole number from 1',
      ],
      [{ rollover_timeframe_count: 1, rollover_timeframe_interval: 'month' }, 'Day, Week, Month'],
      [{ overage_enabled: true }, 'price_per_unit is required when overage_enabled'],
      [{ price_per_unit: '1' }, 'currency is required when price_per_unit'],
      [{ ...priced, price_per_unit: '0' }, 'price_per_unit must be a decimal in a string'],
      [{ ...priced, price_per_unit: '0.000' }, 'above 0'],
      [{ ...priced, price_per_unit: '-1' }, 'price_per_unit must be a decimal'],
      [{ ...priced, price_per_unit: '1e3' }, 'price_per_unit must be a decimal'],
      [{ ...priced, price_per_unit: '123456' }, 'at most 5 digits before'],
      [{ ...priced, price_per_unit: '0.0000000000001' }, '12 after'],
      [{ ...priced, price_per_unit: 1 }, 'price_per_unit must be a string or null'],
      [{ low_balance_threshold: '1.234' }, 'low_balance_threshold must have at most 2 decimals'],
      [{ low_balance_threshold: '-1' }, 'low_balance_threshold must be a decimal'],
      [{ meter_links: [{ meter_id: 'm' }] }, 'meter_links[0].meter_units_per_credit is required'],
      [
        { meter_links: [{ meter_id: 'm', meter_units_per_credit: '0' }] },
        'meter_links[0].meter_units_per_credit must be a decimal',
      ],
    ]
    for (const [change, message] of cases) {
      const answer = await call('POST /credit-entitlements', { ...plain, ...change })
      expect(answer).toMatchObject({ status: 422, body: { code: 'INVALID_REQUEST_BODY' } })
      expect(answer.body.message).toContain(message)
    }
    expect((await call('GET /credit-entitlements')).body.items).toEqual([])
    expect((await call('GET /credit-entitlements?deleted=1')).body.code).toBe(
      'INVALID_QUERY_PARAMS',
    )
  })

  it('have names of their own, deleted ones included [credits#deleted-entitlements]', async () => {
    const [{ call }, other] = [await catalog.business(), await catalog.business()]
    const taken = { status: 409, body: { code: 'CREDIT_ENTITLEMENT_NAME_ALREADY_EXISTS' } }
    const { id } = (await call('POST /credit-entitlements', plain)).body
    expect(await call('POST /credit-entitlements', plain)).toMatchObject(taken)
    expect((await call('POST /credit-entitlements', { ...plain, name: 'tokens' })).status).toBe(201)
    expect((await other.call('POST /credit-entitlements', plain)).status).toBe(201)
    await call(`DELETE /credit-entitlements/${id}`)
    expect(await call('POST /credit-entitlements', plain)).toMatchObject(taken)
    const second = (await call('POST /credit-entitlements', { ...plain, name: 'B' })).body.id
    const rename = await call(`PATCH /credit-entitlements/${second}`, { name: 'Tokens' })
    expect(rename).toMatchObject(taken)
    expect((await call(`PATCH /credit-entitlements/${second}`, { name: 'B' })).status).toBe(204)
  })
})

describe('a change of a credit entitlement [resources#credit-entitlements]', () => {
  it('leaves what is left out, and clears what is null', async () => {
    const { call } = await catalog.business()
    const created = (await call('POST /credit-entitlements', full)).body
    const patch = (body: object) => call(`PATCH /credit-entitlements/${created.id}`, body)
    const read = async () => (await call(`GET /credit-entitlements/${created.id}`)).body

    expect(await patch({})).toEqual({ status: 204, body: undefined })
    expect(await read()).toMatchObject(full)
    await patch({ precision: null, name: 'New', unit: null, overage_behavior: null })
    expect(await read()).toMatchObject({ ...full, name: 'New' })
    await patch({ ...empty, overage_behavior: 'invoice_at_billing', overage_enabled: false })
    const cleared = { ...full, ...empty, overage_behavior: 'invoice_at_billing' }
    expect(await read()).toMatchObject({ ...cleared, name: 'New', overage_enabled: false })
  })

  it('is judged on the state that it leads to', async () => {
    const { call } = await catalog.business()
    const { id } = (await call('POST /credit-entitlements', full)).body
    const patch = async (body: object) =>
      (await call(`PATCH /credit-entitlements/${id}`, body)).status
    expect(await patch({ price_per_unit: null })).toBe(422)
    expect(await patch({ currency: null })).toBe(422)
    expect(await patch({ rollover_timeframe_count: null })).toBe(422)
    expect(await patch({ low_balance_threshold: '0.001' })).toBe(422)
    expect(await patch({ price_per_unit: null, currency: null, overage_enabled: false })).toBe(204)
    expect(await patch({ overage_enabled: true })).toBe(422)
    expect(await patch({ overage_enabled: true, price_per_unit: '2' })).toBe(422)
    const priced = { overage_enabled: true, price_per_unit: '2', currency: 'EUR' }
    expect(await patch(priced)).toBe(204)
  })

  it('loses nothing to others at the same moment, and no two make a wrong whole', async () => {
    const { call } = await catalog.business()
    const start = { ...full, overage_enabled: false }
    const { id } = (await call('POST /credit-entitlements', start)).body
    const path = `/credit-entitlements/${id}` as const
    const changes = [
      { name: 'A' },
      { unit: 'B' },
      { description: 'C' },
      { expires_after_days: 30 },
      { rollover_percentage: 5 },
      { max_rollover_count: 9 },
    ]
    const answers = await Promise.all(changes.map((change) => call(`PATCH ${path}`, change)))
    expect(answers.map(({ status }) => status)).toEqual(changes.map(() => 204))
    expect((await call(`GET ${path}`)).body).toMatchObject(Object.assign({}, ...changes))

    for (let round = 0; round < 10; round += 1) {
      await call(`PATCH ${path}`, { overage_enabled: false, price_per_unit: '1', currency: 'USD' })
      await Promise.all([
        call(`PATCH ${path}`, { overage_enabled: true }),
        call(`PATCH ${path}`, { price_per_unit: null }),
      ])
      const { body } = await call(`GET ${path}`)
      expect(body['overage_enabled'] === true && body['price_per_unit'] === null).toBe(false)
    }
  })

  it('moves updated_at, even twice in a microsecond', async () => {
    const { id: businessId, call } = await catalog.business()
    const { id } = (await call('POST /credit-entitlements', plain)).body
    const path = `/credit-entitlements/${id}` as const
    await call(`PATCH ${path}`, { unit: 'x' })
    await call(`DELETE ${path}`)
    await call(`POST ${path}/undelete`)
    const scope = { businessId, mode: 'test' } as const
    const entitlement = await catalog.creditEntitlements.get(scope, id)
    expect(entitlement?.updatedAt).toBe(1_800_000_000_000_003)
    expect(entitlement?.createdAt).toBe(1_800_000_000_000_000)
  })
})

describe('a deleted credit entitlement [resources#credit-entitlements]', () => {
  it('is hidden but from its own list, and comes back as it was', async () => {
    const { call } = await catalog.business()
    const first = (await call('POST /credit-entitlements', full)).body
    const later = call.as({ at: instantOf(1_900_000_000_000_000) })
    const second = (await later('POST /credit-entitlements', { ...plain, name: '2' })).body
    const path = `/credit-entitlements/${first.id}` as const
    const ids = async (query: string) =>
      (await call(`GET /credit-entitlements?${query}`)).body.items.map((item) => item.id)

    expect(await ids('')).toEqual([second.id, first.id])
    expect(await ids('page_size=1&page_number=1')).toEqual([first.id])
    expect((await call(`POST ${path}/undelete`)).status).toBe(404)
    expect(await call(`DELETE ${path}`)).toEqual({ status: 204, body: undefined })
    expect(await ids('')).toEqual([second.id])
    expect(await ids('deleted=true')).toEqual([first.id])
    expect((await call(`GET ${path}`)).status).toBe(404)
    expect((await call(`PATCH ${path}`, { unit: 'x' })).status).toBe(404)
    expect((await call(`DELETE ${path}`)).status).toBe(404)

    expect(await call(`POST ${path}/undelete`)).toEqual({ status: 204, body: undefined })
    const { updated_at: _, ...before } = first
    expect((await call(`GET ${path}`)).body).toMatchObject(before)
    expect(await ids('deleted=true')).toEqual([])
    expect((await call('DELETE /credit-entitlements/cde_none')).status).toBe(404)
    expect((await call('POST /credit-entitlements/cde_none/undelete')).status).toBe(404)
    expect((await call.as({ mode: 'live' })(`DELETE ${path}`)).status).toBe(404)
  })
})
