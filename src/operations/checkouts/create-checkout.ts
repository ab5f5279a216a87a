import type { Changes } from '../../parts/store/changes.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type {
  CheckoutRequest,
  CheckoutSession,
} from '../../rules/commerce/payments/checkout-session.ts'
import { newSession } from '../../rules/commerce/payments/checkout-session.ts'
import type { NewId } from '../../std/id.ts'
import type { Instant } from '../../std/instant.ts'
import { writeNewRow } from '../accounts/new-row.ts'
import type { OfferNeeds } from './offered.ts'
import type { RequestNeeds } from './priced-request.ts'
import { pricedOffer, refuseWrongTaxId } from './priced-request.ts'

export interface CreateCheckoutNeeds extends OfferNeeds, RequestNeeds {
  readonly changes: Pick<Changes, 'commit'>
  readonly newId: NewId
}

/**
 * Opens a session for a purchase. Refuses what pricedOffer() refuses, and 404 an unknown customer.
 * [resources#checkout-sessions]
 */
export async function createCheckout(
  needs: CreateCheckoutNeeds,
  scope: Scope,
  { request, at }: { readonly request: CheckoutRequest; readonly at: Instant },
): Promise<CheckoutSession> {
  await pricedOffer(needs, scope, { request, at })
  refuseWrongTaxId(request)
  const row = newSession(needs.newId('cks'), request, at)
  await writeNewRow(needs.changes, scope, { noun: 'checkout_session', expected: null, row })
  return row
}
