import { Fault } from '../../faults.ts'
import type { Customers } from '../../parts/store/customers.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Customer } from '../../rules/commerce/catalog/customer.ts'
import type { CheckoutRequest } from '../../rules/commerce/payments/checkout-session.ts'
import { requestOfOffer } from '../../rules/commerce/payments/offer.ts'
import type { PayerDetails, WrongDetail } from '../../rules/commerce/payments/payer.ts'
import { buyerOf, emailOf, nothingEntered } from '../../rules/commerce/payments/payer.ts'
import { judgedTaxId, salePlace } from '../../rules/commerce/payments/sale-place.ts'
import type { Instant } from '../../std/instant.ts'
import { knownCustomer } from '../customers/known-customer.ts'
import type { PricedPurchase, PricingNeeds } from '../payments/priced-purchase.ts'
import { pricedPurchase } from '../payments/priced-purchase.ts'
import type { OfferNeeds } from './offered.ts'
import { offeredProducts } from './offered.ts'

export interface RequestNeeds extends PricingNeeds {
  readonly customers: Customers
}

export interface PricedRequest extends PricedPurchase {
  /** The customer that is meant, by id or by e-mail; null: there is none yet. */
  readonly known: Customer | null
}

export interface AskedRequest {
  readonly request: CheckoutRequest
  /** What was entered on the page; absent: nothing. */
  readonly details?: PayerDetails
  readonly at: Instant
}

/**
 * What a session would charge now, for who is known to buy. Refuses what pricedPurchase() refuses,
 * 404 an unknown customer, and 422 a tax number that is none where nobody is asked for another.
 */
export async function pricedRequest(
  needs: RequestNeeds,
  scope: Scope,
  { at, details = nothingEntered, request }: AskedRequest,
): Promise<PricedRequest> {
  const asked = askedCustomer(request, details)
  const known = asked === null ? null : await knownCustomer(needs.customers, scope, asked)
  const isNew =
    asked !== null && (known === null || (!('id' in asked) && request.alwaysNewCustomer))
  const purchase = {
    products: request.products,
    place: buyerOf(request, details),
    currency: request.currency,
    onDemand: request.onDemand,
    discountCodes: request.discountCodes,
    metadata: request.metadata,
    buyer: isNew ? ('new' as const) : (known ?? ('unknown' as const)),
  }
  return { ...(await pricedPurchase(needs, scope, { purchase, at })), known }
}

/**
 * The same where the session may be told a collection: of the product that its page shows first.
 * Refuses what offeredProducts() refuses, too.
 */
export async function pricedOffer(
  needs: RequestNeeds & OfferNeeds,
  scope: Scope,
  { at, request }: Omit<AskedRequest, 'details'>,
): Promise<PricedRequest & { readonly request: CheckoutRequest }> {
  const offered = await offeredProducts(needs, scope, request)
  const { request: first } = requestOfOffer(request, offered, null)
  return { ...(await pricedRequest(needs, scope, { request: first, at })), request: first }
}

/** Whom the session, or the page, names; null: nobody yet. */
function askedCustomer(
  request: CheckoutRequest,
  details: PayerDetails,
): { readonly id: string } | { readonly email: string } | null {
  const { customer } = request
  if (customer !== null && 'id' in customer) return customer
  const email = emailOf(request, details)
  return email === null ? null : { email }
}

/** Refuses a tax number that is none where all details have to be complete. */
export function refuseWrongTaxId({ billing, confirmed, taxId }: CheckoutRequest): void {
  const { problem } = judgedTaxId(salePlace(billing, taxId))
  if (confirmed && problem !== null) throw new Fault('INVALID_TAX_ID', `tax_id ${problem}.`)
}

/**
 * The same for a person, who is shown what is wrong with a choice beside what holds without it:
 * what was chosen, else what the session was told, else that without its codes.
 */
export async function pricedForPage(
  needs: RequestNeeds,
  scope: Scope,
  { chosen, ...asked }: AskedRequest & { readonly chosen: CheckoutRequest },
): Promise<PricedRequest & { readonly wrong: readonly WrongDetail[] }> {
  const wrong: WrongDetail[] = []
  for (const request of [chosen, asked.request]) {
    try {
      return { ...(await pricedRequest(needs, scope, { ...asked, request })), wrong }
    } catch (error) {
      const told = wrongChoice(error)
      if (told === null) throw error
      if (wrong.length === 0) wrong.push(told)
    }
  }
  const request = { ...asked.request, discountCodes: [] }
  return { ...(await pricedRequest(needs, scope, { ...asked, request })), wrong }
}

/** The field of the page that a refusal is about; null: it is about none. */
export function wrongChoice(error: unknown): WrongDetail | null {
  if (!(error instanceof Fault)) return null
  const { code, message: problem } = error
  if (/^(DISCOUNT_|INVALID_DISCOUNT_CODE$|EXCHANGE_RATE_)/.test(code)) {
    return { field: 'discount_code', problem }
  }
  return error.status === 422 ? { field: 'order', problem } : null
}
