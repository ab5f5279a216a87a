import { customerAnswer } from '../answers/catalog.ts'
import { discountAnswer, discountCustomersAnswer } from '../answers/discounts.ts'
import { discountCreate, discountCustomers, discountUpdate } from '../discount.ts'
import { discountTypes } from '../enums.ts'
import { oneOf } from '../schemas.ts'
import type { DescribedRoutes } from './described.ts'
import { flagQuery, textQuery } from './described.ts'

/** What a discount is refused for, new or changed. */
const refusals = [
  'NOT_FOUND',
  'DISCOUNT_CODE_ALREADY_EXISTS',
  'DISCOUNT_CURRENCY_OPTION_INVALID',
  'INVALID_PERCENTAGE',
  'MAXIMUM_KEYS_REACHED',
] as const

export const discountsDescribed: DescribedRoutes = {
  'GET /discounts': {
    id: 'listDiscounts',
    summary: 'List discounts',
    query: {
      active: flagQuery,
      code: textQuery,
      discount_type: oneOf(discountTypes),
      product_id: textQuery,
    },
    paged: true,
    answers: { items: discountAnswer },
  },
  'POST /discounts': {
    id: 'createDiscount',
    summary: 'Create a discount',
    body: {
      schema: discountCreate,
      example: {
        type: 'percentage',
        amount: 1_500,
        code: 'SUMMER15',
        usage_limit: 100,
        expires_at: '2030-09-01T00:00:00Z',
      },
    },
    answers: discountAnswer,
    refusals,
  },
  'GET /discounts/code/:code': {
    id: 'getDiscountByCode',
    summary: 'Read a discount by its code',
    answers: discountAnswer,
  },
  'GET /discounts/:discount_id': {
    id: 'getDiscount',
    summary: 'Read a discount',
    answers: discountAnswer,
  },
  'PATCH /discounts/:discount_id': {
    id: 'updateDiscount',
    summary: 'Change a discount',
    body: { schema: discountUpdate, example: { usage_limit: null } },
    answers: discountAnswer,
    refusals,
  },
  'DELETE /discounts/:discount_id': {
    id: 'deleteDiscount',
    summary: 'Delete a discount; its code is free again',
    answers: null,
  },
  'GET /discounts/:discount_id/customers': {
    id: 'listDiscountCustomers',
    summary: 'List the customers that a discount is open to by name',
    paged: true,
    answers: { items: customerAnswer },
  },
  'POST /discounts/:discount_id/customers': {
    id: 'attachDiscountCustomers',
    summary: 'Open a discount to customers',
    body: {
      schema: discountCustomers,
      example: { customer_ids: ['cus_V1StGXR8_Z5jdHi6B-myT'] },
    },
    answers: discountCustomersAnswer,
  },
  'DELETE /discounts/:discount_id/customers/:customer_id': {
    id: 'detachDiscountCustomer',
    summary: 'Close a discount to a customer',
    answers: null,
  },
}
