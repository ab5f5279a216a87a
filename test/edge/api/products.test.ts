import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { instantOf } from '../../../src/std/instant.ts'
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

describe('products', () => {
  it('of each kind of price are created, read and answered whole', async () => {
    const { id, call } = await catalog.business()
    const kinds = [
      [oneTime, { pay_what_you_want: false, suggested_price: null }, false],
      [recurring, { trial_period_days: 0, trial_amount: null, trial_apply_discounts: false }, true],
      [usageBased, { meters: [] }, true],
    ] as const
    for (const [price, more, isRecurring] of kinds) {
      const created = await call('POST /products', { ...base, price })
      expect(created).toEqual({
        status: 200,
        body: {
          ...base,
          product_id: expect.stringMatching(/^pdt_[\w-]{21}$/),
          business_id: id,
          brand_id: id,
          description: null,
          image: null,
          is_recurring: isRecurring,
          price: { ...price, ...defaults, ...more },
          pricing_mode: null,
          credit_entitlements: [],
          entitlements: [],
          addons: null,
          product_collection_id: null,
          digital_product_delivery: null,
          license_key_enabled: false,
          license_key_activation_message: null,
          license_key_activations_limit: null,
          license_key_duration: null,
          metadata: {},
          created_at: '2027-01-15T08:00:00.000000Z',
          updated_at: '2027-01-15T08:00:00.000000Z',
        },
      })
      expect(await call(`GET /products/${created.body.product_id}`)).toEqual(created)
    }
    expect((await call('GET /products/pdt_none')).body.code).toBe('NOT_FOUND')
  })

  it('carry meters and credits, with what they are called and what is inherited', async () => {
    const { call } = await catalog.business()
    const { meter, other, credit, coarse } = await sampleIds(call)
    const tied = { meter_id: meter, credit_entitlement_id: credit, meter_units_per_credit: '10.0' }
    const priced = { meter_id: other, price_per_unit: '0.020', free_threshold: 3_000_000_000 }
    const { body } = await call('POST /products', {
      ...base,
      price: { ...usageBased, meters: [tied, { ...priced, name: 'ignored' }] },
      credit_entitlements: [
        { credit_entitlement_id: credit, credits_amount: '100.50' },
        {
          credit_entitlement_id: coarse,
          credits_amount: '7',
          overage_limit: '0',
          rollover_enabled: false,
          expires_after_days: 7,
          trial_credits: '3',
          low_balance_threshold_percent: 20,
          proration_behavior: 'prorate',
        },
      ],
    })
    const called = { name: 'Tokens', description: 'of text', measurement_unit: 'token' }
    expect(body['price']).toMatchObject({
      meters: [
        { ...called, ...tied, meter_units_per_credit: '10', price_per_unit: null },
        { ...called, ...priced, name: 'Other', price_per_unit: '0.02' },
      ],
    })
    const inherited = {
      id: expect.stringMatching(/^cem_/),
      credit_entitlement_id: credit,
      credit_entitlement_name: 'Credits',
      credit_entitlement_unit: 'credit',
      credits_amount: '100.5',
      currency: 'USD',
      expires_after_days: 30,
      low_balance_threshold_percent: null,
      max_rollover_count: null,
      overage_behavior: 'forgive_at_reset',
      overage_enabled: true,
      overage_limit: '100',
      price_per_unit: '1.5',
      proration_behavior: 'no_prorate',
      rollover_enabled: true,
      rollover_percentage: 50,
      rollover_timeframe_count: null,
      rollover_timeframe_interval: null,
      trial_credits: null,
      trial_credits_expire_after_trial: false,
    }
    const own = {
      ...inherited,
      credit_entitlement_id: coarse,
      credit_entitlement_name: 'C',
      credits_amount: '7',
      overage_limit: '0',
      rollover_enabled: false,
      expires_after_days: 7,
      trial_credits: '3',
      low_balance_threshold_percent: 20,
      proration_behavior: 'prorate',
    }
    expect(body['credit_entitlements']).toEqual([inherited, own])

    // Null goes on inheriting; names follow; a deleted entitlement is still answered.
    await call(`PATCH /credit-entitlements/${credit}`, { name: 'New', expires_after_days: null })
    await call(`DELETE /credit-entitlements/${credit}`)
    await call(`DELETE /meters/${meter}`)
    const read = await call(`GET /products/${body.product_id}`)
    expect(read.body['price']).toEqual(body['price'])
    expect(read.body['credit_entitlements']).toEqual([
      { ...inherited, credit_entitlement_name: 'New', expires_after_days: null },
      own,
    ])
  })

  it('are listed newest first, by brand and kind', async () => {
    const { id, call } = await catalog.business()
    const { meter } = await sampleIds(call)
    const metered = { ...usageBased, meters: [{ meter_id: meter, price_per_unit: '1' }] }
    for (const [n, price] of [oneTime, recurring, metered].entries()) {
      const at = instantOf(1_800_000_000_000_000 + n)
      await call.as({ at })('POST /products', { ...base, name: price.type, price })
    }
    const list = async (query: string) => (await call(`GET /products?${query}`)).body.items
    const names = async (query: string) => (await list(query)).map((item) => item['name'])
    const [one, two, three] = ['one_time_price', 'recurring_price', 'usage_based_price']
    expect(await names('')).toEqual([three, two, one])
    expect(await names('page_size=2&page_number=1')).toEqual([one])
    expect(await names('recurring=true')).toEqual([three, two])
    expect(await names('recurring=false')).toEqual([one])
    expect(await names(`brand_id=${id}`)).toHaveLength(3)
    expect(await names('brand_id=brnd_none')).toEqual([])
    expect(await names('archived=true')).toEqual([])
    expect((await call('GET /products?recurring=yes')).status).toBe(422)

    const [item] = await list('')
    expect(item).toEqual({
      ...base,
      name: three,
      product_id: expect.stringMatching(/^pdt_/),
      business_id: id,
      description: null,
      image: null,
      is_recurring: true,
      currency: 'USD',
      price: 0,
      price_detail: {
        ...metered,
        ...defaults,
        meters: [
          {
            meter_id: meter,
            credit_entitlement_id: null,
            meter_units_per_credit: null,
            price_per_unit: '1',
            free_threshold: null,
            name: 'Tokens',
            description: 'of text',
            measurement_unit: 'token',
          },
        ],
      },
      pricing_mode: null,
      tax_inclusive: null,
      entitlements: [],
      metadata: {},
      created_at: '2027-01-15T08:00:00.000002Z',
      updated_at: '2027-01-15T08:00:00.000002Z',
    })
  })
})
