import type { DunningTold } from '../rules/facts/dunning-facts.ts'
import { formatInstant } from '../std/instant.ts'

/** [webhooks#dunning] */
export type DunningView = ReturnType<typeof dunningView>

/** [webhooks#dunning] */
export const dunningView = (told: DunningTold) => ({
  brand_id: told.brandId,
  created_at: formatInstant(told.createdAt),
  customer_id: told.customerId,
  payment_id: told.paymentId,
  status: told.status,
  subscription_id: told.subscriptionId,
  trigger_state: told.trigger,
})
