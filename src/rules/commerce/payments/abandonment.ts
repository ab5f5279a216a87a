import type { Duration, Instant } from '../../../std/instant.ts'
import { hour } from '../../../std/instant.ts'
import type { AbandonedFact } from '../../facts/abandoned-facts.ts'
import type { CheckoutSession } from './checkout-session.ts'
import type { Payment } from './payment.ts'

/** How long somebody may try another card before a checkout counts as left. */
export const triesAgainFor: Duration = hour

/**
 * The payment with what is told of its session: nobody has paid it, and nobody goes on. Null: it is
 * paid, somebody tries again, or it was told before. [webhooks#abandoned-checkouts]
 */
export function abandoned(payment: Payment, session: CheckoutSession, at: Instant): Payment | null {
  const { abandoned: before, paymentId, purpose, status } = payment
  const isLeft = status === 'failed' || status === 'cancelled'
  const isLatest = session.paymentId === paymentId && session.completedAt === null
  if (!isLeft || !isLatest || before !== null || purpose !== 'purchase') return null
  const reason = status === 'failed' ? 'payment_failed' : 'checkout_incomplete'
  return { ...payment, abandoned: { at, paymentId, reason } }
}

/** What is told of it, or of the payment with which somebody came back; null: nothing. */
export function abandonedFact(payment: Payment): AbandonedFact | null {
  const { abandoned: left, brandId, customerId, paymentId, status } = payment
  if (left === null) return null
  const of = { brandId, customerId, paymentId: left.paymentId, abandonedAt: left.at }
  const { reason } = left
  if (status === 'succeeded') {
    const data = { ...of, reason, status: 'recovered', recoveredPaymentId: paymentId } as const
    return { type: 'abandoned_checkout.recovered', data }
  }
  if (left.paymentId !== paymentId) return null
  const data = { ...of, reason, status: 'abandoned', recoveredPaymentId: null } as const
  return { type: 'abandoned_checkout.detected', data }
}
