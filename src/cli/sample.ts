import type { Repositories } from '../compose/store.ts'
import { repositories } from '../compose/store.ts'
import { limits } from '../limits.ts'
import { createBusiness } from '../operations/businesses/create-business.ts'
import { createKey } from '../operations/businesses/create-key.ts'
import { createCreditEntitlement } from '../operations/credit-entitlements/create-credit-entitlement.ts'
import { createCustomer } from '../operations/customers/create-customer.ts'
import { createMeter } from '../operations/meters/create-meter.ts'
import { createProduct } from '../operations/products/create-product.ts'
import { subscribe } from '../operations/subscriptions/subscribe.ts'
import type { Scope } from '../parts/store/scope.ts'
import type {
  CreditEntitlement,
  WantedEntitlement,
} from '../rules/commerce/catalog/credit-entitlement.ts'
import { inherited } from '../rules/commerce/catalog/product.ts'
import { noLicense } from '../rules/commerce/catalog/product-license.ts'
import type { Meter, WantedMeter } from '../rules/meter/meter.ts'
import { checkoutRequest } from '../wire/checkout.ts'
import { checkoutOfSubscription } from '../wire/subscription-create.ts'
import type { CommandNeeds } from './command.ts'

/** A business to begin with at once: usage of `eventName` deducts its credits. */
export interface Sample {
  readonly businessId: string
  /** Printed once; only its hash is stored. */
  readonly apiKey: string
  readonly customerId: string
  readonly creditEntitlementId: string
  readonly eventName: string
  /** The property of an event that the meter sums up. */
  readonly quantityKey: string
  /** The credits that the subscription began with; decimal text. */
  readonly credits: string
}

const eventName = 'llm.completion'
const quantityKey = 'tokens'

const tokens: WantedMeter = {
  name: 'Tokens',
  eventName,
  aggregation: { type: 'sum', key: quantityKey },
  filter: null,
  measurementUnit: 'token',
  description: null,
}

const aiCredits: WantedEntitlement = {
  name: 'AI credits',
  description: null,
  unit: 'credit',
  precision: 2,
  expiresAfterDays: null,
  rolloverEnabled: false,
  rolloverPercentage: null,
  rolloverTimeframeCount: null,
  rolloverTimeframeInterval: null,
  maxRolloverCount: null,
  overageEnabled: false,
  overageBehavior: 'forgive_at_reset',
  overageLimit: null,
  pricePerUnit: null,
  currency: null,
  lowBalanceThreshold: null,
  meterLinks: [],
}

export interface SampleRequest {
  readonly businessName: string
  readonly keyName: string
  /** Credits that the subscription begins with. */
  readonly credits: string
}

/** Makes the business, a test key and its catalog, all with the operations of the API. */
export async function createSample(ports: CommandNeeds, request: SampleRequest): Promise<Sample> {
  const { businessName, keyName, credits } = request
  const businessId = await createBusiness(ports, { name: businessName, rateTier: 'unlimited' })
  const key = { businessId, mode: 'test', access: 'write', name: keyName } as const
  const { apiKey } = await createKey(ports, key)
  const scope = { businessId, mode: 'test' } as const
  const { newId } = ports
  // Nothing can be due for a customer that is only being made.
  const clock = { ...ports.clock, believed: ports.clock.now }
  const needs = { ...repositories(ports.db, limits), clock, newId, wrote: () => undefined }
  const at = ports.clock.now()
  const meter = await createMeter(needs, scope, {
    at,
    wanted: tokens,
  })
  const entitlement = await createCreditEntitlement(needs, scope, {
    at,
    wanted: aiCredits,
  })
  const productId = await productOf(needs, scope, { meter, entitlement, credits })
  const customer = await createCustomer(needs, scope, {
    at,
    wanted: { name: 'Ada Lovelace', email: 'ada@example.com', phoneNumber: null, metadata: {} },
  })
  const { customerId } = customer
  const asked = checkoutOfSubscription({
    billing: { country: 'GB' },
    customer: { customer_id: customerId },
    product_id: productId,
    quantity: 1,
  })
  const bought = { ...checkoutRequest(asked), customer: { id: customerId } }
  await subscribe(needs, scope, { request: bought, linkTo: null })
  return {
    businessId,
    apiKey,
    customerId,
    creditEntitlementId: entitlement.creditEntitlementId,
    eventName,
    quantityKey,
    credits,
  }
}

/**
 * A product with a month of credits: 1 000 tokens cost one; below a fifth of them the balance is
 * low.
 */
async function productOf(
  needs: Repositories & Pick<CommandNeeds, 'clock' | 'newId'>,
  scope: Scope,
  parts: {
    readonly meter: Meter
    readonly entitlement: CreditEntitlement
    readonly credits: string
  },
): Promise<string> {
  const creditEntitlementId = parts.entitlement.creditEntitlementId
  const { product } = await createProduct(needs, scope, {
    at: needs.clock.now(),
    wanted: {
      name: 'Pay as you go',
      description: null,
      taxCategory: 'saas',
      price: {
        type: 'usage_based_price',
        currency: 'USD',
        discount: 0,
        purchasingPowerParity: false,
        taxInclusive: null,
        fixedPrice: 0,
        frequency: { count: 1, interval: 'Month' },
        period: { count: 1, interval: 'Year' },
        meters: [
          {
            meterId: parts.meter.meterId,
            creditEntitlementId,
            meterUnitsPerCredit: '1000',
            pricePerUnit: null,
            freeThreshold: null,
          },
        ],
      },
      metadata: {},
      brandId: null,
      creditEntitlements: [
        {
          ...inherited,
          creditEntitlementId,
          creditsAmount: parts.credits,
          lowBalanceThresholdPercent: 20,
        },
      ],
      addonIds: [],
      pricingMode: null,
      entitlementIds: [],
      license: noLicense,
      delivery: null,
    },
  })
  return product.productId
}
