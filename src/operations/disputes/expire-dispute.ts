import assert from 'node:assert/strict'
import type { Scope } from '../../parts/store/scope.ts'
import type { Dispute } from '../../rules/commerce/disputes/dispute.ts'
import type { Instant } from '../../std/instant.ts'
import { Due } from '../accounts/change-accounts.ts'
import { untilWritten } from '../accounts/until-written.ts'
import type { PaymentNeeds } from '../payments/payment-needs.ts'
import { tryToMove } from './try-to-move.ts'

/**
 * Lets a dispute expire that nobody has answered, at the end of its window; does nothing where
 * something else has become of it. [refunds#disputes]
 */
export async function expireDispute(
  needs: PaymentNeeds,
  scope: Scope,
  { disputeId, at }: { readonly disputeId: string; readonly at: Instant },
): Promise<void> {
  await untilWritten<Dispute>(needs, 'dispute', async () => {
    const tried = await tryToMove(needs, scope, {
      disputeId,
      status: 'dispute_expired',
      remarks: null,
      at: () => at,
      otherwise: (dispute) => dispute,
    })
    assert(!(tried instanceof Due))
    return tried
  })
}
