import { Fault, orNotFound } from '../../faults.ts'
import type { PaymentMethod } from '../../parts/processors/port.ts'
import type { RowChange } from '../../parts/store/changes.ts'
import type { FoundSession } from '../../parts/store/checkout-sessions.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Customer } from '../../rules/commerce/catalog/customer.ts'
import { newCustomer } from '../../rules/commerce/catalog/customer.ts'
import { isRecurring } from '../../rules/commerce/catalog/price.ts'
import type { EnteredCard, WrongCard } from '../../rules/commerce/payments/card.ts'
import type { PricedCart } from '../../rules/commerce/payments/cart.ts'
import type { CheckoutSession } from '../../rules/commerce/payments/checkout-session.ts'
import { stateOfSession } from '../../rules/commerce/payments/checkout-session.ts'
import type { Payer, PayerDetails, WrongDetail } from '../../rules/commerce/payments/payer.ts'
import { payerOf } from '../../rules/commerce/payments/payer.ts'
import type { Payment } from '../../rules/commerce/payments/payment.ts'
import type { Mode } from '../../rules/meter/meter.ts'
import type { Instant } from '../../std/instant.ts'
import { after } from '../../std/instant.ts'
import { lost, untilWritten } from '../accounts/until-written.ts'
import type { DueFirstNeeds } from '../boundaries/due-first.ts'
import { knownCustomer } from '../customers/known-customer.ts'
import { askAgainAfter, charged } from '../payments/hear-news.ts'
import { hearOutcome } from '../payments/hear-outcome.ts'
import type { PaymentNeeds } from '../payments/payment-needs.ts'
import { pricedRequest } from './priced-request.ts'

export type PayCheckoutNeeds = PaymentNeeds & DueFirstNeeds

/** What a person sends from the checkout page. */
export interface Paying {
  readonly sessionId: string
  readonly details: PayerDetails
  /** Null: none was entered. */
  readonly card: EnteredCard | null
}

/** The attempt and what became of it; or what has to be corrected first: nothing was written. */
export type Paid =
  | { readonly found: FoundSession; readonly payment: Payment }
  | { readonly found: FoundSession; readonly wrong: readonly WrongDetail[] }

/**
 * Pays a session: one attempt, which is a payment of its own. The attempt is written before its
 * processor is asked, so that of several at once one is charged, and none is forgotten. Refuses:
 * 404 an unknown session; 410 one that is paid or expired; 409 while an attempt is on its way.
 * [payments#one-way-to-be-paid]
 */
export async function payCheckout(
  needs: PayCheckoutNeeds,
  mode: Mode,
  paying: Paying,
): Promise<Paid> {
  const sessionId = paying.sessionId
  const found = orNotFound(
    await needs.sessions.find(mode, sessionId),
    'checkout session',
    sessionId,
  )
  const scope: Scope = { businessId: found.businessId, mode }
  const claimed = await untilWritten<Payment | readonly WrongDetail[]>(needs, 'pay', async () => {
    const session = orNotFound(
      await needs.sessions.get(scope, sessionId),
      'checkout session',
      sessionId,
    )
    return claim(needs, scope, { session, paying })
  })
  if ('length' in claimed) return { found, wrong: claimed }
  const { paymentId, token } = claimed
  const answer =
    token === null
      ? ({ outcome: { status: 'succeeded' }, news: [] } as const)
      : await charged(() =>
          needs.processors[mode].charge({
            key: paymentId,
            token,
            forcesConfirmation: found.session.request.forcesConfirmation,
          }),
        )
  const outcome = answer.outcome ?? ({ status: 'processing' } as const)
  const heard = { paymentId, outcome, later: answer.news, news: null }
  return { found, payment: await hearOutcome(needs, scope, heard) }
}

