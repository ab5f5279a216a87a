import type { EntitlementGrant } from '../rules/commerce/entitlements/entitlement-grant.ts'
import type { SavedMethod } from '../rules/commerce/payments/saved-method.ts'
import { formatInstant } from '../std/instant.ts'
import { paymentMethodView } from './payment-method.ts'

/** A grant of an entitlement, and what it came from. */
export const grantThing = (grant: EntitlementGrant) => ({
  id: grant.grantId,
  entitlement_id: grant.entitlementId,
  integration_type: grant.integrationType,
  customer_id: grant.customerId,
  product_id: grant.productId,
  payment_id: grant.paymentId,
  subscription_id: grant.subscriptionId,
  status: grant.status,
  revocation_reason: grant.revocationReason,
  error_message: grant.errorMessage,
  created_at: formatInstant(grant.createdAt),
})

/** A saved payment method, and whose it is. */
export const methodThing = (method: SavedMethod) => ({
  ...paymentMethodView(method),
  customer_id: method.customerId,
  deleted_at: method.deletedAt === null ? null : formatInstant(method.deletedAt),
})
