import type { RowChange } from '../../parts/store/changes.ts'
import type { Payment } from '../../rules/commerce/payments/payment.ts'

/**
 * The uses of codes that a new attempt holds until it is known what becomes of it, so that a buyer
 * who comes too late for the last one is refused before anybody is charged. [resources#redemption]
 */
export function heldUses(payment: Payment): readonly RowChange[] {
  if (!payment.holdsUses) return []
  return payment.discounts.map(({ discount }) => ({
    noun: 'discount_use',
    expected: null,
    held: true,
    row: useOf(payment, discount.discountId),
    discountAsOf: discount.updatedAt,
  }))
}

/** What becomes of them once a payment is settled. */
export function settledUses(after: Payment): readonly RowChange[] {
  const becomes = after.status === 'succeeded' ? 'counted' : 'released'
  return after.discounts.map(({ discount }) => ({
    noun: 'discount_use',
    expected: 'held',
    row: useOf(after, discount.discountId),
    becomes,
  }))
}

const useOf = ({ createdAt, customerId, paymentId }: Payment, discountId: string) => ({
  discountId,
  usedFor: paymentId,
  customerId,
  usedAt: createdAt,
})