/** Writes the attempt, unless somebody else's is under way. */
async function claim(
  needs: PayCheckoutNeeds,
  scope: Scope,
  { session, paying }: { readonly session: CheckoutSession; readonly paying: Paying },
): Promise<Payment | readonly WrongDetail[] | typeof lost> {
  const clockAhead = await needs.businesses.clockAhead(scope)
  const at = after(needs.clock.now(), clockAhead)
  const latest =
    session.paymentId === null ? null : await needs.payments.get(scope, session.paymentId)
  refuseUnlessOpen(session, latest, at)
  const { cart } = await pricedRequest(needs, scope, { request: session.request, at })
  const { request } = session
  const asked = request.customer ?? emailOf(paying.details)
  const known = asked === null ? null : await knownCustomer(needs.customers, scope, asked)
  const payer = payerOf(request, paying.details, 'id' in (asked ?? {}) ? known : null)
  if ('wrong' in payer) return payer.wrong
  const method = methodOf(needs, scope, { cart, card: paying.card })
  if (method !== null && 'field' in method) return [method]
  const { customer, made } = customerOf(needs, { payer, known, session, at })
  const payment = attemptOf(needs, { session, cart, payer, customer, method, at, scope })
  const { paymentId, customerId } = payment
  const rows: readonly RowChange[] = [
    ...made,
    {
      noun: 'checkout_session',
      expected: session.version,
      row: { ...session, paymentId, version: session.version + 1 },
    },
    { noun: 'payment', expected: null, row: payment },
    {
      noun: 'processor_news',
      heard: false,
      row: {
        newsId: needs.newId('pnw'),
        customerId,
        paymentId,
        outcome: null,
        dueAt: after(at, askAgainAfter),
      },
    },
  ]
  const change = { scope, clockAhead, rows, accounts: [], facts: [] }
  return (await needs.changes.commit(change)) === 'committed' ? payment : lost
}

export function refuseUnlessOpen(
  session: CheckoutSession,
  latest: Payment | null,
  at: Instant,
): void {
  switch (stateOfSession(session, latest, at)) {
    case 'consumed':
      throw new Fault('CHECKOUT_SESSION_CONSUMED', 'This checkout session is paid already.')
    case 'expired':
      throw new Fault(
        'CHECKOUT_SESSION_EXPIRED',
        'This checkout session has expired; ask the seller for another.',
      )
    case 'busy':
      throw new Fault(
        'PREVIOUS_PAYMENT_PENDING',
        'A payment of this checkout session is on its way; wait for what becomes of it.',
      )
    case 'open':
  }
}

const emailOf = ({ email }: PayerDetails) => (email === null ? null : { email })

/** How the cart is paid; null: there is nothing to charge, and no card to remember. */
function methodOf(
  { processors }: PayCheckoutNeeds,
  { mode }: Scope,
  { cart, card }: { readonly cart: PricedCart; readonly card: EnteredCard | null },
): PaymentMethod | (Pick<PaymentMethod, 'token'> & { readonly card: null }) | WrongCard | null {
  const processor = processors[mode]
  const isOnce = cart.lines.every(({ product }) => !isRecurring(product.price))
  if (cart.total === 0 && (isOnce || card === null)) return null
  if (processor.enter === null) return { token: processor.name, card: null }
  if (card !== null) return processor.enter(card)
  return { field: 'card_number', problem: 'is missing' }
}

function customerOf(
  needs: PayCheckoutNeeds,
  of: {
    readonly payer: Payer
    readonly known: Customer | null
    readonly session: CheckoutSession
    readonly at: Instant
  },
): { readonly customer: Customer; readonly made: readonly RowChange[] } {
  const { at, known, payer, session } = of
  const asked = session.request.customer
  const isNamed = asked !== null && 'id' in asked
  if (known !== null && (isNamed || !session.request.alwaysNewCustomer)) {
    return { customer: known, made: [] }
  }
  const { email, name, phoneNumber } = payer
  const wanted = { email, name, phoneNumber, metadata: {} }
  const customer = newCustomer(needs.newId('cus'), wanted, at)
  return { customer, made: [{ noun: 'customer', expected: null, row: customer }] }
}

function attemptOf(
  { newId, processors }: PayCheckoutNeeds,
  of: {
    readonly session: CheckoutSession
    readonly cart: PricedCart
    readonly payer: Payer
    readonly customer: Customer
    readonly method: PaymentMethod | { readonly token: string; readonly card: null } | null
    readonly at: Instant
    readonly scope: Scope
  },
): Payment {
  const { at, cart, customer, method, payer, session } = of
  const { request, sessionId } = session
  const [first] = cart.lines
  return {
    paymentId: newId('pay'),
    brandId: first?.product.brandId ?? of.scope.businessId,
    customerId: customer.customerId,
    subscriptionId: null,
    sessionId,
    status: 'requires_confirmation',
    processor: processors[of.scope.mode].name,
    currency: cart.currency,
    totalAmount: cart.total,
    tax: cart.tax,
    lines: cart.lines.map(({ itemId, name, description, amount, tax }) => ({
      itemId,
      name,
      description,
      amount,
      tax,
    })),
    products: request.products,
    billing: payer.billing,
    taxId: payer.taxId,
    customerBusinessName: request.customerBusinessName,
    metadata: request.metadata,
    customFields: payer.customFields,
    token: method?.token ?? null,
    card: method?.card ?? null,
    errorCode: null,
    errorMessage: null,
    version: 1,
    createdAt: at,
    updatedAt: at,
  }
}
