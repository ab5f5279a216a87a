import type { Changes } from '../../parts/store/changes.ts'
import type { Customers } from '../../parts/store/customers.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type {
  CheckoutRequest,
  CheckoutSession,
} from '../../rules/commerce/payments/checkout-session.ts'
import { newSession } from '../../rules/commerce/payments/checkout-session.ts'
import type { NewId } from '../../std/id.ts'
import type { Instant } from '../../std/instant.ts'
import { writeNewRow } from '../accounts/new-row.ts'
import { knownCustomer } from '../customers/known-customer.ts'
import type { PurchasedNeeds } from '../payments/payment-needs.ts'
import { pricedRequest } from './priced-request.ts'

export interface CreateCheckoutNeeds extends PurchasedNeeds {
  readonly customers: Customers
  readonly changes: Pick<Changes, 'commit'>
  readonly newId: NewId
}

/**
 * Opens a session for a purchase. Refuses what pricedRequest() refuses, and 404 an unknown
 * customer. [resources#checkout-sessions]
 */
export async function createCheckout(
  needs: CreateCheckoutNeeds,
  scope: Scope,
  { request, at }: { readonly request: CheckoutRequest; readonly at: Instant },
): Promise<CheckoutSession> {
  await pricedRequest(needs, scope, { request, at })
  if (request.customer !== null) await knownCustomer(needs.customers, scope, request.customer)
  const row = newSession(needs.newId('cks'), request, at)
  await writeNewRow(needs.changes, scope, { noun: 'checkout_session', expected: null, row })
  return row
}
