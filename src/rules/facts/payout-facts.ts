import type { Payout, PayoutStatus } from '../commerce/payouts/payout.ts'

/** A payout as it was when the fact happened. No customer has a part in it. [webhooks#kinds] */
export interface PayoutTold {
  readonly payout: Payout
}

export type PayoutFactType = (typeof types)[PayoutStatus]

export interface PayoutFact {
  readonly type: PayoutFactType
  readonly data: PayoutTold
}

const types = {
  not_initiated: 'payout.created',
  on_hold: 'payout.on_hold',
  in_progress: 'payout.in_progress',
  failed: 'payout.failed',
  success: 'payout.success',
} as const satisfies Record<PayoutStatus, string>

/** What the state of a payout tells. */
export const payoutFact = (payout: Payout): PayoutFact => ({
  type: types[payout.status],
  data: { payout },
})
