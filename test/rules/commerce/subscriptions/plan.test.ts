import { describe, expect, it } from 'vitest'
import type {
  OneTimePrice,
  Price,
  RecurringPrice,
  UsageBasedPrice,
} from '../../../../src/rules/commerce/catalog/price.ts'
import type { CreditMapping, Product } from '../../../../src/rules/commerce/catalog/product.ts'
import { inherited } from '../../../../src/rules/commerce/catalog/product.ts'
import { noLicense } from '../../../../src/rules/commerce/catalog/product-license.ts'
import {
  planOf,
  startSubscription,
  subscribedLink,
} from '../../../../src/rules/commerce/subscriptions/start.ts'
import { parseDecimal } from '../../../../src/std/decimal.ts'
import { day, after as later } from '../../../../src/std/instant.ts'
import { entitlementFor, plainProgram } from '../../../support/billing/catalog.ts'
import { january } from '../../../support/store/scratch-store.ts'

const recurring: RecurringPrice = {
  type: 'recurring_price',
  currency: 'EUR',
  price: 1_001,
  discount: 0,
  purchasingPowerParity: false,
  taxInclusive: true,
  frequency: { count: 2, interval: 'Week' },
  period: { count: 45, interval: 'Day' },
  trialPeriodDays: 0,
  trialAmount: 50,
  trialApplyDiscounts: false,
}
const metered = {
  meterId: 'mtr_1',
  creditEntitlementId: 'cde_1',
  freeThreshold: 3,
  meterUnitsPerCredit: '2.5',
  pricePerUnit: null,
}
const usageBased: UsageBasedPrice = {
  type: 'usage_based_price',
  currency: 'USD',
  fixedPrice: 999,
  discount: 50,
  purchasingPowerParity: false,
  taxInclusive: null,
  meters: [metered],
  frequency: { count: 1, interval: 'Month' },
  period: { count: 1, interval: 'Year' },
}
const oneTime: OneTimePrice = {
  type: 'one_time_price',
  currency: 'USD',
  price: 5,
  discount: 0,
  purchasingPowerParity: false,
  taxInclusive: null,
  payWhatYouWant: false,
  suggestedPrice: null,
}

const product = (price: Price): Product => ({
  productId: 'pdt_1',
  brandId: 'brn_1',
  name: 'Plan',
  description: null,
  taxCategory: 'saas',
  addonIds: [],
  pricingMode: null,
  license: noLicense,
  entitlementIds: [],
  deliveryEntitlementId: null,
  imageId: null,
  collectionId: null,
  creditEntitlements: [],
  metadata: {},
  archivedAt: null,
  createdAt: january,
  updatedAt: january,
  price,
})
const entitlements = new Map()
const unmapped = {
  ...inherited,
  mappingId: 'cem_1',
  creditEntitlementId: 'cde_1',
}
const planned = (price: Price, quantity = 1) =>
  planOf({ addons: [], product: product(price), entitlements, quantity })
const begun = (price: Price, trialPeriodDays: number | null = null, quantity = 1) =>
  startSubscription({
    addons: [],
    product: product(price),
    entitlements,
    quantity,
    trialPeriodDays,
    at: january,
  })

