import type { Instant } from '../../std/instant.ts'
import type { Account, Grant } from './account.ts'
import { rebased } from './account.ts'
import { earliest } from './commands.ts'
import { resetCycle } from './cycle-end.ts'
import type { OverageClosing } from './overage-reset.ts'
import type { Decided } from './settle.ts'

/** A subscription is over in the middle of its open cycle. */
export interface CutShort {
  readonly subscriptionId: string
  readonly at: Instant
  /** Start of the next cycle, to which trial credits may already belong. [credits#cycle-end] */
  readonly next: Instant
  /** When the open cycle and the next one would have ended. */
  readonly ends: { readonly open: Instant; readonly next: Instant }
  /** Null: another subscription governs the account's overage. [meters#who-takes-the-usage] */
  readonly overage: OverageClosing | null
}

/**
 * Ends a subscription in the middle of its cycle. What the cycle granted lasts until the cycle's
 * planned end, or its own expiry, if sooner; overage is closed at once. The cycle's usage must be
 * settled first. Rebases. [credits#endings, credits#overage]
 */
export function cutShort(account: Account, cut: CutShort): Decided {
  const grants = account.grants.map((grant) => ({ ...grant, expiresAt: lastOf(grant, cut) }))
  const bounded = { ...account, grants }
  return cut.overage === null
    ? { account: rebased(bounded), entries: [] }
    : resetCycle(bounded, cut.overage, cut.at)
}

function lastOf(grant: Grant, { subscriptionId, next, ends }: CutShort): Instant | null {
  const { sourceType, sourceId, cycleAt, expiresAt } = grant
  if (sourceType !== 'subscription' || sourceId !== subscriptionId) return expiresAt
  return earliest(expiresAt, cycleAt === next ? ends.next : ends.open)
}
