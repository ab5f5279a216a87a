import { Fault, orNotFound } from '../../faults.ts'
import type { FoundSession } from '../../parts/store/checkout-sessions.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Payment } from '../../rules/commerce/payments/payment.ts'
import type { Mode } from '../../rules/meter/meter.ts'
import { after, laterOf } from '../../std/instant.ts'
import { lost, untilWritten } from '../accounts/until-written.ts'
import { requestedCharge, unlessSilent } from '../payments/ask-processor.ts'
import { hearOutcome } from '../payments/hear-outcome.ts'
import type { PayCheckoutNeeds } from './pay-checkout.ts'
import { refuseUnlessOpen } from './pay-checkout.ts'

/**
 * Tells the processor whether the holder of the card has passed what it asked for. Refuses: 404 an
 * unknown session; 410 one that is paid or expired; 409 where the latest attempt asks for nothing.
 */
export async function confirmCheckout(
  needs: PayCheckoutNeeds,
  mode: Mode,
  { sessionId, passed }: { readonly sessionId: string; readonly passed: boolean },
): Promise<{ readonly found: FoundSession; readonly payment: Payment }> {
  const found = orNotFound(
    await needs.sessions.find(mode, sessionId),
    'checkout session',
    sessionId,
  )
  const scope: Scope = { businessId: found.businessId, mode }
  const claimed = await untilWritten(needs, 'pay', () => claim(needs, scope, sessionId))
  const { paymentId, token } = claimed
  const charge = { ...requestedCharge(claimed), token: token ?? '' }
  const { outcome, news } = await unlessSilent(() => needs.processors[mode].confirm(charge, passed))
  const heard = { paymentId, outcome, later: news, news: null }
  return { found, payment: await hearOutcome(needs, scope, heard) }
}

/** Of several answers to one question one is told to the processor. */
async function claim(
  needs: PayCheckoutNeeds,
  scope: Scope,
  sessionId: string,
): Promise<Payment | typeof lost> {
  const clockAhead = await needs.businesses.clockAhead(scope)
  const at = after(needs.clock.now(), clockAhead)
  const found = await needs.sessions.get(scope, sessionId)
  const session = orNotFound(found, 'checkout session', sessionId)
  const { paymentId } = session
  const asking = paymentId === null ? null : await needs.payments.get(scope, paymentId)
  refuseUnlessOpen(session, asking, at)
  if (asking?.status !== 'requires_customer_action') {
    throw new Fault('CONFLICT', 'The latest payment of this checkout session asks for nothing.')
  }
  const row: Payment = {
    ...asking,
    status: 'requires_confirmation',
    version: asking.version + 1,
    updatedAt: laterOf(at, asking.updatedAt),
  }
  const change = {
    scope,
    clockAhead,
    rows: [
      { noun: 'payment', expected: asking.version, row },
      {
        noun: 'checkout_session',
        expected: session.version,
        row: { ...session, version: session.version + 1 },
      },
    ] as const,
    accounts: [],
    facts: [],
  }
  return (await needs.changes.commit(change)) === 'committed' ? row : lost
}
