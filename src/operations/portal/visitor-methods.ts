import { deletePaymentMethod } from '../payment-methods/delete-payment-method.ts'
import { openMethodUpdate } from '../subscriptions/open-method-update.ts'
import { updatePaymentMethod } from '../subscriptions/update-payment-method.ts'
import type { PortalVisit } from './portal-link.ts'
import type { ShowPortalNeeds } from './show-portal.ts'
import { visitorSubscription } from './visitor-subscription.ts'

/**
 * Forgets a saved card of the visitor. Refuses 409 one through which a live subscription is
 * charged. [payments#portal]
 */
export async function removeVisitorMethod(
  needs: ShowPortalNeeds,
  { at, customer, scope }: PortalVisit,
  paymentMethodId: string,
): Promise<void> {
  await deletePaymentMethod(needs, scope, {
    customerId: customer.customerId,
    paymentMethodId,
    at,
  })
}

/** Charges a subscription through another saved card, and what it owes at once. */
export async function useVisitorMethod(
  needs: ShowPortalNeeds,
  visit: PortalVisit,
  of: { readonly subscriptionId: string; readonly paymentMethodId: string },
): Promise<void> {
  await visitorSubscription(needs, visit, of.subscriptionId)
  await updatePaymentMethod(needs, visit.scope, of)
}

/**
 * Opens a page on which the visitor enters another card for a subscription, and answers its
 * session. [payments#settling-sessions]
 */
export async function enterVisitorMethod(
  needs: ShowPortalNeeds,
  visit: PortalVisit,
  subscriptionId: string,
): Promise<string> {
  await visitorSubscription(needs, visit, subscriptionId)
  const { returnUrl, scope } = visit
  const opened = await openMethodUpdate(needs, scope, { linkTo: null, returnUrl, subscriptionId })
  return opened.session.sessionId
}
