import type { Subscription } from '../../../src/rules/commerce/subscriptions/subscription.ts'
import { notCancelled } from '../../../src/rules/commerce/subscriptions/subscription.ts'
import type { Instant } from '../../../src/std/instant.ts'
import { after, day } from '../../../src/std/instant.ts'
import { linked } from './scratch-store.ts'

/** An active subscription as the store keeps it, begun at `at`, with links to one entitlement. */
export function subscriptionOf(
  subscriptionId: string,
  customerId: string,
  { of, at }: { readonly of: string; readonly at: Instant },
): Subscription {
  return {
    subscriptionId,
    customerId,
    productId: 'pdt_1',
    brandId: 'brn_1',
    status: 'active',
    quantity: 1,
    currency: 'USD',
    recurringPreTaxAmount: 0,
    addons: [],
    discounts: [],
    taxInclusive: false,
    frequency: { count: 1, interval: 'Month' },
    period: { count: 1, interval: 'Year' },
    paymentId: null,
    owed: 0,
    paymentMethodId: null,
    dues: null,
    onDemand: false,
    charging: null,
    unbilled: [],
    billedUsage: null,
    billing: { city: null, country: 'DE', state: null, street: null, zipcode: null },
    metadata: { plan: 'pro', seats: 3, trial: false },
    stretches: linked(of, 1_000n),
    cart: [],
    leaving: [],
    scheduled: null,
    changing: null,
    cancellation: notCancelled,
    taxId: null,
    customerBusinessName: null,
    customerName: null,
    pauses: [],
    pausedAt: null,
    version: 1,
    customFields: [{ key: 'size', value: 'M' }],
    trialPeriodDays: 0,
    trialAmount: null,
    activatedAt: at,
    ended: null,
    previousBillingDate: at,
    nextBillingDate: after(at, 31 * day),
    expiresAt: after(at, 365 * day),
    cancelledAt: null,
    createdAt: at,
    updatedAt: at,
  }
}
