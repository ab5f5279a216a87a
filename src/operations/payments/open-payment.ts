import assert from 'node:assert/strict'
import { orNotFound, refuse } from '../../faults.ts'
import type { RowChange } from '../../parts/store/changes.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Customer } from '../../rules/commerce/catalog/customer.ts'
import { newCustomer } from '../../rules/commerce/catalog/customer.ts'
import { isRecurring } from '../../rules/commerce/catalog/price.ts'
import { heldRefusal } from '../../rules/commerce/discounts/redeem.ts'
import { newAttempt } from '../../rules/commerce/payments/attempt.ts'
import type { PricedCart } from '../../rules/commerce/payments/cart.ts'
import type {
  CheckoutRequest,
  CheckoutSession,
} from '../../rules/commerce/payments/checkout-session.ts'
import { newSession } from '../../rules/commerce/payments/checkout-session.ts'
import { isOpened } from '../../rules/commerce/payments/opened-payment.ts'
import type { Payment } from '../../rules/commerce/payments/payment.ts'
import type { PaymentRejection } from '../../rules/commerce/payments/payment-rejection.ts'
import { paymentLine } from '../../rules/commerce/payments/priced-lines.ts'
import { pendingFor } from '../../rules/commerce/payments/purchase.ts'
import type { SavedMethod } from '../../rules/commerce/payments/saved-method.ts'
import type { Subscription } from '../../rules/commerce/subscriptions/subscription.ts'
import type { Instant } from '../../std/instant.ts'
import { after, minute } from '../../std/instant.ts'
import { lost, untilWritten } from '../accounts/until-written.ts'
import type { DueFirstNeeds } from '../boundaries/due-first.ts'
import { pricedRequest, refuseWrongTaxId } from '../checkouts/priced-request.ts'
import { knownCustomer } from '../customers/known-customer.ts'
import { carryOut } from './carry-out.ts'
import { heldUses } from './discount-uses.ts'
import type { PaymentNeeds } from './payment-needs.ts'
import type { PricingNeeds } from './priced-purchase.ts'

export type OpenPaymentNeeds = PaymentNeeds & DueFirstNeeds & PricingNeeds

/** A purchase, complete with who buys and where they are. */
export interface OpeningPayment {
  readonly request: CheckoutRequest
  /** The address of a session's page, for payments that show it; null: this one shows none. */
  readonly linkTo: ((sessionId: string) => string) | null
  /** Whether subscriptions may be bought with it. */
  readonly mayRenew: boolean
  /** Whether the subscription is there before it is paid, and waits. */
  readonly waits?: boolean
  /** The customer's saved method that is charged at once; absent: somebody pays on the page. */
  readonly paymentMethodId?: string | null
}

/** A payment that waits to be paid, or is paid already, and the session by which it is paid. */
export interface OpenedPayment {
  readonly payment: Payment
  readonly session: CheckoutSession
  readonly customer: Customer
  /** The subscription that waits for it; null: there is none, or it begins once it is paid. */
  readonly subscription: Subscription | null
}

/**
 * Makes a payment before anybody tries to pay it, with a session: the first attempt on the
 * session's page is this payment itself. One of 0 is paid at once, and one that names a saved method
 * charges it at once. Where nobody has tried until the session expires, it is cancelled. Refuses
 * what pricedRequest() refuses, and 404 an unknown customer, or a method that is not that
 * customer's. [payments#payments-without-a-session]
 */
export async function openPayment(
  needs: OpenPaymentNeeds,
  scope: Scope,
  opening: OpeningPayment,
): Promise<OpenedPayment> {
  const opened = await untilWritten<OpenedPayment>(needs, 'pay', () =>
    tryToOpen(needs, scope, opening),
  )
  if (isOpened(opened.payment)) return opened
  return { ...opened, payment: await carryOut(needs, scope, opened.payment) }
}

