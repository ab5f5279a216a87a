import { Fault } from '../../faults.ts'
import type { CreateCheckoutNeeds } from '../../operations/checkouts/create-checkout.ts'
import { createCheckout } from '../../operations/checkouts/create-checkout.ts'
import { previewCheckout } from '../../operations/checkouts/preview-checkout.ts'
import type { ReadCheckoutNeeds } from '../../operations/checkouts/read-checkout.ts'
import { readCheckout } from '../../operations/checkouts/read-checkout.ts'
import type { OpenPaymentNeeds } from '../../operations/payments/open-payment.ts'
import { openPayment } from '../../operations/payments/open-payment.ts'
import { countryCodes } from '../../rules/commerce/country.ts'
import type { CheckoutRequest } from '../../rules/commerce/payments/checkout-session.ts'
import type { CheckoutCreate } from '../../wire/checkout.ts'
import {
  checkoutCreate,
  checkoutCustomer,
  checkoutRequest,
  takesCards,
} from '../../wire/checkout.ts'
import { pathAskedFor } from '../../wire/checkout-path.ts'
import { checkoutProblem } from '../../wire/checkout-problem.ts'
import {
  checkoutConfirmed,
  checkoutCreated,
  checkoutPreview,
  checkoutStatus,
} from '../../wire/checkout-view.ts'
import { methodToCharge } from '../../wire/payment-create.ts'
import { parse } from '../http/parse.ts'
import { parseId } from '../http/path-id.ts'
import type { Reply, Request, Route } from '../http/route.ts'
import { ok, route } from '../http/route.ts'
import { baseUrlOf } from './base-url.ts'

export interface CheckoutRouteNeeds
  extends CreateCheckoutNeeds,
    ReadCheckoutNeeds,
    OpenPaymentNeeds {
  /** The beginning of addresses in answers; null: the request's host. */
  readonly publicUrl: string | null
}

/** [resources#checkout-sessions] */
export function checkoutRoutes(needs: CheckoutRouteNeeds): readonly Route[] {
  return [
    route('POST', '/checkouts', 'write', create),
    // It stores nothing, so a key that may only read is enough.
    route('POST', '/checkouts/preview', 'read', preview),
    route('GET', '/checkouts/:id', 'read', retrieve),
    route('GET', '/checkout/supported_countries', 'read', async () => ok(countryCodes)),
  ]

  async function create(request: Request): Promise<Reply> {
    const body = parse(checkoutCreate, request.body)
    const asked = requestOf(body)
    methodIn(body, asked.confirmed)
    const { at, caller } = request
    const linkTo = checkoutLink(request, needs.publicUrl, body)
    if (asked.confirmed) {
      const paymentMethodId = methodIn(body, true)
      const opening = { request: asked, linkTo, mayRenew: true, paymentMethodId }
      const opened = await openPayment(needs, caller, opening)
      const url = paymentMethodId === null ? linkTo(opened.session.sessionId) : null
      return ok(checkoutConfirmed(opened, { ...caller, url }))
    }
    const session = await createCheckout(needs, caller, { request: asked, at })
    return ok(checkoutCreated(session, linkTo(session.sessionId)))
  }

  async function preview(request: Request): Promise<Reply> {
    const body = parse(checkoutCreate, request.body)
    const asked = requestOf(body)
    methodIn(body, asked.confirmed)
    const previewed = await previewCheckout(needs, request.caller, {
      request: asked,
      at: request.at,
    })
    return ok(checkoutPreview(previewed))
  }

  async function retrieve(request: Request): Promise<Reply> {
    const sessionId = parseId(request, 'id', 'checkout session')
    return ok(checkoutStatus(await readCheckout(needs, request.caller, sessionId)))
  }
}

/** The address of a session's page, or, where a body asks for it, a short one that leads there. */
export const checkoutLink =
  (request: Request, publicUrl: string | null, body: Parameters<typeof pathAskedFor>[0]) =>
  (sessionId: string): string =>
    baseUrlOf(request, publicUrl) + pathAskedFor(body, sessionId)

/** The saved method that is charged at once; throws 422 where it is not clear whose, or when. */
export function methodIn(body: CheckoutCreate, isComplete: boolean): string | null {
  const wanted = methodToCharge(body, isComplete)
  if (wanted === null || typeof wanted === 'string') return wanted
  throw new Fault('INVALID_REQUEST_BODY', wanted.problem)
}

/** Throws 422 where nothing that is allowed could pay. */
export function refuseUnlessCards(body: Parameters<typeof takesCards>[0]): void {
  if (takesCards(body)) return
  const problem = 'allowed_payment_method_types must have credit or debit: only cards can pay.'
  throw new Fault('NO_ELIGIBLE_PAYMENT_METHODS', problem)
}

/** The purchase that a body asks for; throws 422 for what the rules cannot know of. */
export function requestOf(body: CheckoutCreate): CheckoutRequest {
  const problem = checkoutProblem(body)
  if (problem !== null) throw new Fault('INVALID_REQUEST_BODY', problem)
  refuseUnlessCards(body)
  const customer = checkoutCustomer(body)
  if (customer !== null && 'problem' in customer) {
    throw new Fault('INVALID_REQUEST_BODY', customer.problem)
  }
  return { ...checkoutRequest(body), customer }
}
