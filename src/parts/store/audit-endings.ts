import type { Instant } from '../../std/instant.ts'

/** What an audit reads of cycles and subscriptions that have ended, or should have. */
export interface AuditEndings {
  /**
   * Grants that still live although the cycle that issued them is over. [credits#cycle-end,
   * credits#endings]
   */
  lastingGrants(businessId: string | null): AsyncIterable<LastingGrant>

  /** Cycles of a subscription that issued their credits more than once. [credits#cycle-end] */
  twinGrants(businessId: string | null): AsyncIterable<TwinGrants>

  /** Overage that was not closed when its terms ended. [credits#overage] */
  openOverages(businessId: string | null): AsyncIterable<OpenOverage>

  /** Active subscriptions whose period is over. [subscriptions#endings] */
  pastEnds(businessId: string | null): AsyncIterable<PastEnd>

  /** Ends that have been due for longer than a sweep takes, and were not applied. */
  overdue(businessId: string | null): AsyncIterable<Overdue>
}

/** The end of a subscription's cycle, of an account's own month, or of a grant. */
export interface Overdue {
  readonly noun: 'cycle' | 'month' | 'grant'
  readonly id: string
  readonly businessId: string
  readonly at: Instant
}

interface Ending {
  readonly businessId: string
  readonly customerId: string
  readonly subscriptionId: string
}

export interface LastingGrant extends Ending {
  readonly accountId: string
  readonly grantId: string
  /** Decimal text. */
  readonly remaining: string
  /** Start of the cycle. */
  readonly cycleAt: Instant
  /** Whether the subscription is over and nothing says when the grant ends. */
  readonly endless: boolean
}

export interface TwinGrants extends Ending {
  readonly accountId: string
  readonly grantIds: readonly string[]
  /** Start of the cycle. */
  readonly cycleAt: Instant
}

export interface OpenOverage extends Omit<Ending, 'subscriptionId'> {
  readonly accountId: string
  /** Decimal text. */
  readonly overage: string
  /** The terms that should have closed the overage, and when; null: no terms hold for it. */
  readonly left: {
    readonly subscriptionId: string
    readonly behavior: string
    readonly at: Instant
  } | null
}

export interface PastEnd extends Ending {
  readonly expiresAt: Instant
}
