import { Fault, orNotFound, refuse } from '../../faults.ts'
import type { RowChange } from '../../parts/store/changes.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { CheckoutSession } from '../../rules/commerce/payments/checkout-session.ts'
import { newSession } from '../../rules/commerce/payments/checkout-session.ts'
import type { Payment } from '../../rules/commerce/payments/payment.ts'
import { settlingRequest } from '../../rules/commerce/payments/settling-session.ts'
import { methodRejection } from '../../rules/commerce/subscriptions/lifecycle.ts'
import type { NewId } from '../../std/id.ts'
import { after } from '../../std/instant.ts'
import { lost, untilWritten } from '../accounts/until-written.ts'
import { methodPayment } from '../checkouts/settling-terms.ts'
import type { PaymentNeeds } from '../payments/payment-needs.ts'

/** A payment that waits on the page of a session. */
export interface OpenedSettling {
  readonly payment: Payment
  readonly session: CheckoutSession
}

interface WantedUpdate {
  readonly subscriptionId: string
  readonly returnUrl: string | null
  /** The address of a session's page; null: the payment shows none. */
  readonly linkTo: ((sessionId: string) => string) | null
}

/**
 * Opens a page on which the customer of a subscription enters a card, which later charges will use;
 * what is owed is charged to it at once. Refuses: 404 an unknown subscription; 409 while a renewal
 * is on its way; 422 one that is over, or has not begun. [payments#settling-sessions]
 */
export function openMethodUpdate(
  needs: PaymentNeeds,
  scope: Scope,
  { linkTo, returnUrl, subscriptionId }: WantedUpdate,
): Promise<OpenedSettling> {
  return untilWritten<OpenedSettling>(needs, 'update_payment_method', async () => {
    const clockAhead = await needs.businesses.clockAhead(scope)
    const at = after(needs.clock.now(), clockAhead)
    const found = await needs.subscriptions.find(scope, subscriptionId)
    const before = orNotFound(found, 'subscription', subscriptionId)
    refuse(methodRejection(before))
    if (before.status === 'pending') {
      throw new Fault('SUBSCRIPTION_INACTIVE', 'Its first payment brings this subscription a card.')
    }
    const settles = { subscriptionId, what: 'method' } as const
    const request = settlingRequest(before, settles, returnUrl)
    const session = newSession(needs.newId('cks'), request, at)
    const { sessionId } = session
    const due = await methodPayment(needs, scope, { before, sessionId, at })
    const opened = openedOn(session, due, linkTo)
    const rows = openedRows(needs.newId, opened)
    const change = { scope, clockAhead, rows, accounts: [], facts: [] }
    return (await needs.changes.commit(change)) === 'committed' ? opened : lost
  })
}

/** The payment as it waits for its payer, on the page of the session. */
export function openedOn(
  session: CheckoutSession,
  due: Payment,
  linkTo: ((sessionId: string) => string) | null,
): OpenedSettling {
  const { sessionId } = session
  const payment: Payment = {
    ...due,
    sessionId,
    status: 'requires_payment_method',
    token: null,
    card: null,
    paymentMethodId: null,
    paymentLink: linkTo?.(sessionId) ?? null,
  }
  return { payment, session: { ...session, paymentId: due.paymentId } }
}

/** Where nobody has tried until the session expires, the payment is cancelled. */
export function openedRows(
  newId: NewId,
  { payment, session }: OpenedSettling,
): readonly RowChange[] {
  const { customerId, paymentId } = payment
  const dueAt = session.expiresAt
  return [
    { noun: 'checkout_session', expected: null, row: session },
    { noun: 'payment', expected: null, row: payment },
    {
      noun: 'processor_news',
      heard: false,
      row: { newsId: newId('pnw'), customerId, paymentId, outcome: null, dueAt },
    },
  ]
}
