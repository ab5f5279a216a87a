import type { Instant } from '../../../std/instant.ts'
import type { Subscription } from './subscription.ts'

/**
 * A subscription that is on hold for what its pause has charged, and goes on without paying: that
 * bill is void, and what stood on it stands on the next renewal's. Null: it is on hold for
 * something else, or the payment is on its way. [subscriptions#pauses]
 */
export function withoutPausedBill(subscription: Subscription, at: Instant): Subscription | null {
  const { dues, owed, status, unbilled, version } = subscription
  if (status !== 'on_hold' || dues?.pause === undefined || dues.isAsked) return null
  return {
    ...subscription,
    status: 'active',
    dues: null,
    owed: owed + dues.pause.used,
    unbilled: [...dues.pause.lines, ...unbilled],
    version: version + 1,
    updatedAt: at,
  }
}
