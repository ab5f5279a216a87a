import { Fault } from '../../faults.ts'
import type { RateTier } from '../../rules/commerce/rate-tier.ts'
import { unlimited, withoutKey } from '../../rules/commerce/rate-tier.ts'
import type { Counted } from '../../rules/commerce/rate-windows.ts'
import { retryAfterOf, standingOf } from '../../rules/commerce/rate-windows.ts'

type Scope = 'business' | 'address'

/** Where requests are counted; parts/counters/port.ts says what is promised. */
export interface RateCounters {
  take(subject: Subject, tier: RateTier): Counted | Promise<Counted>
  seen(subject: Subject, tier: RateTier): Counted
}

interface Subject {
  readonly scope: Scope
  readonly name: string
}

/** Whether a request may pass, and what its answer says about the limits. [requests#limits] */
export interface Rated {
  readonly passed: boolean
  readonly scope: Scope
  readonly limit: string
  readonly remaining: string
  readonly reset: string
  readonly retryAfterSeconds: number
}

export interface Rates {
  /** Counts a request with a valid key; not a promise where the counts are at hand. */
  business(businessId: string, tier: RateTier): Rated | Promise<Rated>
  /** Counts a request without a valid key. */
  address(address: string): Rated | Promise<Rated>
  /** For the answer to a request that could not be counted. */
  seen(address: string): Rated
}

/** Null: nobody is counted. */
export function rates(counters: RateCounters | null): Rates {
  if (counters === null) return { business: () => free, address: () => free, seen: () => free }
  const counting = counters
  return {
    business: (name, tier) => (isUnlimited(tier) ? free : taken({ scope: 'business', name }, tier)),
    address: (name) => taken({ scope: 'address', name }, withoutKey),
    seen(name) {
      const subject = { scope: 'address', name } as const
      return rated(counters.seen(subject, withoutKey), subject, withoutKey)
    },
  }

  function taken(subject: Subject, tier: RateTier): Rated | Promise<Rated> {
    const counted = counting.take(subject, tier)
    return counted instanceof Promise
      ? counted.then((later) => rated(later, subject, tier))
      : rated(counted, subject, tier)
  }
}

const isUnlimited = ({ burst, sustained }: RateTier): boolean =>
  burst === unlimited.burst && sustained === unlimited.sustained

/** For an address that is not counted. */
const free: Rated = {
  passed: true,
  scope: 'business',
  limit: String(unlimited.burst),
  remaining: String(unlimited.burst),
  reset: '1',
  retryAfterSeconds: 1,
}

function rated(counted: Counted, { scope }: Subject, tier: RateTier): Rated {
  const { limit, remaining, resetSeconds } = standingOf(counted, tier)
  return {
    passed: counted.passed,
    scope,
    limit: String(limit),
    remaining: String(remaining),
    reset: String(resetSeconds),
    retryAfterSeconds: counted.passed ? 1 : retryAfterOf(counted),
  }
}

export const tooMany = ({ scope, limit, retryAfterSeconds }: Rated): Fault =>
  new Fault(
    'TOO_MANY_REQUESTS',
    `${whose[scope]} may make ${limit} requests in this window: try again in ${retryAfterSeconds} s.`,
    { retryAfterSeconds },
  )

const whose = {
  business: 'All keys of this business together',
  address: 'An address without a valid key',
} as const
