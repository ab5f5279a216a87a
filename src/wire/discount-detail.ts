import type { KeptDiscount } from '../rules/commerce/discounts/discount.ts'
import { formatInstant } from '../std/instant.ts'

/** [resources#redemption] */
export type DiscountDetailView = ReturnType<typeof discountDetail>

/** A discount as it was redeemed, at its place in the stack. [resources#redemption] */
export const discountDetail = (
  businessId: string,
  { cyclesRemaining, discount }: KeptDiscount,
  position: number,
) => ({
  amount: discount.amount,
  business_id: businessId,
  code: discount.code,
  created_at: formatInstant(discount.createdAt),
  cycles_remaining: cyclesRemaining,
  discount_id: discount.discountId,
  expires_at: discount.expiresAt === null ? null : formatInstant(discount.expiresAt),
  metadata: discount.metadata,
  name: discount.name,
  position,
  preserve_on_plan_change: discount.preserveOnPlanChange,
  restricted_to: discount.restrictedTo,
  subscription_cycles: discount.subscriptionCycles,
  times_used: discount.timesUsed,
  type: discount.type,
  usage_limit: discount.usageLimit,
})
