import { creditEntitlementAnswer, customerAnswer, meterAnswer } from '../answers/catalog.ts'
import { customerCreditAnswer } from '../answers/credits.ts'
import { paymentMethodAnswer } from '../answers/payment-methods.ts'
import { creditEntitlementCreate, creditEntitlementUpdate } from '../credit-entitlement.ts'
import { customerCreate, customerUpdate } from '../customer.ts'
import { meterCreate } from '../meter.ts'
import type { DescribedRoutes } from './described.ts'
import { flagQuery, textQuery, timeQuery } from './described.ts'

export const customersDescribed: DescribedRoutes = {
  'GET /customers': {
    id: 'listCustomers',
    summary: 'List customers',
    query: {
      email: textQuery,
      name: textQuery,
      created_at_gte: timeQuery,
      created_at_lte: timeQuery,
    },
    paged: true,
    answers: { items: customerAnswer },
  },
  'POST /customers': {
    id: 'createCustomer',
    summary: 'Create a customer',
    body: {
      schema: customerCreate,
      example: { email: 'ada@example.com', name: 'Ada', metadata: { plan: 'pro' } },
    },
    answers: customerAnswer,
    refusals: ['MAXIMUM_KEYS_REACHED', 'INTEGER_CONVERSION_FAILURE'],
  },
  'GET /customers/:customer_id': {
    id: 'getCustomer',
    summary: 'Read a customer',
    answers: customerAnswer,
  },
  'PATCH /customers/:customer_id': {
    id: 'updateCustomer',
    summary: 'Change a customer',
    body: { schema: customerUpdate, example: { name: 'Ada Lovelace', phone_number: null } },
    answers: customerAnswer,
    refusals: ['MAXIMUM_KEYS_REACHED', 'INTEGER_CONVERSION_FAILURE'],
  },
  'GET /customers/:customer_id/payment-methods': {
    id: 'listCustomerPaymentMethods',
    summary: "List a customer's saved payment methods",
    answers: { items: paymentMethodAnswer },
  },
  'DELETE /customers/:customer_id/payment-methods/:payment_method_id': {
    id: 'deleteCustomerPaymentMethod',
    summary: 'Forget a saved payment method',
    answers: null,
    refusals: ['CONFLICT'],
  },
  'GET /customers/:customer_id/credit-entitlements': {
    id: 'listCustomerCredits',
    summary: "List a customer's credits",
    waits: true,
    answers: { items: customerCreditAnswer },
  },
}

export const metersDescribed: DescribedRoutes = {
  'GET /meters': {
    id: 'listMeters',
    summary: 'List meters',
    query: { archived: flagQuery },
    paged: true,
    answers: { items: meterAnswer },
  },
  'POST /meters': {
    id: 'createMeter',
    summary: 'Create a meter',
    body: {
      schema: meterCreate,
      example: {
        name: 'Tokens',
        event_name: 'completion',
        aggregation: { type: 'sum', key: 'tokens' },
        measurement_unit: 'token',
        filter: {
          conjunction: 'and',
          clauses: [{ key: 'model', operator: 'equals', value: 'large' }],
        },
      },
    },
    answers: meterAnswer,
    status: 201,
    refusals: ['INVALID_REQUEST_PARAMETERS', 'CONFLICT'],
  },
  'GET /meters/:id': { id: 'getMeter', summary: 'Read a meter', answers: meterAnswer },
  'DELETE /meters/:id': {
    id: 'archiveMeter',
    summary: 'Archive a meter',
    answers: null,
    refusals: ['METER_IS_DELETED', 'CONFLICT'],
  },
  'POST /meters/:id/unarchive': {
    id: 'unarchiveMeter',
    summary: 'Take a meter out of the archive',
    answers: null,
    refusals: ['CONFLICT'],
  },
}

/** What the name and the links of an entitlement are refused for. */
const namesAndLinks = [
  'CREDIT_ENTITLEMENT_NAME_ALREADY_EXISTS',
  'METER_IS_DELETED',
  'MISSING_METER_IDS',
  'DUPLICATE_METER_IDS_IN_REQUEST',
  'CONFLICT',
] as const

export const entitlementsDescribed: DescribedRoutes = {
  'GET /credit-entitlements': {
    id: 'listCreditEntitlements',
    summary: 'List credit entitlements',
    query: { deleted: flagQuery },
    paged: true,
    answers: { items: creditEntitlementAnswer },
  },
  'POST /credit-entitlements': {
    id: 'createCreditEntitlement',
    summary: 'Create a credit entitlement',
    body: {
      schema: creditEntitlementCreate,
      example: {
        name: 'Credits',
        unit: 'credit',
        precision: 2,
        overage_enabled: false,
        rollover_enabled: true,
        rollover_percentage: 50,
        expires_after_days: 90,
      },
    },
    answers: creditEntitlementAnswer,
    status: 201,
    refusals: [...namesAndLinks, 'NOT_FOUND'],
  },
  'GET /credit-entitlements/:id': {
    id: 'getCreditEntitlement',
    summary: 'Read a credit entitlement',
    answers: creditEntitlementAnswer,
  },
  'PATCH /credit-entitlements/:id': {
    id: 'updateCreditEntitlement',
    summary: 'Change a credit entitlement',
    body: { schema: creditEntitlementUpdate, example: { expires_after_days: null } },
    answers: null,
    refusals: [...namesAndLinks, 'CREDIT_ENTITLEMENT_IS_DELETED'],
  },
  'DELETE /credit-entitlements/:id': {
    id: 'deleteCreditEntitlement',
    summary: 'Delete a credit entitlement; it can be restored',
    answers: null,
    refusals: ['CREDIT_ENTITLEMENT_IS_DELETED'],
  },
  'POST /credit-entitlements/:id/undelete': {
    id: 'undeleteCreditEntitlement',
    summary: 'Restore a deleted credit entitlement',
    answers: null,
  },
}
