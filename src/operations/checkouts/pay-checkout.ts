import { Fault, orNotFound, refuse } from '../../faults.ts'
import type { RowChange } from '../../parts/store/changes.ts'
import type { FoundSession } from '../../parts/store/checkout-sessions.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Customer } from '../../rules/commerce/catalog/customer.ts'
import { newCustomer } from '../../rules/commerce/catalog/customer.ts'
import { isRecurring } from '../../rules/commerce/catalog/price.ts'
import { heldRefusal } from '../../rules/commerce/discounts/redeem.ts'
import { newAttempt } from '../../rules/commerce/payments/attempt.ts'
import { wrongAmounts } from '../../rules/commerce/payments/buyers-amount.ts'
import type { EnteredCard } from '../../rules/commerce/payments/card.ts'
import type { PricedCart } from '../../rules/commerce/payments/cart.ts'
import type { CheckoutSession } from '../../rules/commerce/payments/checkout-session.ts'
import { stateOfSession } from '../../rules/commerce/payments/checkout-session.ts'
import type { CheckoutChoices } from '../../rules/commerce/payments/choices.ts'
import { chosenRequest } from '../../rules/commerce/payments/choices.ts'
import { attemptAt, isOpened } from '../../rules/commerce/payments/opened-payment.ts'
import type { Payer, PayerDetails, WrongDetail } from '../../rules/commerce/payments/payer.ts'
import { payerOf } from '../../rules/commerce/payments/payer.ts'
import type { Payment } from '../../rules/commerce/payments/payment.ts'
import { paymentLine } from '../../rules/commerce/payments/priced-lines.ts'
import type { SavedMethod } from '../../rules/commerce/payments/saved-method.ts'
import type { Mode } from '../../rules/meter/meter.ts'
import type { Money } from '../../rules/money/money.ts'
import type { Instant } from '../../std/instant.ts'
import { after } from '../../std/instant.ts'
import { lost, untilWritten } from '../accounts/until-written.ts'
import type { DueFirstNeeds } from '../boundaries/due-first.ts'
import { attemptRows } from '../payments/ask-processor.ts'
import { carryOut } from '../payments/carry-out.ts'
import { heldUses } from '../payments/discount-uses.ts'
import { hearOutcome } from '../payments/hear-outcome.ts'
import type { PaymentNeeds } from '../payments/payment-needs.ts'
import type { PricingNeeds } from '../payments/priced-purchase.ts'
import { claimSettling } from './claim-settling.ts'
import type { OfferNeeds } from './offered.ts'
import { offeredProducts } from './offered.ts'
import { pricedRequest, wrongChoice } from './priced-request.ts'

export type PayCheckoutNeeds = PaymentNeeds & DueFirstNeeds & PricingNeeds & OfferNeeds

