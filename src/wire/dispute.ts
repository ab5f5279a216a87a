import type { Customer } from '../rules/commerce/catalog/customer.ts'
import type { Dispute } from '../rules/commerce/disputes/dispute.ts'
import { majorUnits } from '../rules/money/money.ts'
import { formatInstant } from '../std/instant.ts'
import { customerLimitedDetails } from './subscription.ts'

/** [resources#disputes] */
export type DisputeView = ReturnType<typeof disputeView>
/** [resources#disputes] */
export type DisputeListItem = ReturnType<typeof disputeListItem>

/** As a payment lists it. [resources#disputes] */
export const disputeOfPayment = (businessId: string, dispute: Dispute) => ({
  amount: majorUnits(dispute),
  business_id: businessId,
  created_at: formatInstant(dispute.createdAt),
  currency: dispute.currency,
  dispute_id: dispute.disputeId,
  dispute_stage: dispute.stage,
  dispute_status: dispute.status,
  is_resolved_by_rdr: dispute.resolvedRapidly,
  payment_id: dispute.paymentId,
  remarks: dispute.remarks,
})

/** [resources#disputes] */
export function disputeListItem(businessId: string, dispute: Dispute) {
  const { remarks: _, ...item } = disputeOfPayment(businessId, dispute)
  return { ...item, payment_provider: 'dodo' as const }
}

/** [resources#disputes] */
export const disputeView = (businessId: string, dispute: Dispute, customer: Customer) => ({
  ...disputeListItem(businessId, dispute),
  brand_id: dispute.brandId,
  customer: customerLimitedDetails(customer),
  reason: dispute.reason,
  remarks: dispute.remarks,
})
