import type { RedemptionRefusal } from '../discounts/redeem.ts'
import type { SubscriptionRejectionCode } from '../subscriptions/subscription-rejection.ts'

/** Why a payment is refused: a code of the API, and a sentence. [requests#refusals] */
export interface PaymentRejection {
  readonly code: PaymentRejectionCode
  readonly problem: string
}

export type PaymentRejectionCode =
  | RedemptionRefusal['code']
  | SubscriptionRejectionCode
  | 'ADDONS_NOT_ALLOWED_FOR_ON_DEMAND'
  | 'BRAND_MISMATCH'
  | 'CHECKOUT_SESSION_CONSUMED'
  | 'DISCOUNT_ALREADY_USED_ON_SUBSCRIPTION'
  | 'DISCOUNT_NOT_APPLICABLE_TO_NEW_PRODUCT'
  | 'DUPLICATE_LINE_ITEMS_IN_REQUEST'
  | 'INVALID_TAX_ID'
  | 'ON_DEMAND_USAGE_BASED_BILLING_NOT_SUPPORTED'
  | 'ONE_TIME_PRODUCTS_NOT_ALLOWED_FOR_ON_DEMAND'
  | 'PAY_AS_YOU_WANT_AMOUNT_REQUIRED'
  | 'PRODUCT_CART_EMTPY'
  | 'REQUEST_AMOUNT_BELOW_MINIMUM'
  | 'UNSUPPORTED_BILLING_CURRENCY'
