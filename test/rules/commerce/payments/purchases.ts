import type { Price } from '../../../../src/rules/commerce/catalog/price.ts'
import type { Product } from '../../../../src/rules/commerce/catalog/product.ts'
import { noLicense } from '../../../../src/rules/commerce/catalog/product-license.ts'
import type { Payment, PurchasedProduct } from '../../../../src/rules/commerce/payments/payment.ts'
import { instantOf } from '../../../../src/std/instant.ts'

/** A payment of nothing in particular. */
export const paymentOf = (more: Partial<Payment>): Payment => ({
  paymentId: 'pay_1',
  brandId: 'bus_1',
  customerId: 'cus_1',
  subscriptionId: null,
  sessionId: 'cks_1',
  purpose: 'purchase',
  retryAttempt: 0,
  status: 'processing',
  processor: 'sandbox',
  currency: 'EUR',
  totalAmount: 999,
  tax: 0,
  lines: [],
  products: [],
  discounts: [],
  holdsUses: false,
  agreed: null,
  fromWallet: 0,
  abandoned: null,
  billing: { country: 'DE', city: null, state: null, street: null, zipcode: null },
  taxId: null,
  customerBusinessName: null,
  metadata: {},
  customFields: [],
  token: 'sandbox:pays',
  card: null,
  paymentMethodId: null,
  forcesConfirmation: false,
  errorCode: null,
  errorMessage: null,
  paymentLink: null,
  paidAt: null,
  refundStatus: null,
  disputeStatus: null,
  version: 1,
  createdAt: instantOf(0),
  updatedAt: instantOf(0),
  ...more,
})

export const onceFor = (
  price: number,
  more: Partial<Extract<Price, { type: 'one_time_price' }>> = {},
) =>
  ({
    type: 'one_time_price',
    currency: 'EUR',
    discount: 0,
    purchasingPowerParity: false,
    taxInclusive: null,
    price,
    payWhatYouWant: false,
    suggestedPrice: null,
    ...more,
  }) as const satisfies Price

export const recurringFor = (
  price: number,
  more: Partial<Extract<Price, { type: 'recurring_price' }>> = {},
) =>
  ({
    type: 'recurring_price',
    currency: 'EUR',
    discount: 0,
    purchasingPowerParity: false,
    taxInclusive: null,
    frequency: { count: 1, interval: 'Month' },
    period: { count: 1, interval: 'Year' },
    price,
    trialPeriodDays: 0,
    trialAmount: null,
    trialApplyDiscounts: false,
    ...more,
  }) as const satisfies Price

export const productOf = (
  productId: string,
  price: Price,
  more: Partial<Product> = {},
): Product => ({
  productId,
  brandId: 'bus_1',
  name: productId,
  description: null,
  taxCategory: 'saas',
  price,
  creditEntitlements: [],
  addonIds: [],
  pricingMode: null,
  collectionId: null,
  license: noLicense,
  entitlementIds: [],
  deliveryEntitlementId: null,
  imageId: null,
  metadata: {},
  archivedAt: null,
  createdAt: instantOf(0),
  updatedAt: instantOf(0),
  ...more,
})

export const item = (
  productId: string,
  quantity = 1,
  more: Partial<PurchasedProduct> = {},
): PurchasedProduct => ({
  productId,
  quantity,
  amount: null,
  trialPeriodDays: null,
  addons: [],
  credits: {},
  ...more,
})
