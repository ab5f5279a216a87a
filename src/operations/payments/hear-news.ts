import assert from 'node:assert/strict'
import type { Scope } from '../../parts/store/scope.ts'
import { isOpened } from '../../rules/commerce/payments/opened-payment.ts'
import type { ChargeOutcome, Payment } from '../../rules/commerce/payments/payment.ts'
import { isSettled } from '../../rules/commerce/payments/payment.ts'
import type { Duration, Instant } from '../../std/instant.ts'
import { day, minute } from '../../std/instant.ts'
import { Due } from '../accounts/change-accounts.ts'
import { untilWritten } from '../accounts/until-written.ts'
import { askProcessor } from './ask-processor.ts'
import type { PaymentNeeds } from './payment-needs.ts'
import type { HeardOfPayment } from './try-to-hear.ts'
import { tryToHear } from './try-to-hear.ts'

/** A charge of which nobody has said for so long what became of it, has come to nothing. */
const asksFor: Duration = 14 * day

/** It lets go of what it holds, such as the use of a code. [payments#news] */
const timedOut: ChargeOutcome = {
  status: 'failed',
  code: 'NETWORK_TIMEOUT',
  message: 'For two weeks nobody has said what became of the charge.',
}

/**
 * Applies due news of a payment at its own time; does nothing when it was applied already. Where
 * nothing was heard of a charge, asks its processor again with the same key, which charges nobody
 * twice. [payments#news]
 */
export async function hearNews(
  needs: PaymentNeeds,
  scope: Scope,
  { newsId, at }: { readonly newsId: string; readonly at: Instant },
): Promise<void> {
  await untilWritten<Payment | undefined>(needs, 'payment_news', async () => {
    const news = await needs.processorNews.get(scope, newsId)
    if (news === null) return undefined
    const { paymentId, outcome } = news
    const heard = { paymentId, outcome, later: [], news }
    const asked = outcome === null ? await askedAgain(needs, scope, { paymentId, at }) : {}
    const tried = await tryToHear(needs, scope, { ...heard, ...asked, at: () => at })
    assert(!(tried instanceof Due))
    return tried
  })
}

async function askedAgain(
  { payments, processors, sessions }: PaymentNeeds,
  scope: Scope,
  { paymentId, at }: { readonly paymentId: string; readonly at: Instant },
): Promise<Partial<Pick<HeardOfPayment, 'outcome' | 'later'>>> {
  const payment = await payments.get(scope, paymentId)
  if (payment === null || isSettled(payment)) return { outcome: null, later: [] }
  // Its session has expired, and nobody has tried to pay it.
  if (isOpened(payment)) return { outcome: { status: 'cancelled' } as const, later: [] }
  const { sessionId, status } = payment
  if (status === 'requires_customer_action' && sessionId !== null) {
    return untilSessionEnds(sessions, scope, { sessionId, at })
  }
  const answer = await askProcessor(processors, scope.mode, payment)
  const outcome = answer.outcome ?? ({ status: 'processing' } as const)
  if (outcome.status === 'requires_customer_action' && sessionId !== null) {
    return { outcome, ...(await untilSessionEnds(sessions, scope, { sessionId, at })) }
  }
  // What the processor is going to say is not waiting yet where its first answer was not heard.
  const news = status === 'requires_confirmation' ? answer.news : []
  if (isSettled(outcome)) return { outcome, later: news }
  const waited = at - payment.createdAt
  const left = asksFor - waited
  if (left <= 0) return { outcome: timedOut, later: [] }
  const again = Math.min(Math.max(waited, minute), left)
  return { outcome, later: [...news, { after: again, outcome: null }] }
}

/**
 * What asks its buyer for something waits as long as the session lasts, and what it holds with it.
 * Absent: it goes on waiting. [payments#news]
 */
async function untilSessionEnds(
  sessions: PaymentNeeds['sessions'],
  scope: Scope,
  { sessionId, at }: { readonly sessionId: string; readonly at: Instant },
): Promise<Partial<Pick<HeardOfPayment, 'outcome'>> & Pick<HeardOfPayment, 'later'>> {
  const session = await sessions.get(scope, sessionId)
  const left = (session?.expiresAt ?? at) - at
  if (left <= 0) return { outcome: { status: 'cancelled' }, later: [] }
  return { later: [{ after: left, outcome: null }] }
}
