import { Fault } from '../../faults.ts'
import type { RateTier } from '../../rules/commerce/rate-tier.ts'
import { ofPages, unlimited, withoutKey } from '../../rules/commerce/rate-tier.ts'
import type { Counted } from '../../rules/commerce/rate-windows.ts'
import { retryAfterOf, standingOf } from '../../rules/commerce/rate-windows.ts'

type Scope = 'business' | 'address' | 'page'

/** Where requests are counted; parts/counters/port.ts says what is promised. */
export interface RateCounters {
  take(subject: Subject, tier: RateTier): Counted | Promise<Counted>
  giveBack(subject: Subject, tier: RateTier): void
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

/** Windows that a route has besides the general ones. [requests#limits] */
export interface OwnWindows {
  readonly name: string
  readonly tier: RateTier
}

export interface Rates {
  /**
   * Counts a request with a valid key, where it names windows of its own in those, too: in all of
   * them, or in none. Not a promise where the counts are at hand.
   */
  business(businessId: string, tier: RateTier, own?: OwnWindows | null): Rated | Promise<Rated>
  /** Counts a request without a valid key, likewise. */
  address(address: string, own?: OwnWindows | null): Rated | Promise<Rated>
  /** Counts a request for a page, or for what a page loads. */
  page(address: string): Rated | Promise<Rated>
  /** For the answer to a request that could not be counted. */
  seen(address: string): Rated
}

/** Null: nobody is counted. */
export function rates(counters: RateCounters | null): Rates {
  if (counters === null) {
    return { business: () => free, address: () => free, page: () => free, seen: () => free }
  }
  const counting = counters
  return {
    business: (name, tier, own = null) => counted({ scope: 'business', name }, tier, own),
    address: (name, own = null) => counted({ scope: 'address', name }, withoutKey, own),
    page: (name) => taken({ scope: 'page', name }, ofPages),
    seen(name) {
      const subject = { scope: 'address', name } as const
      return rated(counters.seen(subject, withoutKey), subject, withoutKey)
    },
  }

  function counted(
    subject: Subject,
    tier: RateTier,
    own: OwnWindows | null,
  ): Rated | Promise<Rated> {
    if (own === null) return taken(subject, tier)
    const narrow = { ...subject, name: `${subject.name}/${own.name}` }
    const first = taken(narrow, own.tier)
    return first instanceof Promise ? first.then(second) : second(first)

    function second(inOwn: Rated): Rated | Promise<Rated> {
      if (!inOwn.passed) return inOwn
      const general = taken(subject, tier)
      return general instanceof Promise ? general.then(both) : both(general)

      function both(inGeneral: Rated): Rated {
        if (!inGeneral.passed) counting.giveBack(narrow, own?.tier ?? tier)
        return inGeneral.passed && Number(inOwn.remaining) <= Number(inGeneral.remaining)
          ? inOwn
          : inGeneral
      }
    }
  }

  function taken(subject: Subject, tier: RateTier): Rated | Promise<Rated> {
    if (isUnlimited(tier)) return free
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
  page: 'An address that reads pages',
} as const
