import { disputeStatuses } from '../../rules/commerce/disputes/dispute.ts'
import { intentStatuses } from '../../rules/commerce/payments/payment.ts'
import {
  checkoutCreatedAnswer,
  checkoutPreviewAnswer,
  checkoutStatusAnswer,
  countriesAnswer,
  paymentAnswer,
  paymentCreatedAnswer,
  paymentItemAnswer,
  paymentLinesAnswer,
} from '../answers/payments.ts'
import { checkoutCreate } from '../checkout.ts'
import { currencies } from '../enums.ts'
import { paymentCreate } from '../payment-create.ts'
import { oneOf } from '../schemas.ts'
import { cartRefusals } from './cart-refusals.ts'
import type { DescribedRoutes } from './described.ts'
import { textQuery, timeQuery } from './described.ts'

const checkoutBody = {
  schema: checkoutCreate,
  example: {
    product_cart: [{ product_id: 'pdt_Zb3kQ9dR1sVxW7yTnM2pL', quantity: 1 }],
    customer: { email: 'ada@example.com' },
    return_url: 'https://example.com/thanks',
  },
}

export const paymentsDescribed: DescribedRoutes = {
  'POST /checkouts': {
    id: 'createCheckoutSession',
    summary: 'Open a checkout session',
    body: checkoutBody,
    answers: checkoutCreatedAnswer,
    refusals: cartRefusals,
  },
  'POST /checkouts/preview': {
    id: 'previewCheckoutSession',
    summary: 'See what a checkout session would charge',
    body: checkoutBody,
    answers: checkoutPreviewAnswer,
    refusals: cartRefusals,
  },
  'GET /checkouts/:id': {
    id: 'getCheckoutSession',
    summary: 'Read what has become of a checkout session',
    answers: checkoutStatusAnswer,
  },
  'GET /checkout/supported_countries': {
    id: 'listSupportedCountries',
    summary: 'List the countries that buyers may be in',
    answers: countriesAnswer,
  },
  'GET /payments': {
    id: 'listPayments',
    summary: 'List payments',
    query: {
      brand_id: textQuery,
      customer_id: textQuery,
      product_id: textQuery,
      subscription_id: textQuery,
      currency: oneOf(currencies),
      status: oneOf(intentStatuses),
      dispute_status: oneOf(disputeStatuses),
      created_at_gte: timeQuery,
      created_at_lte: timeQuery,
    },
    paged: true,
    answers: { items: paymentItemAnswer },
  },
  'POST /payments': {
    id: 'createPayment',
    summary: 'Make a payment that waits to be paid; a checkout session is the newer way',
    body: {
      schema: paymentCreate,
      example: {
        billing: { country: 'DE' },
        customer: { email: 'ada@example.com' },
        payment_link: true,
        product_cart: [{ product_id: 'pdt_Zb3kQ9dR1sVxW7yTnM2pL', quantity: 1 }],
      },
    },
    answers: paymentCreatedAnswer,
    refusals: cartRefusals,
  },
  'GET /payments/:id': {
    id: 'getPayment',
    summary: 'Read a payment',
    answers: paymentAnswer,
  },
  'GET /payments/:id/line-items': {
    id: 'getPaymentLineItems',
    summary: 'List the lines of a payment',
    answers: paymentLinesAnswer,
  },
}
