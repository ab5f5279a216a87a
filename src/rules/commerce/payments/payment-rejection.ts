import type { SubscriptionRejectionCode } from '../subscriptions/subscription-rejection.ts'

/** Why a payment is refused: a code of the API, and a sentence. [requests#refusals] */
export interface PaymentRejection {
  readonly code: PaymentRejectionCode
  readonly problem: string
}

export type PaymentRejectionCode =
  | SubscriptionRejectionCode
  | 'BRAND_MISMATCH'
  | 'CHECKOUT_SESSION_CONSUMED'
  | 'DUPLICATE_LINE_ITEMS_IN_REQUEST'
  | 'PAY_AS_YOU_WANT_AMOUNT_REQUIRED'
  | 'PRODUCT_CART_EMTPY'
  | 'REQUEST_AMOUNT_BELOW_MINIMUM'
  | 'UNSUPPORTED_BILLING_CURRENCY'