async function tryToOpen(
  needs: OpenPaymentNeeds,
  scope: Scope,
  { request, linkTo, mayRenew, waits = false, paymentMethodId = null }: OpeningPayment,
): Promise<OpenedPayment | typeof lost> {
  const clockAhead = await needs.businesses.clockAhead(scope)
  const at = after(needs.clock.now(), clockAhead)
  const { cart, parts } = await pricedRequest(needs, scope, { request, at })
  refuseWrongTaxId({ ...request, confirmed: true })
  if (!mayRenew) refuse(renewingRejection(cart))
  const { customer, made } = await customerOf(needs, scope, { request, at })
  const { customerId } = customer
  const method = await methodOf(needs, scope, { customerId, paymentMethodId })
  const paymentId = needs.newId('pay')
  const fixed = { ...request, customer: { id: customerId } }
  const session = { ...newSession(needs.newId('cks'), fixed, at), paymentId }
  if (cart.total === 0 || method !== null) {
    for (const { discount } of cart.discounts) refuse(heldRefusal(discount))
  }
  const bare = paymentOf(needs, scope, { cart, customerId, linkTo, method, session })
  const { newId } = needs
  const subscription = waits ? pendingFor(bare, parts, { at, newId }) : null
  const payment = { ...bare, subscriptionId: subscription?.subscriptionId ?? null }
  const dueAt = isOpened(payment) ? session.expiresAt : after(at, askAgainAfter)
  const news = { newsId: needs.newId('pnw'), customerId, paymentId, outcome: null, dueAt }
  const rows: readonly RowChange[] = [
    ...made,
    ...heldUses(payment),
    { noun: 'checkout_session', expected: null, row: session },
    { noun: 'payment', expected: null, row: payment },
    ...(subscription === null
      ? []
      : [{ noun: 'subscription', expected: null, row: subscription, over: [] } as const]),
    { noun: 'processor_news', heard: false, row: news },
  ]
  const change = { scope, clockAhead, rows, accounts: [], facts: [] }
  if ((await needs.changes.commit(change)) !== 'committed') return lost
  return { payment, session, customer, subscription }
}

function renewingRejection({ lines }: PricedCart): PaymentRejection | null {
  const found = lines.findIndex(({ product }) => isRecurring(product.price))
  if (found < 0) return null
  const problem = `product_cart[${found}] is a subscription: make it with POST /subscriptions or /checkouts.`
  return { code: 'INVALID_REQUEST_BODY', problem }
}

/** Where the process ends before a payment of 0 has brought what it brings, that comes then. */
const askAgainAfter = 5 * minute

async function customerOf(
  { customers, newId }: OpenPaymentNeeds,
  scope: Scope,
  { request, at }: { readonly request: CheckoutRequest; readonly at: Instant },
): Promise<{ readonly customer: Customer; readonly made: readonly RowChange[] }> {
  const { customer: asked } = request
  assert(asked !== null, 'a payment is made for a customer')
  if ('id' in asked) {
    const known = await knownCustomer(customers, scope, asked)
    assert(known !== null)
    return { customer: known, made: [] }
  }
  const { email, name, phoneNumber } = asked
  assert(email !== null)
  const known = request.alwaysNewCustomer ? null : await customers.newestWith(scope, email)
  if (known !== null) return { customer: known, made: [] }
  const wanted = { email, name: name ?? email, phoneNumber, metadata: {} }
  const customer = newCustomer(newId('cus'), wanted, at)
  return { customer, made: [{ noun: 'customer', expected: null, row: customer }] }
}

/** What is charged at once; null: nothing is. 404 for what is not the customer's, or deleted. */
async function methodOf(
  { paymentMethods }: OpenPaymentNeeds,
  scope: Scope,
  of: { readonly customerId: string; readonly paymentMethodId: string | null },
): Promise<SavedMethod | null> {
  const { customerId, paymentMethodId: id } = of
  if (id === null) return null
  const found = await paymentMethods.get(scope, id)
  const isTheirs = found?.customerId === customerId && found.deletedAt === null
  return orNotFound(isTheirs ? found : null, 'payment method', id)
}

function paymentOf(
  { processors }: OpenPaymentNeeds,
  scope: Scope,
  of: {
    readonly cart: PricedCart
    readonly customerId: string
    readonly linkTo: OpeningPayment['linkTo']
    readonly method: SavedMethod | null
    readonly session: CheckoutSession & { readonly paymentId: string }
  },
): Payment {
  const { cart, customerId, linkTo, method, session } = of
  const { createdAt, paymentId, request, sessionId } = session
  const { billing } = request
  const needsCard = method === null && (cart.total > 0 || cart.agreed?.onDemand === true)
  const attempt = newAttempt(
    {
      paymentId,
      brandId: cart.lines[0]?.product.brandId ?? scope.businessId,
      customerId,
      sessionId,
      purpose: 'purchase',
      processor: processors[scope.mode].name,
      currency: cart.currency,
      totalAmount: cart.total,
      tax: cart.tax,
      lines: cart.lines.map(paymentLine),
      products: request.products,
      discounts: cart.discounts,
      // One that waits holds no use: the attempt to pay it does.
      holdsUses: !needsCard,
      agreed: cart.agreed,
      billing: {
        country: billing?.country ?? '',
        city: billing?.city ?? null,
        state: billing?.state ?? null,
        street: billing?.street ?? null,
        zipcode: billing?.zipcode ?? null,
      },
      taxId: request.taxId,
      customerBusinessName: request.customerBusinessName,
      metadata: request.metadata,
      token: method?.token ?? null,
      card: method?.card ?? null,
      paymentMethodId: method?.paymentMethodId ?? null,
      forcesConfirmation: request.forcesConfirmation,
      paymentLink: linkTo?.(sessionId) ?? null,
    },
    createdAt,
  )
  return needsCard ? { ...attempt, status: 'requires_payment_method' } : attempt
}