/** What a person sends from the checkout page. */
export interface Paying {
  readonly sessionId: string
  readonly details: PayerDetails
  readonly choices: CheckoutChoices
  /** What the person was told that it costs; null: nothing. */
  readonly agreedTotal: Money | null
  /** Null: none was entered. */
  readonly card: EnteredCard | null
  /** The saved method that was chosen instead; null: none. */
  readonly paymentMethodId?: string | null
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
  return { found, payment: await carryOut(needs, scope, claimed) }
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
  if (latest?.status === 'requires_customer_action') return gaveUp(needs, scope, latest)
  const { settles } = session.request
  if (settles !== null) {
    const { agreedTotal, card } = paying
    return claimSettling(needs, scope, { session, settles, latest, card, agreedTotal })
  }
  const offered = await offeredProducts(needs, scope, session.request)
  const chosen = chosenRequest(session.request, paying.choices, offered)
  const { request } = chosen
  const { details } = paying
  const priced = await pricedRequest(needs, scope, { request, details, at }).catch(wrongOrThrow)
  if ('field' in priced) return [priced, ...chosen.wrong]
  const { cart, known } = priced
  const wrong = [...chosen.wrong, ...wrongAmounts(request, cart)]
  const isNamed = request.customer !== null && 'id' in request.customer
  const payer = payerOf(request, details, isNamed ? known : null)
  if ('wrong' in payer) return [...wrong, ...payer.wrong]
  if (wrong.length > 0) return wrong
  if (isDearer(cart, paying.agreedTotal)) return [dearer]
  const { card, paymentMethodId: wanted = null } = paying
  const customerId = isNamed && request.offersSavedMethods ? known?.customerId : undefined
  const saved = wanted === null ? null : await savedMethod(needs, scope, { wanted, customerId })
  const method = methodOf(needs, scope, { cart, card, saved, at })
  if (method !== null && 'field' in method) return [method]
  for (const { discount } of cart.discounts) refuse(heldRefusal(discount))
  const { customer, made } = customerOf(needs, { payer, known, session, at })
  const asked = { ...session, request }
  const attempt = attemptOf(needs, { session: asked, cart, payer, customer, method, at, scope })
  const opened = latest !== null && isOpened(latest) ? latest : null
  const whole = opened === null ? attempt : attemptAt(opened, attempt)
  const payment = { ...whole, abandoned: latest?.abandoned ?? null }
  const { paymentId } = payment
  const rows: readonly RowChange[] = [
    ...made,
    ...heldUses(payment),
    {
      noun: 'checkout_session',
      expected: session.version,
      row: { ...session, paymentId, version: session.version + 1 },
    },
    ...attemptRows(needs.newId, payment, opened),
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

/** An attempt that was not confirmed ends with the next one, and leaves it what it held. */
async function gaveUp(
  needs: PayCheckoutNeeds,
  scope: Scope,
  { paymentId }: Payment,
): Promise<typeof lost> {
  const outcome = { status: 'cancelled' } as const
  await hearOutcome(needs, scope, { paymentId, outcome, later: [], news: null })
  return lost
}

/** A choice that is refused is told by its field; all else is thrown. */
function wrongOrThrow(error: unknown): WrongDetail {
  const wrong = wrongChoice(error)
  if (wrong === null) throw error
  return wrong
}

const isDearer = ({ currency, total }: PricedCart, agreed: Money | null): boolean =>
  agreed !== null && (agreed.currency !== currency || agreed.amount < total)

/** What was entered or chosen since the total was shown has made it more. */
const dearer: WrongDetail = { field: 'order', problem: 'has become dearer' }

/** What an attempt charges. */
type Method = Pick<Payment, 'card'> & {
  readonly token: string
  readonly paymentMethodId?: string
}

/** How the cart is paid; null: there is nothing to charge, and no card to remember. */
function methodOf(
  { processors }: PayCheckoutNeeds,
  { mode }: Scope,
  of: {
    readonly cart: PricedCart
    readonly card: EnteredCard | null
    readonly saved: SavedMethod | WrongDetail | null
    readonly at: Instant
  },
): Method | WrongDetail | null {
  const { at, card, cart, saved } = of
  const processor = processors[mode]
  const isOnce = cart.lines.every(({ product }) => !isRecurring(product.price))
  const hasNothing = card === null && saved === null && cart.agreed?.onDemand !== true
  if (cart.total === 0 && (isOnce || hasNothing)) return null
  if (processor.enter === null) return { token: processor.name, card: null }
  if (saved !== null) return saved
  if (card !== null) return processor.enter(card, at)
  return { field: 'card_number', problem: 'is missing' }
}

/** The method that was chosen on a page that has offered it to this customer. */
async function savedMethod(
  { paymentMethods }: PayCheckoutNeeds,
  scope: Scope,
  of: { readonly wanted: string; readonly customerId: string | undefined },
): Promise<SavedMethod | WrongDetail> {
  const found = await paymentMethods.get(scope, of.wanted)
  const isTheirs = found !== null && found.customerId === of.customerId && found.deletedAt === null
  return isTheirs ? found : { field: 'payment_method_id', problem: 'is not there any more' }
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
    readonly method: Method | null
    readonly at: Instant
    readonly scope: Scope
  },
): Payment {
  const { at, cart, customer, method, payer, session } = of
  const { request, sessionId } = session
  const [first] = cart.lines
  const terms = {
    paymentId: newId('pay'),
    brandId: first?.product.brandId ?? of.scope.businessId,
    customerId: customer.customerId,
    sessionId,
    purpose: 'purchase',
    processor: processors[of.scope.mode].name,
    currency: cart.currency,
    discounts: cart.discounts,
    holdsUses: true,
    agreed: cart.agreed,
    totalAmount: cart.total,
    tax: cart.tax,
    lines: cart.lines.map(paymentLine),
    products: request.products,
    billing: payer.billing,
    taxId: payer.taxId,
    customerBusinessName: payer.businessName,
    metadata: request.metadata,
    customFields: payer.customFields,
    token: method?.token ?? null,
    card: method?.card ?? null,
    paymentMethodId: method?.paymentMethodId ?? null,
    forcesConfirmation: request.forcesConfirmation,
  } as const
  return newAttempt(terms, at)
}
