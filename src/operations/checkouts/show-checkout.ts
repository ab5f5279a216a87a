import { orNotFound } from '../../faults.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Addon } from '../../rules/commerce/catalog/addon.ts'
import type { Customer } from '../../rules/commerce/catalog/customer.ts'
import { wrongAmounts } from '../../rules/commerce/payments/buyers-amount.ts'
import type { PricedCart } from '../../rules/commerce/payments/cart.ts'
import type { CheckoutSession } from '../../rules/commerce/payments/checkout-session.ts'
import { stateOfSession } from '../../rules/commerce/payments/checkout-session.ts'
import type { CheckoutChoices } from '../../rules/commerce/payments/choices.ts'
import { chosenRequest } from '../../rules/commerce/payments/choices.ts'
import type { Offer } from '../../rules/commerce/payments/offer.ts'
import { offersIn, requestOfOffer } from '../../rules/commerce/payments/offer.ts'
import type { PayerDetails, WrongDetail } from '../../rules/commerce/payments/payer.ts'
import { buyerOf, taxIdWrong } from '../../rules/commerce/payments/payer.ts'
import type { Payment } from '../../rules/commerce/payments/payment.ts'
import type { SavedMethod } from '../../rules/commerce/payments/saved-method.ts'
import type { Subscription } from '../../rules/commerce/subscriptions/subscription.ts'
import type { Mode } from '../../rules/meter/meter.ts'
import { after } from '../../std/instant.ts'
import { pricesOf } from '../payments/priced-purchase.ts'
import { offeredProducts } from './offered.ts'
import type { PayCheckoutNeeds } from './pay-checkout.ts'
import { pricedForPage } from './priced-request.ts'
import { readCheckout } from './read-checkout.ts'

/** Everything that the pages of a session show. */
export interface ShownCheckout {
  readonly scope: Scope
  readonly session: CheckoutSession
  readonly state: ReturnType<typeof stateOfSession>
  /** The latest attempt. */
  readonly payment: Payment | null
  readonly customer: Customer | null
  /** Whether the session was told the customer by id. */
  readonly isNamed: boolean
  readonly subscription: Subscription | null
  /** What the payment brought. */
  readonly licenseKeys: readonly string[]
}

/** What a session that is open would charge, after what a person has entered and chosen. */
export interface PricedForPage {
  readonly cart: PricedCart
  /** Add-ons that the person may choose, in the cart's currency. */
  readonly addons: readonly Addon[]
  /** What the person may choose of a collection; empty: the session was told what is bought. */
  readonly offers: readonly Offer[]
  /** What the person may pay with besides a card that they enter. */
  readonly savedMethods: readonly SavedMethod[]
  readonly wrong: readonly WrongDetail[]
}

/**
 * For people, who have no key: the id of the session is what lets them in. 404 for an unknown one.
 */
export async function showCheckout(
  needs: PayCheckoutNeeds,
  mode: Mode,
  sessionId: string,
): Promise<ShownCheckout> {
  const found = await needs.sessions.find(mode, sessionId)
  const { businessId } = orNotFound(found, 'checkout session', sessionId)
  const scope = { businessId, mode }
  const { customer, payment, session } = await readCheckout(needs, scope, sessionId)
  const at = after(needs.clock.now(), await needs.businesses.clockAhead(scope))
  const { request } = session
  const subscriptionId = payment?.subscriptionId ?? null
  const paymentIds = payment === null ? [] : [payment.paymentId]
  const keys = await needs.licenseKeys.broughtBy(scope, { paymentIds, subscriptionIds: [] })
  return {
    customer,
    payment,
    scope,
    session,
    state: stateOfSession(session, payment, at),
    isNamed: request.customer !== null && 'id' in request.customer,
    licenseKeys: keys.map(({ key }) => key),
    subscription:
      subscriptionId === null ? null : await needs.subscriptions.find(scope, subscriptionId),
  }
}

/** Prices the session as the person has it before them; refusals are told by their fields. */
export async function priceForPage(
  needs: PayCheckoutNeeds,
  { customer, isNamed, scope, session }: ShownCheckout,
  entered: { readonly details: PayerDetails; readonly choices: CheckoutChoices },
): Promise<PricedForPage> {
  const { details } = entered
  const at = after(needs.clock.now(), await needs.businesses.clockAhead(scope))
  const { choices } = entered
  const offered = await offeredProducts(needs, scope, session.request)
  const { request } = requestOfOffer(session.request, offered, choices.productId)
  const chosen = chosenRequest(session.request, choices, offered)
  const { cart, parts, wrong } = await pricedForPage(needs, scope, {
    request,
    chosen: chosen.request,
    details,
    at,
  })
  const ids = request.allows.addons
    ? [...parts.products.values()].flatMap(({ addonIds }) => addonIds)
    : []
  const addons = [...(await needs.addons.many(scope, ids)).values()]
  const buyer = buyerOf(request, details)
  const wrongTaxId = taxIdWrong({ ...buyer, taxId: details.taxId })
  const prices = await pricesOf(needs, scope, offered)
  const market = { country: buyer.country, currency: choices.currency ?? request.currency }
  const offersSaved = isNamed && customer !== null && request.offersSavedMethods
  return {
    cart,
    offers: offersIn(offered, { prices, market, request }),
    savedMethods: offersSaved
      ? await needs.paymentMethods.ofCustomer(scope, customer.customerId)
      : [],
    addons: addons.filter(({ currency }) => currency === cart.currency),
    wrong: [
      ...chosen.wrong,
      ...wrongAmounts(chosen.request, cart),
      ...wrong,
      ...wrongTaxId,
      ...toldTaxIdWrong(session, details),
    ],
  }
}

/** A number that the seller has told and that is none: the person may enter another. */
function toldTaxIdWrong(
  { request }: CheckoutSession,
  details: PayerDetails,
): readonly WrongDetail[] {
  if (request.taxId === null || details.taxId !== null) return []
  return taxIdWrong({ ...buyerOf(request, details), taxId: request.taxId })
}
