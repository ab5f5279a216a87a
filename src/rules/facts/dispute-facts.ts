import type { Customer } from '../commerce/catalog/customer.ts'
import type { Dispute, DisputeStatus } from '../commerce/disputes/dispute.ts'

/** A dispute as it was when the fact happened, and who has paid. [webhooks#kinds] */
export interface DisputeTold {
  readonly customerId: string
  readonly dispute: Dispute
  readonly customer: Customer
}

export type DisputeFactType = (typeof types)[DisputeStatus]

export interface DisputeFact {
  readonly type: DisputeFactType
  readonly data: DisputeTold
}

const types = {
  dispute_opened: 'dispute.opened',
  dispute_expired: 'dispute.expired',
  dispute_accepted: 'dispute.accepted',
  dispute_cancelled: 'dispute.cancelled',
  dispute_challenged: 'dispute.challenged',
  dispute_won: 'dispute.won',
  dispute_lost: 'dispute.lost',
} as const satisfies Record<DisputeStatus, string>

/** What the state of a dispute tells. */
export const disputeFact = (dispute: Dispute, customer: Customer): DisputeFact => ({
  type: types[dispute.status],
  data: { customerId: customer.customerId, dispute, customer },
})
