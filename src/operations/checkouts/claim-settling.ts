import { Fault } from '../../faults.ts'
import type { RowChange } from '../../parts/store/changes.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { EnteredCard } from '../../rules/commerce/payments/card.ts'
import type { CheckoutSession, Settles } from '../../rules/commerce/payments/checkout-session.ts'
import { attemptAt, isOpened } from '../../rules/commerce/payments/opened-payment.ts'
import type { WrongDetail } from '../../rules/commerce/payments/payer.ts'
import type { Payment } from '../../rules/commerce/payments/payment.ts'
import { retriedDues } from '../../rules/commerce/subscriptions/dues.ts'
import { askedRejection } from '../../rules/commerce/subscriptions/lifecycle.ts'
import type { Subscription } from '../../rules/commerce/subscriptions/subscription.ts'
import { isOver } from '../../rules/commerce/subscriptions/subscription.ts'
import type { Money } from '../../rules/money/money.ts'
import type { Instant } from '../../std/instant.ts'
import { after, laterOf } from '../../std/instant.ts'
import { lost } from '../accounts/until-written.ts'
import { attemptRows } from '../payments/ask-processor.ts'
import type { PaymentNeeds } from '../payments/payment-needs.ts'
import { methodPayment } from './settling-terms.ts'

/** What a session that settles something is paid with. */
interface Settling {
  readonly session: CheckoutSession
  readonly settles: Settles
  /** The latest attempt; null: there is none. */
  readonly latest: Payment | null
  readonly card: EnteredCard | null
  /** What the person was told that it costs; null: nothing. */
  readonly agreedTotal: Money | null
}

/**
 * Writes the attempt of a session that settles something, with the subscription that waits for it:
 * of a retry that comes by itself and of the page, one charges. Refuses: 409 while another attempt
 * is on its way; 410 where there is nothing to settle any more. [payments#settling-sessions]
 */
export async function claimSettling(
  needs: PaymentNeeds,
  scope: Scope,
  { agreedTotal, card, latest, session, settles }: Settling,
): Promise<Payment | readonly WrongDetail[] | typeof lost> {
  const clockAhead = await needs.businesses.clockAhead(scope)
  const at = after(needs.clock.now(), clockAhead)
  const found = await needs.subscriptions.find(scope, settles.subscriptionId)
  const before = settleable(found, { latest, settles })
  const due = await dueOf(needs, scope, { at, before, latest, session, settles })
  if (isMore(due, agreedTotal)) return [{ field: 'order', problem: 'has become dearer' }]
  const method = methodOf(needs, scope, { card, at })
  if ('field' in method) return [method]
  const opened = latest !== null && isOpened(latest) ? latest : null
  const whole = { ...due, ...method }
  const payment = opened === null ? whole : attemptAt(opened, whole)
  const rows: readonly RowChange[] = [
    {
      noun: 'checkout_session',
      expected: session.version,
      row: { ...session, paymentId: payment.paymentId, version: session.version + 1 },
    },
    subscriptionRow(before, payment, at),
    ...attemptRows(needs.newId, payment, opened),
  ]
  const change = { scope, clockAhead, rows, accounts: [], facts: [] }
  return (await needs.changes.commit(change)) === 'committed' ? payment : lost
}

/** What a session of this kind would charge now. Refuses what claimSettling() refuses. */
export async function dueOfSession(
  needs: PaymentNeeds,
  scope: Scope,
  of: Pick<Settling, 'latest' | 'session' | 'settles'> & { readonly at: Instant },
): Promise<Payment> {
  const found = await needs.subscriptions.find(scope, of.settles.subscriptionId)
  return dueOf(needs, scope, { ...of, before: settleable(found, of) })
}

function settleable(
  found: Subscription | null,
  { latest, settles }: Pick<Settling, 'latest' | 'settles'>,
): Subscription {
  const isGivenUp =
    settles.what === 'plan_change' && found?.changing?.paymentId !== latest?.paymentId
  if (found === null || isOver(found) || isGivenUp) {
    throw new Fault('CHECKOUT_SESSION_EXPIRED', 'There is nothing to settle here any more.')
  }
  const asked = settles.what === 'method' && found.dues?.isAsked === true
  const refusal = asked ? askedRejection(found) : null
  if (refusal !== null) throw new Fault('PREVIOUS_PAYMENT_PENDING', refusal.problem)
  return found
}

/** As it was priced when the change was asked for; else what is owed now. */
async function dueOf(
  needs: PaymentNeeds,
  scope: Scope,
  of: Pick<Settling, 'latest' | 'session' | 'settles'> & {
    readonly at: Instant
    readonly before: Subscription
  },
): Promise<Payment> {
  const { at, before, latest, session, settles } = of
  if (settles.what === 'method' || latest === null) {
    return methodPayment(needs, scope, { at, before, sessionId: session.sessionId })
  }
  return { ...latest, status: 'requires_confirmation', updatedAt: laterOf(at, latest.updatedAt) }
}

const isMore = ({ currency, totalAmount }: Payment, agreed: Money | null): boolean =>
  agreed !== null && (agreed.currency !== currency || agreed.amount < totalAmount)

function methodOf(
  { processors }: PaymentNeeds,
  { mode }: Scope,
  { card, at }: { readonly card: EnteredCard | null; readonly at: Instant },
): Pick<Payment, 'card' | 'token'> | WrongDetail {
  const processor = processors[mode]
  if (processor.enter === null) return { token: processor.name, card: null }
  if (card === null) return { field: 'card_number', problem: 'is missing' }
  return processor.enter(card, at)
}

/** The attempt at what is owed is the one that the subscription waits for from now on. */
function subscriptionRow(before: Subscription, payment: Payment, at: Instant): RowChange {
  const { dues } = before
  const { paymentId, purpose } = payment
  const retried =
    purpose === 'renewal' && dues !== null
      ? retriedDues(dues, { paymentId, byItself: false })
      : dues
  const row = {
    ...before,
    dues: retried,
    version: before.version + 1,
    updatedAt: laterOf(at, before.updatedAt),
  }
  return { noun: 'subscription', expected: before.version, row, over: [] }
}