describe('what a product gives to who subscribes to it [resources#subscriptions, resources#prices]', () => {
  it('is its price, times quantity, less its discount, rounded half up', () => {
    expect(planned(recurring, 3)).toEqual({
      addons: [],
      productId: 'pdt_1',
      brandId: 'brn_1',
      quantity: 3,
      currency: 'EUR',
      recurringPreTaxAmount: 3_003,
      taxInclusive: true,
      links: [],
      cart: [],
      frequency: { count: 2, interval: 'Week' },
      period: { count: 45, interval: 'Day' },
    })
    expect(planned(usageBased)).toMatchObject({ recurringPreTaxAmount: 500, taxInclusive: false })
    const third = { ...recurring, price: 100, discount: 33 }
    expect(planned(third)).toMatchObject({ recurringPreTaxAmount: 67 })
  })

  it('is refused for what nobody can subscribe to', () => {
    expect(planned(oneTime)).toMatchObject({
      code: 'INVALID_REQUEST_BODY',
      problem: expect.stringContaining('product_id'),
    })
    expect(planned(usageBased, 2)).toMatchObject({
      code: 'INVALID_QUANTITY',
      problem: expect.stringContaining('quantity must be 1'),
    })
    expect(begun(oneTime)).toMatchObject({ code: 'INVALID_REQUEST_BODY' })
  })

  it('is refused for more than a number or the books can hold, by name [requests#numbers]', () => {
    const dear = { ...recurring, price: Number.MAX_SAFE_INTEGER }
    expect(planned(dear)).toMatchObject({ recurringPreTaxAmount: Number.MAX_SAFE_INTEGER })
    expect(planned(dear, 2)).toEqual({
      code: 'INVALID_REQUEST_BODY',
      problem: 'quantity is too large: times the price it is more than 9007199254740991.',
    })
    const credited = (mapping: Partial<CreditMapping>, quantity: number) =>
      planOf({
        addons: [],
        product: {
          ...product({ ...recurring, price: 0 }),
          creditEntitlements: [{ ...unmapped, creditsAmount: '1', ...mapping }],
        },
        ...{
          entitlements: new Map([['cde_1', entitlementFor('cde_1', plainProgram, january)]]),
          quantity,
        },
      })
    const tooMany = (field: string) => ({
      code: 'INVALID_REQUEST_BODY',
      problem: `${field} of credit entitlement 'cde_1' times quantity must be below 10000000000.`,
    })
    const half = '5000000000'
    expect(credited({ creditsAmount: '4999999999.9' }, 2)).not.toHaveProperty('problem')
    expect(credited({ creditsAmount: half }, 2)).toEqual(tooMany('credits_amount'))
    expect(credited({ trialCredits: '4999999999.9' }, 2)).not.toHaveProperty('problem')
    expect(credited({ trialCredits: half }, 2)).toEqual(tooMany('trial_credits'))
  })

  it('ties its meters to credits, or to money', () => {
    expect(subscribedLink({ ...metered } as never)).toEqual({
      meterId: 'mtr_1',
      entitlementId: 'cde_1',
      pricePerUnit: null,
      unitsPerCredit: parseDecimal('2.5', 18),
      freeThreshold: parseDecimal('3', 18),
    })
    const money = { ...metered, creditEntitlementId: null, pricePerUnit: '7' }
    expect(subscribedLink({ ...money, freeThreshold: null } as never)).toMatchObject({
      entitlementId: null,
      unitsPerCredit: null,
      freeThreshold: 0n,
      pricePerUnit: '7',
    })
  })
})

describe('the beginning of a subscription', () => {
  it('is a whole cycle, or a trial as long as it is asked to be, with its own amount', () => {
    expect(begun(recurring, null, 2)).toMatchObject({
      firstCharge: 2_002,
      recurringPreTaxAmount: 2_002,
      trialPeriodDays: 0,
      nextBillingDate: later(january, 14 * day),
      expiresAt: later(january, 45 * day),
    })
    const trial = { ...recurring, trialPeriodDays: 5 }
    expect(begun(trial, null, 2)).toMatchObject({
      firstCharge: 100,
      trialPeriodDays: 5,
      nextBillingDate: later(january, 5 * day),
    })
    expect(begun(trial, 9)).toMatchObject({ nextBillingDate: later(january, 9 * day) })
    expect(begun(trial, 0)).toMatchObject({ firstCharge: 1_001, trialPeriodDays: 0 })
    expect(begun(usageBased)).toMatchObject({ firstCharge: 500, trialPeriodDays: 0 })
    expect(begun(usageBased, 3)).toMatchObject({ firstCharge: 0, trialPeriodDays: 3 })
  })

  it('has no trial that is longer than its period [subscriptions#endings]', () => {
    expect(begun(recurring, 45)).toMatchObject({ nextBillingDate: later(january, 45 * day) })
    expect(begun(recurring, 46)).toEqual({
      code: 'INVALID_REQUEST_BODY',
      problem:
        "trial_period_days must not be longer than the subscription's period, which ends after 45 days.",
    })
    // A payment may be for longer than a short month is.
    const days = { frequency: { count: 30, interval: 'Day' } } as const
    const month = { period: { count: 1, interval: 'Month' } } as const
    expect(begun({ ...recurring, ...days, ...month })).not.toHaveProperty('problem')
  })
})
