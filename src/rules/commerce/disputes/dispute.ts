import type { Duration, Instant } from '../../../std/instant.ts'
import { after, day, laterOf } from '../../../std/instant.ts'
import type { Currency } from '../currency.ts'

/** [resources#names-of-choices] */
export const disputeStatuses = [
  'dispute_opened',
  'dispute_expired',
  'dispute_accepted',
  'dispute_cancelled',
  'dispute_challenged',
  'dispute_won',
  'dispute_lost',
] as const
export type DisputeStatus = (typeof disputeStatuses)[number]

/** [resources#names-of-choices] */
export const disputeStages = ['pre_dispute', 'dispute', 'pre_arbitration'] as const
export type DisputeStage = (typeof disputeStages)[number]

/** A payment that its payer's bank wants back. [resources#disputes] */
export interface Dispute {
  readonly disputeId: string
  readonly paymentId: string
  readonly brandId: string
  readonly customerId: string
  readonly status: DisputeStatus
  readonly stage: DisputeStage
  readonly currency: Currency
  /** In the currency's smallest unit; above 0, and at most what was paid. */
  readonly amount: number
  /** Given back at once, because it was small. [refunds#rapid-resolution] */
  readonly resolvedRapidly: boolean
  /** Why, as the bank says. */
  readonly reason: string | null
  /** What the business says, such as its evidence. */
  readonly remarks: string | null
  /** Unless the business has answered by then, it expires. */
  readonly answerBy: Instant
  /** Rises with every change. A change is written only over the version on which it was decided. */
  readonly version: number
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** How long the business has to answer. [refunds#disputes] */
export const answerWindow: Duration = 10 * day

/** What can become of a dispute; nothing more becomes of the other states. [refunds#disputes] */
const moves: Readonly<Record<DisputeStatus, readonly DisputeStatus[]>> = {
  dispute_opened: [
    'dispute_challenged',
    'dispute_accepted',
    'dispute_expired',
    'dispute_cancelled',
  ],
  dispute_challenged: ['dispute_won', 'dispute_lost', 'dispute_cancelled'],
  dispute_expired: [],
  dispute_accepted: [],
  dispute_cancelled: [],
  dispute_won: [],
  dispute_lost: [],
}

/** The dispute in another state; null: it cannot get there from where it is. */
export function movedDispute(
  dispute: Dispute,
  to: { readonly status: DisputeStatus; readonly remarks: string | null; readonly at: Instant },
): Dispute | null {
  if (!moves[dispute.status].includes(to.status)) return null
  return {
    ...dispute,
    status: to.status,
    remarks: to.remarks ?? dispute.remarks,
    version: dispute.version + 1,
    updatedAt: laterOf(to.at, dispute.updatedAt),
  }
}

/** Whether its money comes back to the business with this state. [refunds#disputes] */
export const givesBack = (status: DisputeStatus): boolean =>
  status === 'dispute_won' || status === 'dispute_cancelled'

/** What disputes hold of their payment: those that stand, and those that were lost. */
export const disputedOf = (disputes: readonly Pick<Dispute, 'status' | 'amount'>[]): number =>
  disputes.reduce((sum, { amount, status }) => (givesBack(status) ? sum : sum + amount), 0)

/** Whether its window has passed without an answer. */
export const isUnanswered = ({ status, answerBy }: Dispute, at: Instant): boolean =>
  status === 'dispute_opened' && answerBy <= at

/** Disputes by the order in which they were opened, the last one first. */
export const byLatest = (a: Dispute, b: Dispute): number =>
  b.createdAt - a.createdAt || (a.disputeId < b.disputeId ? 1 : -1)

/** When a dispute opens that comes after others of its payment: no two at the same moment. */
export const opensAt = (others: readonly Dispute[], at: Instant): Instant =>
  others.reduce((time, { createdAt }) => laterOf(time, after(createdAt, 1)), at)
