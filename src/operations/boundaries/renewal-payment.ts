import { newAttempt } from '../../rules/commerce/payments/attempt.ts'
import type {
  Payment,
  ProcessorName,
  PurchasedProduct,
} from '../../rules/commerce/payments/payment.ts'
import { totalOf } from '../../rules/commerce/subscriptions/bill.ts'
import type { RenewalAttempt } from '../../rules/commerce/subscriptions/end-of-cycle.ts'
import type {
  SubscribedPlan,
  Subscription,
} from '../../rules/commerce/subscriptions/subscription.ts'
import type { Instant } from '../../std/instant.ts'
import type { Chargeable } from '../payment-methods/chargeable-method.ts'

export interface PaidBy {
  readonly method: Chargeable
  readonly processor: ProcessorName
  readonly at: Instant
}

/** The first attempt to be paid a renewal, or what was used until the end, or until a pause. */
export const renewalPayment = (
  { after, metadata }: { readonly after: Subscription } & Pick<Payment, 'metadata'>,
  { discounts, paymentId, lines, purpose }: RenewalAttempt,
  { method, processor, at }: PaidBy,
): Payment =>
  newAttempt(
    {
      ...method,
      paymentId,
      processor,
      brandId: after.brandId,
      customerId: after.customerId,
      subscriptionId: after.subscriptionId,
      purpose,
      currency: after.currency,
      totalAmount: totalOf(lines),
      tax: lines.reduce((all, { tax }) => all + tax, 0),
      lines,
      discounts,
      // No cycle follows a settlement, or a pause, so it buys nothing.
      products: purpose === 'renewal' && after.status !== 'paused' ? [planBought(after)] : [],
      billing: after.billing,
      taxId: after.taxId,
      customerBusinessName: after.customerBusinessName,
      metadata,
    },
    at,
  )

/** A subscription's plan, as its payments name it. */
export const planBought = ({
  addons,
  productId,
  quantity,
}: Pick<SubscribedPlan, 'addons' | 'productId' | 'quantity'>): PurchasedProduct => ({
  productId,
  quantity,
  amount: null,
  trialPeriodDays: null,
  addons: addons.map((addon) => ({ addonId: addon.addonId, quantity: addon.quantity })),
  credits: {},
})

/** Another attempt to be paid what an earlier one was not, with the same lines. */
export const repeatedPayment = (
  failed: Payment,
  {
    method,
    processor,
    at,
    paymentId,
    retryAttempt,
  }: PaidBy & Pick<Payment, 'paymentId' | 'retryAttempt'>,
): Payment =>
  newAttempt(
    {
      ...failed,
      ...method,
      paymentId,
      processor,
      retryAttempt,
      errorCode: null,
      errorMessage: null,
    },
    at,
  )
