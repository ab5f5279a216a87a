import type { Instant } from '../../std/instant.ts'
import type { Account, Grant } from './account.ts'
import { rebased } from './account.ts'
import { earliest, expiryAfter } from './commands.ts'
import type { Decided } from './settle.ts'

/** The open cycle of a subscription changes its dates. */
export interface CycleMove {
  readonly subscriptionId: string
  /**
   * The end of rolled grants without a timeframe, which end with the cycle; null: not known, while
   * the subscription is paused. Left out: they have a timeframe. [credits#rollover]
   */
  readonly rolledEnd?: { readonly from: Instant | null; readonly to: Instant | null }
  /**
   * The start of the cycle to come, which trial credits may belong to already. [credits#cycle-end]
   */
  readonly next: { readonly from: Instant; readonly to: Instant }
  /**
   * The trial that is open moves its end: credits that end with it do so where it ends now (null:
   * not known, while it is paused), or sooner by their own days. [credits#cycle-end]
   */
  readonly trial?: {
    readonly begunAt: Instant
    readonly end: Instant | null
    readonly expiresAfterDays: number | null
  }
}

/** Grants of the subscription keep their places around the cycle. Settle first. Rebases. */
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
 * Those of the trial's own cycle; others belong to the first paid one. [credits#cycle-end,
 * subscriptions#trials]
 */
function inTrial(grant: Grant, { trial }: CycleMove): Grant {
  if (trial === undefined || grant.cycleAt !== trial.begunAt) return grant
  const own = expiryAfter(trial.expiresAfterDays, grant.createdAt)
  return { ...grant, expiresAt: earliest(own, trial.end) }
}
