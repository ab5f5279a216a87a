import type { Scope } from '../../parts/store/scope.ts'
import type { AccountView } from '../../rules/accounts/view.ts'
import { countryOf } from '../../rules/commerce/country.ts'
import type { Payment } from '../../rules/commerce/payments/payment.ts'
import { pricedRenewal } from '../../rules/commerce/payments/priced-renewal.ts'
import { areEnough } from '../../rules/commerce/payments/wallet-part.ts'
import { settled } from '../../rules/commerce/subscriptions/end-of-cycle.ts'
import { settledPause } from '../../rules/commerce/subscriptions/pause-settlement.ts'
import type { Subscription } from '../../rules/commerce/subscriptions/subscription.ts'
import { isOver } from '../../rules/commerce/subscriptions/subscription.ts'
import type { SubscriptionChange } from '../../rules/commerce/subscriptions/subscription-change.ts'
import type { SubscriptionPatch } from '../../rules/commerce/subscriptions/update.ts'
import type { Instant } from '../../std/instant.ts'
import { payingFromWallet } from '../boundaries/paying-from-wallet.ts'
import { renewalPayment } from '../boundaries/renewal-payment.ts'
import { usageToBill } from '../boundaries/usage-bill.ts'
import { chargeableMethod } from '../payment-methods/chargeable-method.ts'
import type { PaymentNeeds } from '../payments/payment-needs.ts'
import type { DecidedSubscription } from './change-subscription.ts'

export interface LastCharge {
  /** The change, with what it charges where the subscription ends or pauses with it. */
  readonly settle: (
    changed: SubscriptionChange,
    when: { readonly at: Instant; readonly views: readonly AccountView[] },
  ) => DecidedSubscription
  /** The attempt that was written with it; null: nothing is charged. */
  readonly attempted: () => Payment | null
}

/** Loads what a cancellation at once, or a pause, charges. [subscriptions#settling] */
export async function lastChargeOf(
  needs: PaymentNeeds,
  scope: Scope,
  { before, patch }: { readonly before: Subscription; readonly patch: SubscriptionPatch },
): Promise<LastCharge> {
  const pauses = patch.status === 'paused' && before.status === 'active'
  if (!pauses && (patch.status !== 'cancelled' || isOver(before))) {
    return { settle: (changed) => changed, attempted: () => null }
  }
  const country = countryOf(before.billing.country)
  const [method, usage, product, taxes, wallets] = await Promise.all([
    chargeableMethod(needs, scope, before.paymentMethodId),
    usageToBill(needs, scope, before),
    needs.products.get(scope, before.productId),
    country === null ? [] : needs.charges.taxes(scope.businessId, country),
    needs.wallets.list({ ...scope, customerId: before.customerId }),
  ])
  const processor = needs.processors[scope.mode].name
  let attempt: Payment | null = null
  return {
    attempted: () => attempt,
    settle: (changed, { at, views }) => {
      const settle = pauses ? settledPause : settled
      const last = settle(before, changed.after, {
        canPay: (due) => method.token !== null || areEnough(wallets, due),
        newId: needs.newId,
        priced: (over, accrued) => pricedRenewal(over, { accrued, product, taxes }),
        usage: usage(at),
        views,
      })
      if (last.attempt === null) {
        attempt = null
        return { ...changed, after: last.after }
      }
      const paid = { after: last.after, metadata: before.metadata }
      const whole = renewalPayment(paid, last.attempt, { method, processor, at })
      const paying = payingFromWallet(needs, whole, { wallets, at })
      attempt = paying.attempt
      return { ...changed, after: last.after, rows: paying.rows }
    },
  }
}
