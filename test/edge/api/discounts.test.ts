import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowAlone } from '../../../src/parts/store/changes.ts'
import { instantOf } from '../../../src/std/instant.ts'
import type { Call } from '../../support/edge/call.ts'
import type { ScratchCatalog } from '../../support/store/catalog-routes.ts'
import { catalogOnScratch } from '../../support/store/catalog-routes.ts'
import { base, oneTime } from '../../support/wire/products.ts'

let catalog: ScratchCatalog
beforeAll(async () => {
  catalog = await catalogOnScratch()
})
afterAll(() => catalog.drop())

const tenth = { type: 'percentage', amount: 1_000 }
const start = 1_800_000_000_000_000
const idOf = (body: object): string => String(Object(body)['discount_id'])

async function made(call: Call, body: object): Promise<string> {
  const answer = await call('POST /discounts', body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return idOf(answer.body)
}

describe('discounts', () => {
  it('are created, read by id and by code in any case, and answered whole', async () => {
    const { id, call } = await catalog.business()
    const body = { ...tenth, code: 'sum-Mer', metadata: null, unknown: 1, is_active: true }
    const created = await call('POST /discounts', body)
    expect(created).toEqual({
      status: 200,
      body: {
        discount_id: expect.stringMatching(/^dsc_[\w-]{21}$/),
        business_id: id,
        code: 'SUM-MER',
        name: null,
        ...tenth,
        currency_options: [],
        customer_eligibility: 'any',
        restricted_to: [],
        usage_limit: null,
        per_customer_usage_limit: null,
        times_used: 0,
        starts_at: null,
        expires_at: null,
        subscription_cycles: null,
        preserve_on_plan_change: false,
        metadata: {},
        created_at: '2027-01-15T08:00:00.000000Z',
      },
    })
    expect(await call(`GET /discounts/${idOf(created.body)}`)).toEqual(created)
    expect(await call('GET /discounts/code/SUM-mer')).toEqual(created)
    for (const code of ['SUM-ME', 'customers', '%00', '%ED%A0%80', 'x'.repeat(300)]) {
      expect((await call(`GET /discounts/code/${code}`).catch(() => null))?.status ?? 404).toBe(404)
    }
    expect((await call('GET /discounts/code/NOBODYS')).body).toEqual({
      code: 'NOT_FOUND',
      message: "There is no discount with the code 'NOBODYS'.",
    })
  })

  it('get 16 capitals where no code is sent', async () => {
    const { call } = await catalog.business()
    for (const sent of [{}, { code: null }, { code: '' }]) {
      const { body } = await call('POST /discounts', { ...tenth, ...sent })
      expect(body.code).toMatch(/^[A-Z]{16}$/)
    }
    expect(new Set((await call('GET /discounts')).body.items.map(({ code }) => code)).size).toBe(3)
  })

  it('have a code of their own as long as they are not deleted', async () => {
    const { call } = await catalog.business()
    const first = await made(call, { ...tenth, code: 'ONE' })
    const second = await made(call, { ...tenth, code: 'TWO' })
    const taken = { status: 409, body: { code: 'DISCOUNT_CODE_ALREADY_EXISTS' } }
    expect(await call('POST /discounts', { ...tenth, code: 'one' })).toMatchObject(taken)
    expect(await call(`PATCH /discounts/${second}`, { code: 'oNE' })).toMatchObject(taken)
    // A conflict comes before the rules. [requests#refusals]
    const wrong = { ...tenth, code: 'one', usage_limit: 1, per_customer_usage_limit: 2 }
    expect(await call('POST /discounts', wrong)).toMatchObject(taken)
    expect(await call(`PATCH /discounts/${second}`, wrong)).toMatchObject(taken)
    expect(await call(`PATCH /discounts/${first}`, { code: 'one' })).toMatchObject({ status: 200 })
    await made(call.as({ mode: 'live' }), { ...tenth, code: 'ONE' })

    expect(await call(`DELETE /discounts/${first}`)).toEqual({ status: 204, body: undefined })
    for (const target of [
      `DELETE /discounts/${first}`,
      `GET /discounts/${first}`,
      'GET /discounts/code/ONE',
      `GET /discounts/${first}/customers`,
    ] as const) {
      expect((await call(target)).status, target).toBe(404)
    }
    expect((await call(`PATCH /discounts/${first}`, {})).status).toBe(404)
    expect((await call('GET /discounts')).body.items.map(idOf)).toEqual([second])
    await made(call, { ...tenth, code: 'ONE' })
  })

  it('belong to one business and mode', async () => {
    const [{ call }, other] = [await catalog.business(), await catalog.business()]
    const id = await made(call, { ...tenth, code: 'OURS' })
    for (const stranger of [other.call, call.as({ mode: 'live' })]) {
      expect((await stranger(`GET /discounts/${id}`)).status).toBe(404)
      expect((await stranger('GET /discounts/code/OURS')).status).toBe(404)
      expect((await stranger(`PATCH /discounts/${id}`, { amount: 1 })).status).toBe(404)
      expect((await stranger(`DELETE /discounts/${id}`)).status).toBe(404)
      expect((await stranger(`GET /discounts/${id}/customers`)).status).toBe(404)
      expect((await stranger('GET /discounts')).body).toEqual({ items: [] })
    }
  })

  it('change field by field; null clears what may be empty [requests#nulls]', async () => {
    const { call } = await catalog.business()
    const product = (await call('POST /products', { ...base, price: oneTime })).body.product_id
    const before = {
      type: 'flat',
      amount: 0,
      code: 'WHOLE',
      name: 'Summer',
      currency_options: [
        { currency: 'USD', is_default: true, minimum_subtotal: 100, max_amount_possible: 500 },
        { currency: 'JPY', is_default: false, minimum_subtotal: 0, max_amount_possible: 7 },
      ],
      customer_eligibility: 'existing',
      restricted_to: [product],
      usage_limit: 10,
      per_customer_usage_limit: 2,
      starts_at: '2027-01-01T00:00:00.000000Z',
      expires_at: '2027-02-01T00:00:00.000001Z',
      subscription_cycles: 3,
      preserve_on_plan_change: true,
      metadata: { a: 1 },
    }
    const id = await made(call, { ...before, restricted_to: [product, product] })
    const patch = async (body: object) => (await call(`PATCH /discounts/${id}`, body)).body
    expect(await patch({})).toMatchObject(before)
    const kept = {
      type: null,
      amount: null,
      code: null,
      currency_options: null,
      customer_eligibility: null,
      restricted_to: null,
      preserve_on_plan_change: null,
    }
    expect(await patch(kept)).toMatchObject(before)
    const cleared = {
      name: null,
      usage_limit: null,
      per_customer_usage_limit: null,
      starts_at: null,
      expires_at: null,
      subscription_cycles: null,
    }
    const after = { ...before, ...cleared, metadata: {} }
    expect(await patch({ ...cleared, metadata: null })).toMatchObject(after)
    expect(await patch({ restricted_to: [] })).toMatchObject({ ...after, restricted_to: [] })
    const option = { currency: 'EUR', max_amount_possible: 3 }
    expect((await patch({ currency_options: [option] }))['currency_options']).toEqual([
      { ...option, is_default: true, minimum_subtotal: 0 },
    ])
    expect(await patch({ type: 'percentage', amount: 25, currency_options: [] })).toMatchObject({
      type: 'percentage',
      amount: 25,
      currency_options: [],
    })
  })

  it('are judged on the state that a change leads to', async () => {
    const { call } = await catalog.business()
    const id = await made(call, { ...tenth, usage_limit: 5, starts_at: '2027-01-01T00:00:00Z' })
    const cases: [object, string, string][] = [
      [{ per_customer_usage_limit: 6 }, 'INVALID_REQUEST_BODY', 'per_customer_usage_limit'],
      [{ expires_at: '2027-01-01T00:00:00Z' }, 'INVALID_REQUEST_BODY', 'starts_at'],
      [{ type: 'flat' }, 'DISCOUNT_CURRENCY_OPTION_INVALID', 'default'],
      [{ amount: 10_001 }, 'INVALID_PERCENTAGE', '10000'],
      [{ code: 'a b c' }, 'INVALID_REQUEST_BODY', 'code'],
    ]
    for (const [body, code, says] of cases) {
      const answer = await call(`PATCH /discounts/${id}`, body)
      expect(answer, JSON.stringify(body)).toMatchObject({ status: 422, body: { code } })
      expect(answer.body.message).toContain(says)
    }
    expect((await call(`PATCH /discounts/${id}`, { per_customer_usage_limit: 5 })).status).toBe(200)
    const lower = await call(`PATCH /discounts/${id}`, { usage_limit: 4 })
    expect(lower.body.message).toContain('per_customer_usage_limit')
  })

  it('refuse what is wrong, with the field in the message', async () => {
    const { call } = await catalog.business()
    const option = { currency: 'USD' }
    const cases: [object, string, string][] = [
      [{ type: 'percentage' }, 'INVALID_REQUEST_BODY', 'amount is required'],
      [{ amount: 1 }, 'INVALID_REQUEST_BODY', 'type is required'],
      [{ ...tenth, type: 'flat_per_unit' }, 'INVALID_REQUEST_BODY', 'type must be one of'],
      [{ ...tenth, amount: 0 }, 'INVALID_PERCENTAGE', 'amount'],
      [{ ...tenth, amount: 10_001 }, 'INVALID_PERCENTAGE', 'amount'],
      [{ ...tenth, amount: 5.4 }, 'INVALID_REQUEST_BODY', 'amount must be an integer'],
      [{ ...tenth, amount: '540' }, 'INVALID_REQUEST_BODY', 'amount'],
      [{ ...tenth, code: 'AB' }, 'INVALID_REQUEST_BODY', 'code must be 3 to 16'],
      [{ ...tenth, code: 'A'.repeat(17) }, 'INVALID_REQUEST_BODY', 'code must not be longer'],
      [{ ...tenth, code: 'ßßßßßßßßß' }, 'INVALID_REQUEST_BODY', 'code must be 3 to 16'],
      [{ ...tenth, code: 'A\0BC' }, 'INVALID_REQUEST_BODY', 'code'],
      [{ ...tenth, name: '' }, 'INVALID_REQUEST_BODY', 'name'],
      [{ ...tenth, usage_limit: 0 }, 'INVALID_REQUEST_BODY', 'usage_limit'],
      [{ ...tenth, per_customer_usage_limit: 0 }, 'INVALID_REQUEST_BODY', 'per_customer'],
      [{ ...tenth, subscription_cycles: 0 }, 'INVALID_REQUEST_BODY', 'subscription_cycles'],
      [{ ...tenth, customer_eligibility: 'vip' }, 'INVALID_REQUEST_BODY', 'any, first_time'],
      [{ ...tenth, expires_at: 'soon' }, 'INVALID_REQUEST_BODY', 'expires_at'],
      [{ ...tenth, restricted_to: 'pdt_1' }, 'INVALID_REQUEST_BODY', 'restricted_to'],
      [
        { ...tenth, currency_options: [{}] },
        'INVALID_REQUEST_BODY',
        'currency_options[0].currency',
      ],
      [
        { ...tenth, currency_options: [{ ...option, max_amount_possible: 0 }] },
        'INVALID_REQUEST_BODY',
        'max_amount_possible',
      ],
      [
        { ...tenth, currency_options: [{ ...option, minimum_subtotal: -1 }] },
        'INVALID_REQUEST_BODY',
        'minimum_subtotal',
      ],
      [
        { ...tenth, currency_options: [option, option] },
        'DISCOUNT_CURRENCY_OPTION_INVALID',
        'each currency once',
      ],
      [{ ...tenth, type: 'flat' }, 'DISCOUNT_CURRENCY_OPTION_INVALID', 'currency_options'],
      [
        { ...tenth, type: 'flat', currency_options: [option] },
        'DISCOUNT_CURRENCY_OPTION_INVALID',
        'currency_options[0].max_amount_possible',
      ],
    ]
    for (const [body, code, says] of cases) {
      const answer = await call('POST /discounts', body)
      expect(answer, JSON.stringify(body)).toMatchObject({ status: 422, body: { code } })
      expect(answer.body.message, JSON.stringify(body)).toContain(says)
    }
    const unknown = await call('POST /discounts', { ...tenth, restricted_to: ['pdt_none'] })
    expect(unknown).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    expect(unknown.body.message).toContain("product with the id 'pdt_none'")
    expect((await call('GET /discounts')).body.items).toEqual([])
  })

  it('are listed newest first, by every filter', async () => {
    const { id: businessId, call } = await catalog.business()
    const product = (await call('POST /products', { ...base, price: oneTime })).body.product_id
    const at = (n: number) => call.as({ at: instantOf(start + n) })
    const used = await made(at(0), { ...tenth, code: 'USED-UP', usage_limit: 1 })
    await made(at(1), { ...tenth, code: 'LATER', starts_at: '2027-01-15T08:00:01Z' })
    await made(at(2), { ...tenth, code: 'OVER', expires_at: '2027-01-15T08:00:00Z' })
    const option = { currency: 'USD', max_amount_possible: 5 }
    await made(at(3), { ...tenth, type: 'flat', code: 'FLAT', currency_options: [option] })
    await made(at(4), { ...tenth, code: 'MINE', restricted_to: [product] })
    const scope = { businessId, mode: 'test' } as const
    const discount = await catalog.discounts.get(scope, used)
    if (discount === null) throw new Error('No discount.')
    const use = { discountId: used, usedFor: 'pay_1', customerId: 'cus_1' }
    const counted = await catalog.changes.commit(
      rowAlone(scope, {
        noun: 'discount_use',
        expected: null,
        row: { ...use, usedAt: instantOf(start) },
        held: false,
        discountAsOf: discount.updatedAt,
      }),
    )
    expect(counted).toBe('committed')

    const codes = async (query: string) => {
      const { body } = await call(`GET /discounts?${query}`)
      return body.items.map(({ code }) => code)
    }
    expect(await codes('')).toEqual(['MINE', 'FLAT', 'OVER', 'LATER', 'USED-UP'])
    expect(await codes('page_size=2&page_number=2')).toEqual(['USED-UP'])
    expect(await codes('active=true')).toEqual(['MINE', 'FLAT'])
    expect(await codes('active=false')).toEqual(['OVER', 'LATER', 'USED-UP'])
    expect(await codes('discount_type=flat')).toEqual(['FLAT'])
    expect(await codes('code=e')).toEqual(['MINE', 'OVER', 'LATER', 'USED-UP'])
    expect(await codes('code=%25')).toEqual([])
    expect(await codes(`product_id=${product}&code=M`)).toEqual(['MINE'])
    expect(await codes('product_id=pdt_other')).toEqual(['FLAT', 'OVER', 'LATER', 'USED-UP'])
    expect((await call(`GET /discounts/${used}`)).body['times_used']).toBe(1)
    const later = call.as({ at: instantOf(start + 1_000_000) })
    const { items } = (await later('GET /discounts?active=true')).body
    expect(items.map(({ code }) => code)).toEqual(['MINE', 'FLAT', 'LATER'])
  })
})
