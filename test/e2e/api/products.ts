import type DodoPayments from 'dodopayments'
import { beforeAll, describe, expect, it } from 'vitest'
import { at } from '../here.ts'
import type { Subscriber } from '../plan.ts'
import { fresh, subscriber } from '../plan.ts'

let client: DodoPayments
let one: Subscriber
beforeAll(async () => {
  client = at.client()
  one = await subscriber(at)
})

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
const idOf = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}_[\\w-]{21}$`))
const credits = () => ({
  name: fresh('credits'),
  unit: 'credit',
  precision: 2,
  overage_enabled: false,
  rollover_enabled: false,
})
const recurrence = {
  payment_frequency_count: 1,
  payment_frequency_interval: 'Month',
  subscription_period_count: 1,
  subscription_period_interval: 'Year',
} as const

describe('products', () => {
  it('carry credits and meters, with all that they inherit', async () => {
    const product = await client.products.retrieve(one.productId)
    const [mapping] = product.credit_entitlements
    expect(product).toEqual({
      product_id: idOf('pdt'),
      business_id: at.businessId,
      brand_id: at.businessId,
      name: expect.any(String),
      description: null,
      image: null,
      tax_category: 'saas',
      is_recurring: true,
      metadata: {},
      created_at: time,
      updated_at: time,
      entitlements: [],
      addons: null,
      product_collection_id: null,
      pricing_mode: null,
      digital_product_delivery: null,
      license_key_enabled: false,
      license_key_duration: null,
      license_key_activation_message: null,
      license_key_activations_limit: null,
      price: {
        type: 'usage_based_price',
        currency: 'USD',
        discount: 0,
        fixed_price: 0,
        purchasing_power_parity: false,
        tax_inclusive: null,
        ...recurrence,
        meters: [
          {
            meter_id: one.meterIds[0],
            credit_entitlement_id: one.creditId,
            meter_units_per_credit: '1',
            free_threshold: null,
            price_per_unit: null,
            name: expect.any(String),
            description: null,
            measurement_unit: 'unit',
          },
        ],
      },
      credit_entitlements: [
        {
          id: expect.any(String),
          credit_entitlement_id: one.creditId,
          credit_entitlement_name: expect.any(String),
          credit_entitlement_unit: 'credit',
          credits_amount: '100',
          currency: null,
          expires_after_days: null,
          low_balance_threshold_percent: null,
          max_rollover_count: null,
          overage_behavior: 'forgive_at_reset',
          overage_enabled: false,
          overage_limit: null,
          price_per_unit: null,
          proration_behavior: 'no_prorate',
          rollover_enabled: false,
          rollover_percentage: null,
          rollover_timeframe_count: null,
          rollover_timeframe_interval: null,
          trial_credits: null,
          trial_credits_expire_after_trial: false,
        },
      ],
    })
    expect(mapping?.credit_entitlement_name).toContain('credits')
    const listed = (await client.products.list({ page_size: 100 })).items.find(
      (each) => each.product_id === one.productId,
    )
    expect(listed).toEqual({
      product_id: one.productId,
      business_id: at.businessId,
      name: product.name,
      description: null,
      image: null,
      tax_category: 'saas',
      is_recurring: true,
      metadata: {},
      currency: 'USD',
      price: expect.toSatisfy((price) => price === 0 || price === null),
      price_detail: product.price,
      pricing_mode: null,
      tax_inclusive: null,
      entitlements: [],
      created_at: product.created_at,
      updated_at: product.updated_at,
    })
  })

  it('are refused with what they cannot carry', async () => {
    const archived = await client.meters.create({
      name: 'gone',
      event_name: 'e',
      aggregation: { type: 'count' },
      measurement_unit: 'u',
    })
    await client.meters.archive(archived.id)
    const gone = await client.creditEntitlements.create(credits())
    await client.creditEntitlements.delete(gone.id)
    const more = await Promise.all(
      Array.from({ length: 3 }, () => client.creditEntitlements.create(credits())),
    )
    const attached = (id: string, rest = {}) => ({
      credit_entitlement_id: id,
      credits_amount: '1',
      ...rest,
    })
    const meter = (rest: object) => ({
      price: { ...price, meters: [{ meter_id: one.meterIds[0], ...rest }] },
    })
    const linked = { credit_entitlement_id: one.creditId, meter_units_per_credit: '1' }
    const price = {
      type: 'usage_based_price',
      currency: 'USD',
      discount: 0,
      fixed_price: 0,
      ...recurrence,
    }
    const cases: [object, number, string][] = [
      [{ credit_entitlements: [attached('cde_nobody')] }, 404, 'NOT_FOUND'],
      [{ credit_entitlements: [attached(gone.id)] }, 410, 'CREDIT_ENTITLEMENT_IS_DELETED'],
      [
        { credit_entitlements: [attached(one.creditId), attached(one.creditId)] },
        422,
        'INVALID_REQUEST_BODY',
      ],
      [
        {
          credit_entitlements: [one.creditId, ...more.map(({ id }) => id)].map((id) =>
            attached(id),
          ),
        },
        422,
        'INVALID_REQUEST_BODY',
      ],
      [
        { credit_entitlements: [attached(one.creditId, { credits_amount: '0' })] },
        422,
        'INVALID_REQUEST_BODY',
      ],
      [
        { credit_entitlements: [attached(one.creditId, { credits_amount: '1.005' })] },
        422,
        'INVALID_REQUEST_BODY',
      ],
      [
        { credit_entitlements: [attached(one.creditId, { credits_amount: 5 })] },
        422,
        'INVALID_REQUEST_BODY',
      ],
      [meter({ meter_id: archived.id, price_per_unit: '1' }), 410, 'METER_IS_DELETED'],
      [meter({ meter_id: 'mtr_nobody', price_per_unit: '1' }), 422, 'MISSING_METER_IDS'],
      [
        {
          price: {
            ...price,
            meters: [1, 2].map(() => ({ meter_id: one.meterIds[0], price_per_unit: '1' })),
          },
        },
        422,
        'DUPLICATE_METER_IDS_IN_REQUEST',
      ],
      [meter({}), 422, 'INVALID_REQUEST_BODY'],
      [meter(linked), 422, 'INVALID_REQUEST_BODY'],
      [
        {
          ...meter({ ...linked, meter_units_per_credit: null }),
          credit_entitlements: [attached(one.creditId)],
        },
        422,
        'INVALID_REQUEST_BODY',
      ],
      [meter({ price_per_unit: '1', free_threshold: -1 }), 422, 'INVALID_REQUEST_BODY'],
      [{ name: 'x'.repeat(101) }, 422, 'INVALID_REQUEST_BODY'],
      [{ tax_category: 'art' }, 422, 'INVALID_REQUEST_BODY'],
      [{ price: { ...price, type: 'barter' } }, 422, 'INVALID_REQUEST_BODY'],
      [{ brand_id: 'brnd_nobody' }, 404, 'NOT_FOUND'],
      [
        { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, 1])) },
        422,
        'MAXIMUM_KEYS_REACHED',
      ],
    ]
    for (const [wrong, status, code] of cases) {
      const answer = await at.call('POST /products', {
        body: { name: 'p', tax_category: 'saas', price, ...wrong },
      })
      expect([answer.status, answer.body.code], JSON.stringify(wrong) + answer.text).toEqual([
        status,
        code,
      ])
    }
  })

  it('of three kinds are listed by whether they recur', async () => {
    const common = {
      currency: 'JPY',
      discount: 0,
      price: 500,
      purchasing_power_parity: false,
    } as const
    const once = await client.products.create({
      name: 'once',
      tax_category: 'e_book',
      price: { type: 'one_time_price', ...common },
    })
    const again = await client.products.create({
      name: 'again',
      tax_category: 'saas',
      price: { type: 'recurring_price', ...common, ...recurrence },
    })
    const ids = async (recurring?: boolean) =>
      (
        await client.products.list({
          page_size: 2,
          ...(recurring === undefined ? {} : { recurring }),
        })
      ).items.map((each) => each.product_id)
    expect(await ids()).toEqual([again.product_id, once.product_id])
    expect((await ids(true))[0]).toBe(again.product_id)
    expect(await ids(false)).toEqual([once.product_id])
    expect((await client.products.list({ archived: true })).items).toEqual([])
    expect((await client.products.list({ brand_id: 'brnd_x' })).items).toEqual([])
  })
})
