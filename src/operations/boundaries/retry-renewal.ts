import assert from 'node:assert/strict'
import type { Scope } from '../../parts/store/scope.ts'
import type { Payment } from '../../rules/commerce/payments/payment.ts'
import { retriedDues } from '../../rules/commerce/subscriptions/dues.ts'
import type { Subscription } from '../../rules/commerce/subscriptions/subscription.ts'
import type { Instant } from '../../std/instant.ts'
import { Due } from '../accounts/change-accounts.ts'
import { untilWritten } from '../accounts/until-written.ts'
import { chargeableMethod } from '../payment-methods/chargeable-method.ts'
import { carryOutAt } from '../payments/carry-out-at.ts'
import type { PaymentNeeds } from '../payments/payment-needs.ts'
import type { PreparedChange } from '../subscriptions/change-subscription.ts'
import { tryChangeSubscription } from '../subscriptions/change-subscription.ts'
import { payingFromWallet } from './paying-from-wallet.ts'
import { repeatedPayment } from './renewal-payment.ts'

/**
 * Tries a failed renewal again at the time that its last failure has set; does nothing when that
 * has been done already. [subscriptions#dunning]
 */
export async function retryRenewal(
  needs: PaymentNeeds,
  scope: Scope,
  { subscriptionId, at }: { readonly subscriptionId: string; readonly at: Instant },
): Promise<void> {
  const attempt = await untilWritten<Payment | null>(needs, 'retry_renewal', async () => {
    const before = await needs.subscriptions.find(scope, subscriptionId)
    if (before?.status !== 'on_hold' || before.dues?.retryAt !== at) return null
    const { attempted, prepared } = await prepareRetry(needs, scope, {
      before,
      paymentMethodId: before.paymentMethodId,
      byItself: true,
    })
    const tried = await tryChangeSubscription(needs, scope, {
      operation: 'retry_renewal',
      before,
      prepared,
      at: () => at,
    })
    assert(!(tried instanceof Due))
    return tried === undefined ? attempted() : tried
  })
  if (attempt !== null) await carryOutAt(needs, scope, { attempt, at })
}

/** Another attempt to be paid the dues, through this method from now on. [subscriptions#dunning] */
export async function prepareRetry(
  needs: PaymentNeeds,
  scope: Scope,
  of: {
    readonly before: Subscription
    readonly paymentMethodId: string | null
    /** Whether nobody has asked for it. */
    readonly byItself: boolean
  },
): Promise<{ readonly prepared: PreparedChange; readonly attempted: () => Payment }> {
  const { before, byItself, paymentMethodId } = of
  const { dues } = before
  assert(dues !== null && !dues.isAsked, 'a subscription without dues is tried again')
  const failed = await needs.payments.get(scope, dues.paymentId)
  assert(failed !== null, 'a payment that failed is gone')
  const [method, wallets] = await Promise.all([
    chargeableMethod(needs, scope, paymentMethodId),
    needs.wallets.list({ ...scope, customerId: before.customerId }),
  ])
  const processor = needs.processors[scope.mode].name
  let attempt: Payment = failed
  return {
    attempted: () => attempt,
    prepared: {
      entitlementIds: [],
      decide: (at) => {
        const retried = retriedDues(dues, { paymentId: needs.newId('pay'), byItself })
        const { paymentId } = retried
        const retryAttempt = byItself ? retried.retries : 0
        const whole = repeatedPayment(failed, { method, processor, at, paymentId, retryAttempt })
        const paying = payingFromWallet(needs, whole, { wallets, at })
        attempt = paying.attempt
        const after: Subscription = {
          ...before,
          paymentMethodId,
          dues: retried,
          version: before.version + 1,
          updatedAt: at,
        }
        return { after, commands: new Map(), rows: paying.rows }
      },
    },
  }
}
