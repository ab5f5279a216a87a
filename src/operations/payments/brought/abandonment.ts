import type { RowChange } from '../../../parts/store/changes.ts'
import {
  abandoned,
  abandonedFact,
  triesAgainFor,
} from '../../../rules/commerce/payments/abandonment.ts'
import type { CheckoutSession } from '../../../rules/commerce/payments/checkout-session.ts'
import type { Payment } from '../../../rules/commerce/payments/payment.ts'
import { isSettled } from '../../../rules/commerce/payments/payment.ts'
import type { NewId } from '../../../std/id.ts'
import type { Instant } from '../../../std/instant.ts'
import { after } from '../../../std/instant.ts'
import type { Bringing, SubjectBrings } from './bringing.ts'

/**
 * A purchase that comes to nothing: its session is looked at again an hour later, when another card
 * may have paid it; one that has expired is left already. One that is paid after it was left has
 * its buyer back. [webhooks#abandoned-checkouts]
 */
export const bringAbandonment: Bringing = async ({ sessions }, scope, { payment, outcome }) => {
  const { purpose, sessionId } = payment
  if (purpose !== 'purchase' || sessionId === null || !isSettled(outcome)) return null
  const session = await sessions.get(scope, sessionId)
  if (session === null) return null
  return {
    entitlementIds: [],
    decide: ({ at, newId, payment }) => {
      if (payment.status === 'succeeded') return told(payment)
      if (at < session.expiresAt) return { rows: [lookedAtAgain(newId, payment, at)] }
      return left(payment, session, at)
    },
  }
}

/** What its session's end, or an hour without another attempt, makes of a payment. */
export function left(payment: Payment, session: CheckoutSession, at: Instant): SubjectBrings {
  const row = abandoned(payment, session, at)
  if (row === null) return {}
  return { ...told(row), payment: row, rows: [claimed(session)] }
}

function told(payment: Payment): SubjectBrings {
  const fact = abandonedFact(payment)
  return fact === null ? {} : { facts: [fact] }
}

/** An attempt that begins at the same moment is decided anew, and takes over what was told. */
const claimed = (session: CheckoutSession): RowChange => ({
  noun: 'checkout_session',
  expected: session.version,
  row: { ...session, version: session.version + 1 },
})

const lookedAtAgain = (
  newId: NewId,
  { customerId, paymentId }: Payment,
  at: Instant,
): RowChange => ({
  noun: 'processor_news',
  heard: false,
  row: {
    newsId: newId('pnw'),
    customerId,
    paymentId,
    outcome: null,
    dueAt: after(at, triesAgainFor),
  },
})
