import type { RateTier } from '../rules/commerce/rate-tier.ts'

/** What a business may ask in a second and in a minute, and what of that is left here. */
export const limitsView = (of: {
  readonly name: string
  readonly tier: RateTier
  readonly isUnlimited: boolean
  readonly limit: number
  readonly remaining: number
}) => ({
  tier: of.name,
  unlimited: of.isUnlimited,
  per_second: of.isUnlimited ? null : of.tier.burst,
  per_minute: of.isUnlimited ? null : of.tier.sustained,
  nearest_limit: of.isUnlimited ? null : of.limit,
  remaining: of.isUnlimited ? null : of.remaining,
})
