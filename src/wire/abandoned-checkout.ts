import type { AbandonedTold } from '../rules/facts/abandoned-facts.ts'
import { formatInstant } from '../std/instant.ts'

/** [webhooks#abandoned-checkouts] */
export type AbandonedCheckoutView = ReturnType<typeof abandonedCheckoutView>

/** [webhooks#abandoned-checkouts] */
export const abandonedCheckoutView = (told: AbandonedTold) => ({
  abandoned_at: formatInstant(told.abandonedAt),
  abandonment_reason: told.reason,
  brand_id: told.brandId,
  customer_id: told.customerId,
  payment_id: told.paymentId,
  recovered_payment_id: told.recoveredPaymentId,
  status: told.status,
})
