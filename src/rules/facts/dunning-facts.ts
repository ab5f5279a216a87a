import type { Instant } from '../../std/instant.ts'
import type { Subscription } from '../commerce/subscriptions/subscription.ts'

/** What is being done to be paid by a customer who was lost, or nearly. [webhooks#dunning] */
export interface DunningTold {
  readonly customerId: string
  readonly subscriptionId: string
  readonly brandId: string
  readonly status: 'recovering' | 'recovered'
  readonly trigger: 'on_hold' | 'cancelled'
  /** The attempt that failed, or that has paid; null: none has anything to do with it. */
  readonly paymentId: string | null
  readonly createdAt: Instant
}

export type DunningFactType = 'dunning.started' | 'dunning.recovered'

export interface DunningFact {
  readonly type: DunningFactType
  readonly data: DunningTold
}

/**
 * What a change of a subscription tells of dunning; null: nothing. It begins with a renewal that
 * fails, or a cancellation that asks for it, and has worked once the dues are paid.
 * [webhooks#dunning]
 */
export function dunningFact(
  before: Subscription | null,
  after: Subscription,
  at: Instant,
): DunningFact | null {
  if (before === null) return null
  const { brandId, customerId, dues, status, subscriptionId } = after
  const of = { brandId, customerId, subscriptionId, createdAt: at }
  if (status === 'on_hold' && before.status !== 'on_hold' && dues !== null) {
    const data = {
      ...of,
      status: 'recovering',
      trigger: 'on_hold',
      paymentId: dues.paymentId,
    } as const
    return { type: 'dunning.started', data }
  }
  if (status === 'active' && before.status === 'on_hold' && before.dues?.isAsked === true) {
    const { paymentId } = before.dues
    const data = { ...of, status: 'recovered', trigger: 'on_hold', paymentId } as const
    return { type: 'dunning.recovered', data }
  }
  const { reason } = after.cancellation
  const isLost = status === 'cancelled' && before.status !== 'cancelled'
  if (!isLost || reason !== 'cancelled_by_merchant_send_dunning') return null
  const data = { ...of, status: 'recovering', trigger: 'cancelled', paymentId: null } as const
  return { type: 'dunning.started', data }
}
