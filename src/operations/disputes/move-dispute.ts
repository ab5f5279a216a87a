import { Fault, orNotFound } from '../../faults.ts'
import type { Dispute } from '../../rules/commerce/disputes/dispute.ts'
import { isUnanswered } from '../../rules/commerce/disputes/dispute.ts'
import type { Instant } from '../../std/instant.ts'
import type { DueFirstNeeds } from '../boundaries/due-first.ts'
import { dueFirst } from '../boundaries/due-first.ts'
import type { DisputeMove } from './try-to-move.ts'
import { tryToMove } from './try-to-move.ts'

/**
 * The operator says what becomes of a dispute. One whose window has passed has expired before.
 * @throws Fault 404; 409 where it cannot get there. [refunds#disputes]
 */
export async function moveDispute(needs: DueFirstNeeds, move: DisputeMove): Promise<Dispute> {
  const { disputeId, status } = move
  const { businessId, mode } = orNotFound(
    await needs.disputes.find(disputeId),
    'dispute',
    disputeId,
  )
  const scope = { businessId, mode }
  const at = (dispute: Dispute, now: Instant) => (isUnanswered(dispute, now) ? null : now)
  return dueFirst<Dispute>(needs, 'dispute', () =>
    tryToMove(needs, scope, {
      ...move,
      at,
      otherwise: (dispute) => {
        throw new Fault(
          'CONFLICT',
          `Dispute '${disputeId}' is ${dispute.status}, and cannot become ${status}.`,
          { docs: 'refunds#disputes' },
        )
      },
    }),
  )
}
