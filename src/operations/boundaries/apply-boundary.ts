import type { Boundary } from '../../parts/store/boundaries.ts'
import { endOwn } from '../../rules/accounts/own-ends.ts'
import { changeAccounts } from '../accounts/change-accounts.ts'
import { expireDispute } from '../disputes/expire-dispute.ts'
import { hearNews } from '../payments/hear-news.ts'
import type { PaymentNeeds } from '../payments/payment-needs.ts'
import { endSubscriptionCycle } from './end-cycle.ts'
import { retryRenewal } from './retry-renewal.ts'

export type BoundaryNeeds = PaymentNeeds

/**
 * Applies one due boundary; does nothing when it has been applied already. [machines#boundaries]
 */
export async function applyBoundary(needs: BoundaryNeeds, boundary: Boundary): Promise<void> {
  switch (boundary.kind) {
    case 'cycle_end':
    case 'subscription_end':
      await endSubscriptionCycle(needs, boundary.scope, boundary.subscriptionId, boundary.at)
      return
    case 'renewal_retry':
      await retryRenewal(needs, boundary.scope, boundary)
      return
    case 'processor_news':
      await hearNews(needs, boundary.scope, boundary)
      return
    case 'dispute_window':
      await expireDispute(needs, boundary.scope, boundary)
      return
    case 'expiry':
    case 'own_cycle_end':
      await changeOne(needs, boundary)
  }
}

type AccountBoundary = Extract<Boundary, { readonly key: unknown }>

function changeOne(needs: PaymentNeeds, boundary: AccountBoundary): Promise<null> {
  const { key, at, kind } = boundary
  const month = kind === 'own_cycle_end'
  return changeAccounts<null>(needs, {
    operation: kind,
    customer: key,
    entitlementIds: [key.entitlementId],
    at: () => at,
    decide: (views) => ({
      commands: views.map((view) => endOwn(boundary, view, needs.newId)),
      // The new month begins at the boundary, whatever else happens to the account.
      finish: (changes) =>
        month ? changes.map((change) => ({ ...change, ownCycleAt: at, announce: true })) : changes,
      answer: () => null,
    }),
  })
}
