import { Fault, notFound } from '../../faults.ts'
import type { CreateCheckoutNeeds } from '../../operations/checkouts/create-checkout.ts'
import { createCheckout } from '../../operations/checkouts/create-checkout.ts'
import { previewCheckout } from '../../operations/checkouts/preview-checkout.ts'
import type { ReadCheckoutNeeds } from '../../operations/checkouts/read-checkout.ts'
import { readCheckout } from '../../operations/checkouts/read-checkout.ts'
import type { ProductPartsNeeds } from '../../operations/products/product-parts.ts'
import type { CheckoutRequest } from '../../rules/commerce/payments/checkout-session.ts'
import type { CheckoutCreate } from '../../wire/checkout.ts'
import {
  checkoutCreate,
  checkoutCustomer,
  checkoutExtrasOf,
  checkoutProblem,
  checkoutRequest,
} from '../../wire/checkout.ts'
import { checkoutCreated, checkoutPreview, checkoutStatus } from '../../wire/checkout-view.ts'
import { parse } from '../http/parse.ts'
import type { Reply, Request, Route } from '../http/route.ts'
import { ok, route } from '../http/route.ts'
import { baseUrlOf } from './base-url.ts'
import { parseId } from './parameters.ts'
import { refuseExtras } from './subscription-extras.ts'

export interface CheckoutRouteNeeds
  extends CreateCheckoutNeeds,
    ReadCheckoutNeeds,
    Pick<ProductPartsNeeds, 'addons' | 'meters'> {
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
  ]

  async function create(request: Request): Promise<Reply> {
    const asked = requestOf(parse(checkoutCreate, request.body))
    const session = await createCheckout(needs, request.caller, { request: asked, at: request.at })
    const url = `${baseUrlOf(request, needs.publicUrl)}/checkout/${session.sessionId}`
    return ok(checkoutCreated(session, url))
  }

  async function preview(request: Request): Promise<Reply> {
    const asked = requestOf(parse(checkoutCreate, request.body))
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

/** The purchase that a body asks for; throws 422 for what the rules cannot know of. */
function requestOf(body: CheckoutCreate): CheckoutRequest {
  const problem = checkoutProblem(body)
  if (problem !== null) throw new Fault('INVALID_REQUEST_BODY', problem)
  const { collectionId, isOnDemand, paymentMethodId, takesCards, ...extras } =
    checkoutExtrasOf(body)
  refuseExtras(extras)
  if (collectionId !== null) throw notFound('product collection', collectionId)
  if (paymentMethodId !== null) throw notFound('payment method', paymentMethodId)
  if (isOnDemand) {
    const problem = 'subscription_data.on_demand is not supported; leave it out.'
    throw new Fault('UNSUPPORTED_ACTION', problem)
  }
  if (!takesCards) {
    throw new Fault(
      'NO_ELIGIBLE_PAYMENT_METHODS',
      'allowed_payment_method_types must have credit or debit: only cards can pay.',
    )
  }
  const customer = checkoutCustomer(body)
  if (customer !== null && 'problem' in customer) {
    throw new Fault('INVALID_REQUEST_BODY', customer.problem)
  }
  return { ...checkoutRequest(body), customer }
}
