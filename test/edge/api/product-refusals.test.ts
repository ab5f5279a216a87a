import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ScratchCatalog } from '../../support/store/catalog-routes.ts'
import { catalogOnScratch } from '../../support/store/catalog-routes.ts'
import { base, oneTime, recurring, sampleIds, usageBased } from '../../support/wire/products.ts'

let catalog: ScratchCatalog
beforeAll(async () => {
  catalog = await catalogOnScratch()
})
afterAll(() => catalog.drop())

describe('a product is refused', () => {
  it('for a wrong shape, with the field in the message [credits#grants]', async () => {
    const { call } = await catalog.business()
    const mapping = { credit_entitlement_id: 'cde_x', credits_amount: '1' }
    const cases: [object, string][] = [
      [{ name: undefined, price: oneTime }, 'name is required'],
      [{ name: 'n'.repeat(101), price: oneTime }, 'name must not be longer than 100'],
      [{ description: 'd'.repeat(1_001), price: oneTime }, 'description must not be longer'],
      [{}, 'price is required'],
      [{ price: {} }, 'price.type is required'],
      [{ price: { ...oneTime, type: 'gift' } }, 'price.type must be one of one_time_price'],
      [{ price: { ...oneTime, price: undefined } }, 'price.price is required'],
      [
        { price: { ...oneTime, price: -1 } },
        'price.price must be a whole number from 0 to 2147483647',
      ],
      [
        { price: { ...oneTime, price: 2 ** 31 } },
        'price.price must be a whole number from 0 to 2147483647',
      ],
      [{ price: { ...oneTime, currency: 'usd' } }, 'price.currency must be one of AED'],
      [
        { price: { ...oneTime, discount: 101 } },
        'price.discount must be a whole number from 0 to 100',
      ],
      [{ price: { ...recurring, payment_frequency_count: 0 } }, 'payment_frequency_count must'],
      [
        { price: { ...recurring, trial_period_days: -1 } },
        'price.trial_period_days must be a whole number from 0',
      ],
      [
        { price: { ...recurring, subscription_period_interval: undefined } },
        'price.subscription_period_interval is required',
      ],
      [{ price: { ...usageBased, fixed_price: null } }, 'price.fixed_price must be an integer'],
      [{ price: { ...usageBased, meters: [{}] } }, 'price.meters[0].meter_id is required'],
      [
        { price: { ...usageBased, meters: Array(11).fill({ meter_id: 'm' }) } },
        'price.meters must hold at most 10 items',
      ],
      [
        { price: { ...usageBased, meters: [{ meter_id: 'm', price_per_unit: '0' }] } },
        'price.meters[0].price_per_unit must be a decimal',
      ],
      [
        { price: { ...usageBased, meters: [{ meter_id: 'm', free_threshold: -1 }] } },
        'price.meters[0].free_threshold must be a whole number from 0',
      ],
      [{ price: oneTime, tax_category: 'toys' }, 'tax_category must be one of'],
      [
        { price: oneTime, credit_entitlements: [{ credit_entitlement_id: 'c' }] },
        'credit_entitlements[0].credits_amount is required',
      ],
      [
        { price: oneTime, credit_entitlements: [{ ...mapping, credits_amount: '0' }] },
        'credit_entitlements[0].credits_amount must be a decimal',
      ],
      [
        { price: oneTime, credit_entitlements: [{ ...mapping, credits_amount: 5 }] },
        'credit_entitlements[0].credits_amount must be a string',
      ],
      [
        { price: oneTime, credit_entitlements: [{ ...mapping, expires_after_days: 6 }] },
        'credit_entitlements[0].expires_after_days must be a whole number from 7',
      ],
      [
        { price: oneTime, credit_entitlements: Array(4).fill(mapping) },
        'credit_entitlements must hold at most 3 items',
      ],
    ]
    for (const [change, message] of cases) {
      const answer = await call('POST /products', { ...base, ...change })
      expect(answer).toMatchObject({ status: 422, body: { code: 'INVALID_REQUEST_BODY' } })
      expect(answer.body.message).toContain(message)
    }
  })

  it('for what it names, and for rules between its fields', async () => {
    const { call } = await catalog.business()
    const { meter, other, credit, coarse } = await sampleIds(call)
    const gone = (await call('POST /credit-entitlements', { ...credits, name: 'gone' })).body.id
    await call(`DELETE /credit-entitlements/${gone}`)
    const dead = (await call('POST /meters', { ...count })).body.id
    await call(`DELETE /meters/${dead}`)
    const grant = (id: string, more: object = {}) => ({
      credit_entitlement_id: id,
      credits_amount: '10',
      ...more,
    })
    const tied = { credit_entitlement_id: credit, meter_units_per_credit: '1' }
    const priced = { price_per_unit: '1' }
    const withMeters = (...meters: object[]) => ({ price: { ...usageBased, meters } })
    const withCredits = (...mappings: object[]) => ({
      price: oneTime,
      credit_entitlements: mappings,
    })
    const both = (meters: object[], mappings: object[]) => ({
      ...withMeters(...meters),
      credit_entitlements: mappings,
    })
    const cases: [object, number, string, string][] = [
      [{ price: oneTime, brand_id: 'brnd_x' }, 404, 'NOT_FOUND', 'brnd_x'],
      [{ price: recurring, addons: ['adn_x'] }, 422, 'MISSING_ADDON_IDS', 'adn_x'],
      [{ price: oneTime, entitlements: [{ entitlement_id: 'ent_x' }] }, 404, 'NOT_FOUND', 'ent_x'],
      [withCredits(grant('cde_x')), 404, 'NOT_FOUND', 'cde_x'],
      [withCredits(grant(gone), grant('cde_x')), 404, 'NOT_FOUND', 'cde_x'],
      [withCredits(grant(gone)), 410, 'CREDIT_ENTITLEMENT_IS_DELETED', gone],
      [withMeters({ meter_id: dead, ...priced }), 410, 'METER_IS_DELETED', dead],
      [withMeters({ meter_id: 'mtr_x', ...priced }), 422, 'MISSING_METER_IDS', 'mtr_x'],
      [
        withMeters({ meter_id: meter, ...priced }, { meter_id: meter, ...priced }),
        422,
        'DUPLICATE_METER_IDS_IN_REQUEST',
        'price.meters[1]',
      ],
      [withMeters({ meter_id: meter }), 422, 'INVALID_REQUEST_BODY', 'price_per_unit is required'],
      [
        withMeters({ meter_id: meter, ...tied }),
        422,
        'INVALID_REQUEST_BODY',
        "must also be in the product's credit_entitlements",
      ],
      [
        both([{ meter_id: meter, credit_entitlement_id: credit }], [grant(credit)]),
        422,
        'INVALID_REQUEST_BODY',
        'meter_units_per_credit is required',
      ],
      [
        withMeters({ meter_id: other, ...priced, meter_units_per_credit: '1' }),
        422,
        'INVALID_REQUEST_BODY',
        'meter_units_per_credit needs',
      ],
      [withCredits(grant(credit), grant(credit)), 422, 'INVALID_REQUEST_BODY', 'a second time'],
      [
        withCredits(grant(credit, { credits_amount: '0.001' })),
        422,
        'INVALID_REQUEST_BODY',
        'credit_entitlements[0].credits_amount must have at most 2 decimals',
      ],
      [withCredits(grant(coarse, { trial_credits: '0.1' })), 422, 'INVALID_REQUEST_BODY', 'trial'],
      [withCredits(grant(coarse, { overage_limit: '0.1' })), 422, 'INVALID_REQUEST_BODY', 'over'],
      [
        withCredits(grant(credit, { rollover_timeframe_count: 1 })),
        422,
        'INVALID_REQUEST_BODY',
        'credit_entitlements[0].rollover_timeframe_count needs',
      ],
      [
        { price: { ...oneTime, pay_what_you_want: true, suggested_price: 499 } },
        422,
        'INVALID_SUGGESTED_PRICE',
        'price.suggested_price',
      ],
      [{ price: { ...recurring, trial_amount: 5 } }, 422, 'INVALID_REQUEST_BODY', 'trial_amount'],
      [
        { price: { ...recurring, subscription_period_interval: 'Week' } },
        422,
        'INVALID_REQUEST_BODY',
        'payment_frequency',
      ],
      [
        { price: oneTime, digital_product_delivery: { external_url: 'ftp://x' } },
        422,
        'INVALID_REQUEST_BODY',
        'digital_product_delivery.external_url',
      ],
    ]
    for (const [change, status, code, message] of cases) {
      const answer = await call('POST /products', { ...base, ...change })
      expect(answer).toMatchObject({ status, body: { code } })
      expect(answer.body.message).toContain(message)
    }
    expect((await call('GET /products')).body.items).toEqual([])
  })

  it('not for naming nothing', async () => {
    const { id, call } = await catalog.business()
    const nothing = {
      addons: [],
      brand_id: id,
      credit_entitlements: [],
      description: null,
      digital_product_delivery: { external_url: null, instructions: null },
      entitlements: [],
      license_key_activation_message: null,
      license_key_activations_limit: null,
      license_key_duration: null,
      license_key_enabled: false,
      metadata: {},
      pricing_mode: null,
    }
    const suggested = { ...oneTime, suggested_price: 1 }
    const year = { ...recurring, payment_frequency_interval: 'Year' }
    for (const price of [suggested, year, { ...usageBased, meters: null }]) {
      const answer = await call('POST /products', { ...base, ...nothing, price })
      expect(answer.status).toBe(200)
    }
  })
})

const count = {
  name: 'm',
  event_name: 'e',
  aggregation: { type: 'count' },
  measurement_unit: 'call',
}
const credits = { unit: 'c', precision: 0, overage_enabled: false, rollover_enabled: false }
