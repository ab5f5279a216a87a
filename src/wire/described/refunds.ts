import { refundStatuses } from '../../rules/commerce/refunds/refund.ts'
import { refundAnswer, refundItemAnswer } from '../answers/refunds.ts'
import { refundCreate } from '../refund.ts'
import { headerText, oneOf } from '../schemas.ts'
import type { DescribedRoutes } from './described.ts'
import { textQuery, timeQuery } from './described.ts'

export const refundsDescribed: DescribedRoutes = {
  'GET /refunds': {
    id: 'listRefunds',
    summary: 'List refunds',
    query: {
      customer_id: textQuery,
      subscription_id: textQuery,
      status: oneOf(refundStatuses),
      created_at_gte: timeQuery,
      created_at_lte: timeQuery,
    },
    paged: true,
    answers: { items: refundItemAnswer },
  },
  'POST /refunds': {
    id: 'createRefund',
    summary: 'Refund a payment, or some of its lines',
    headers: { 'Idempotency-Key': headerText },
    body: {
      schema: refundCreate,
      example: {
        payment_id: 'pay_Zb3kQ9dR1sVxW7yTnM2pL',
        items: [{ item_id: 'pdt_Zb3kQ9dR1sVxW7yTnM2pL', amount: 500 }],
        reason: 'did not fit',
      },
    },
    answers: refundAnswer,
    refusals: [
      'NOT_FOUND',
      'CONFLICT',
      'INVALID_REQUEST_PARAMETERS',
      'DUPLICATE_LINE_ITEMS_IN_REQUEST',
      'EXISTING_REFUND_REQUEST_PROCESSING',
      'INTEGER_CONVERSION_FAILURE',
      'LINE_ITEM_FULLY_REFUNDED',
      'LINE_ITEM_NOT_FOUND',
      'LINE_ITEM_REFUND_AMOUNT_TOO_HIGH',
      'LINE_ITEM_REFUND_AMOUNT_TOO_LOW',
      'MAXIMUM_KEYS_REACHED',
      'NOTHING_TO_REFUND',
      'PAYMENT_ALREADY_REFUNDED',
      'PAYMENT_NOT_SUCCEEDED',
      'REFUND_AMOUNT_EXCEEDS_PAID_AMOUNT',
      'REFUND_WINDOW_EXPIRED',
      'ZERO_AMOUNT_PAYMENT_REFUND_NOT_ALLOWED',
    ],
  },
  'GET /refunds/:refund_id': {
    id: 'getRefund',
    summary: 'Read a refund',
    answers: refundAnswer,
  },
}
