import type { RateCounters } from '../../edge/http/rates.ts'
import type { Reply, Request, Route } from '../../edge/http/route.ts'
import { ok, route } from '../../edge/http/route.ts'
import { orNotFound } from '../../faults.ts'
import type { Businesses } from '../../parts/store/businesses.ts'
import { lowestTier, parseRateTier, unlimited } from '../../rules/commerce/rate-tier.ts'
import { standingOf } from '../../rules/commerce/rate-windows.ts'
import { limitsView } from '../../wire/console-limits.ts'

export interface ConsoleLimitNeeds {
  readonly businesses: Pick<Businesses, 'find'>
  readonly counters: Pick<RateCounters, 'seen'>
}

/** Developer → Rate limits: the tier, and how much of it is used just now. [requests#limits] */
export function consoleLimitRoutes({ businesses, counters }: ConsoleLimitNeeds): readonly Route[] {
  return [route('GET', '/limits', 'read', show)]

  async function show({ caller }: Request): Promise<Reply> {
    const { businessId } = caller
    const { rateTier } = orNotFound(await businesses.find(businessId), 'business', businessId)
    const tier = parseRateTier(rateTier) ?? lowestTier
    const counted = counters.seen({ scope: 'business', name: businessId }, tier)
    const isUnlimited = tier.burst === unlimited.burst
    return ok(limitsView({ name: rateTier, tier, isUnlimited, ...standingOf(counted, tier) }))
  }
}
