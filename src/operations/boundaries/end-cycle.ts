import assert from 'node:assert/strict'
import type { Scope } from '../../parts/store/scope.ts'
import { endOf } from '../../rules/commerce/billing-dates.ts'
import { countryOf } from '../../rules/commerce/country.ts'
import type { Payment } from '../../rules/commerce/payments/payment.ts'
import { pricedRenewal } from '../../rules/commerce/payments/priced-renewal.ts'
import { areEnough } from '../../rules/commerce/payments/wallet-part.ts'
import { endingEntitlements, endOfCycle } from '../../rules/commerce/subscriptions/end-of-cycle.ts'
import type { Subscription } from '../../rules/commerce/subscriptions/subscription.ts'
import type { Instant } from '../../std/instant.ts'
import { Due } from '../accounts/change-accounts.ts'
import { untilWritten } from '../accounts/until-written.ts'
import { chargeableMethod } from '../payment-methods/chargeable-method.ts'
import { carryOutAt } from '../payments/carry-out-at.ts'
import type { PaymentNeeds } from '../payments/payment-needs.ts'
import { tryChangeSubscription } from '../subscriptions/change-subscription.ts'
import { payingFromWallet } from './paying-from-wallet.ts'
import { renewalPayment } from './renewal-payment.ts'
import { usageToBill } from './usage-bill.ts'

/**
 * Ends the open cycle of a subscription and begins the next one, or lets the subscription end, with
 * its cycle or in the middle of it. Closing, opening and the attempt to be paid are one transaction
 * for all of its entitlements; then the processor is asked, and what it says brings the credits.
 * Does nothing when it has been done already. [machines#boundaries, credits#cycle-end,
 * subscriptions#renewals]
 */
export async function endSubscriptionCycle(
  needs: PaymentNeeds,
  scope: Scope,
  subscriptionId: string,
  at: Instant,
): Promise<void> {
  const attempt = await untilWritten<Payment | null>(needs, 'cycle_end', async () => {
    const before = await needs.subscriptions.find(scope, subscriptionId)
    if (before === null || !hasCycles(before) || endOf(before) !== at) return null
    const { prepared, attempted } = await prepare(needs, scope, before)
    const tried = await tryChangeSubscription(needs, scope, {
      operation: 'cycle_end',
      before,
      prepared,
      at: () => at,
    })
    assert(!(tried instanceof Due))
    return tried === undefined ? attempted() : tried
  })
  if (attempt !== null) await carryOutAt(needs, scope, { attempt, at })
}

/** Cycles go on while a renewal is to be paid. [subscriptions#renewals] */
const hasCycles = ({ status }: Subscription): boolean => status === 'active' || status === 'on_hold'

async function prepare(needs: PaymentNeeds, scope: Scope, before: Subscription) {
  const at = endOf(before)
  const { scheduled } = before
  const productId = scheduled?.plan.productId ?? before.productId
  const country = countryOf(before.billing.country)
  const [method, usage, product, taxes, wallets] = await Promise.all([
    chargeableMethod(needs, scope, before.paymentMethodId),
    usageToBill(needs, scope, before),
    needs.products.get(scope, productId),
    country === null ? [] : needs.charges.taxes(scope.businessId, country),
    needs.wallets.list({ ...scope, customerId: before.customerId }),
  ])
  const processor = needs.processors[scope.mode].name
  let attempt: Payment | null = null
  return {
    attempted: () => attempt,
    prepared: {
      entitlementIds: endingEntitlements(before),
      decide: (_: Instant, views: Parameters<typeof endOfCycle>[1]['views']) => {
        const made = endOfCycle(before, {
          log: needs.clock.now(),
          newId: needs.newId,
          views,
          priced: (renewing, accrued) => pricedRenewal(renewing, { accrued, product, taxes }),
          usage: usage(at),
          canPay: (due) => method.token !== null || areEnough(wallets, due),
        })
        if (made.attempt === null) {
          attempt = null
          return { ...made, rows: [] }
        }
        const paid = { after: made.after, metadata: scheduled?.metadata ?? before.metadata }
        const whole = renewalPayment(paid, made.attempt, { method, processor, at })
        const paying = payingFromWallet(needs, whole, { wallets, at })
        attempt = paying.attempt
        return { ...made, rows: paying.rows }
      },
    },
  }
}
