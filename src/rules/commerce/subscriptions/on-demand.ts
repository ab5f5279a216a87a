import type { Currency } from '../currency.ts'
import { isHeld } from './renewal.ts'
import type { Subscription } from './subscription.ts'
import type { SubscriptionRejection } from './subscription-rejection.ts'

/**
 * How a subscription on demand begins: its way to pay is kept, and charged when its business says
 * so. [subscriptions#on-demand]
 */
export interface OnDemandStart {
  /** Whether nothing is charged at the start, whatever `price` says. */
  readonly mandateOnly: boolean
  /**
   * What the start charges, of all units, in the currency's smallest unit, before tax that comes on
   * top; null: what the product costs.
   */
  readonly price: number | null
  /** What it is charged in; null: the currency of the product's base price. */
  readonly currency: Currency | null
  /** In place of the product's own; null: that. */
  readonly description: string | null
}

/** What a business charges a subscription on demand. */
export interface DemandedCharge {
  /** In the smallest unit, before tax that comes on top; at least 1. */
  readonly price: number
  /** Null: the subscription's. */
  readonly currency: Currency | null
  /** On the line of the payment; null: the product's own. */
  readonly description: string | null
}

/**
 * Refuses a charge while the one before is on its way; of a subscription that is not on demand, not
 * active, or about to be cancelled; and one in another currency. [subscriptions#on-demand]
 */
export function chargeRejection(
  subscription: Subscription,
  { currency }: Pick<DemandedCharge, 'currency'>,
): SubscriptionRejection | null {
  const { cancellation, charging, currency: own, onDemand, status } = subscription
  if (charging !== null) {
    const problem = 'The charge before is on its way; wait for what becomes of it.'
    return { code: 'PREVIOUS_PAYMENT_PENDING', problem }
  }
  if (!onDemand) {
    const problem = 'This subscription is not on demand: it is charged at each renewal.'
    return { code: 'SUBSCRIPTION_NOT_ON_DEMAND', problem }
  }
  if (status === 'expired') {
    return { code: 'SUBSCRIPTION_EXPIRED', problem: 'This subscription has expired.' }
  }
  if (status !== 'active' || isHeld(subscription)) {
    const problem = `An active subscription can be charged; this one is ${status}.`
    return { code: 'SUBSCRIPTION_INACTIVE', problem }
  }
  if (cancellation.scheduled) {
    const problem =
      'This subscription is to be cancelled at its next billing date: take that back first.'
    return { code: 'CHARGE_NOT_ALLOWED_FOR_SCHEDULED_CANCELLATION', problem }
  }
  if (currency === null || currency === own) return null
  const problem = `product_currency must be ${own}, in which this subscription is billed.`
  return { code: 'UNSUPPORTED_CURRENCY', problem }
}
