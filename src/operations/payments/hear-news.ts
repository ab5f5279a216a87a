import assert from 'node:assert/strict'
import type { ChargeAnswer } from '../../parts/processors/port.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Payment } from '../../rules/commerce/payments/payment.ts'
import { isSettled } from '../../rules/commerce/payments/payment.ts'
import type { Duration, Instant } from '../../std/instant.ts'
import { day, minute } from '../../std/instant.ts'
import { Due } from '../accounts/change-accounts.ts'
import { untilWritten } from '../accounts/until-written.ts'
import type { PaymentNeeds } from './payment-needs.ts'
import { tryToHear } from './try-to-hear.ts'

/** After a charge was sent, and nothing was heard: how long until the processor is asked again. */
export const askAgainAfter: Duration = 5 * minute
/** A processor that has said nothing for so long will not. */
const asksFor: Duration = 14 * day

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
    const asked = outcome === null ? await askedAgain(needs, scope, { paymentId, at }) : heard
    const tried = await tryToHear(needs, scope, { ...heard, ...asked, at: () => at })
    assert(!(tried instanceof Due))
    return tried
  })
}

async function askedAgain(
  { payments, processors }: PaymentNeeds,
  scope: Scope,
  { paymentId, at }: { readonly paymentId: string; readonly at: Instant },
) {
  const payment = await payments.get(scope, paymentId)
  const token = payment?.token ?? null
  if (payment === null || isSettled(payment)) return { outcome: null, later: [] }
  // Nothing was to be charged: only what it brings was not written.
  if (token === null) return { outcome: { status: 'succeeded' } as const, later: [] }
  const answer = await charged(() => processors[scope.mode].charge({ key: paymentId, token }))
  const outcome = answer.outcome ?? ({ status: 'processing' } as const)
  // What the processor is going to say is not waiting yet where its first answer was not heard.
  const news = payment.status === 'requires_confirmation' ? answer.news : []
  const waited = at - payment.createdAt
  if (waited > asksFor || outcome.status !== 'processing') return { outcome, later: news }
  return { outcome, later: [...news, { after: Math.max(waited, minute), outcome: null }] }
}

/** A processor that fails to answer may have charged all the same. */
export async function charged(charge: () => Promise<ChargeAnswer>): Promise<ChargeAnswer> {
  try {
    return await charge()
  } catch {
    return { outcome: null, news: [] }
  }
}
