import type { Instant } from '../../std/instant.ts'
import type { Account, Grant } from './account.ts'
import { rebased } from './account.ts'
import { earliest, expiryAfter } from './commands.ts'
import type { Decided } from './settle.ts'

/** New dates for the open cycle of a subscription. */
export interface CycleMove {
  readonly subscriptionId: string
  /**
   * Where rolled grants without a timeframe end, which is with the cycle. Null: not known while the
   * subscription is paused. Absent: they have a timeframe. [credits#rollover]
   */
  readonly rolledEnd?: { readonly from: Instant | null; readonly to: Instant | null }
  /** The start of the next cycle, to which trial credits may already belong. [credits#cycle-end] */
  readonly next: { readonly from: Instant; readonly to: Instant }
  /**
   * The open trial's end moves. Credits that end with it now end at `to` (null: not known while the
   * subscription is paused), or sooner by their own expiry. [credits#cycle-end]
   */
  readonly trial?: {
    readonly begunAt: Instant
    readonly end: Instant | null
    readonly expiresAfterDays: number | null
  }
}

/**
 * Moves the subscription's grants along with its cycle. The account must be settled first. Rebases.
 */
export function moveCycle(account: Account, move: CycleMove): Decided {
  const grants = account.grants.map((grant) => movedGrant(grant, move))
  return { account: rebased({ ...account, grants }), entries: [] }
}

function movedGrant(grant: Grant, move: CycleMove): Grant {
  const { subscriptionId, rolledEnd, next } = move
  if (grant.sourceId !== subscriptionId) return grant
  if (grant.sourceType === 'subscription') {
    return grant.cycleAt === next.from ? { ...grant, cycleAt: next.to } : inTrial(grant, move)
  }
  const ends = rolledEnd !== undefined && grant.expiresAt === rolledEnd.from
  return grant.sourceType === 'rollover' && ends ? { ...grant, expiresAt: rolledEnd.to } : grant
}

/**
 * Moves the grants of the trial's own cycle; other trial grants belong to the first paid cycle.
 * [credits#cycle-end, subscriptions#trials]
 */
function inTrial(grant: Grant, { trial }: CycleMove): Grant {
  if (trial === undefined || grant.cycleAt !== trial.begunAt) return grant
  const own = expiryAfter(trial.expiresAfterDays, grant.createdAt)
  return { ...grant, expiresAt: earliest(own, trial.end) }
}
