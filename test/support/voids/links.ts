import type { Link, Stretch } from '../../../src/rules/meter/route.ts'
import { usage } from '../../../src/rules/meter/route.ts'
import { powerOfTen } from '../../../src/std/decimal.ts'
import type { Instant } from '../../../src/std/instant.ts'

export const stretchFrom = (from: Instant, anchor: Instant, links: readonly Link[]): Stretch => ({
  from,
  anchor,
  frequency: { count: 1, interval: 'Month' },
  links,
})

/** A link that takes a credit for each unit; without an entitlement it takes money. */
export const linkTo = (meterId: string, entitlementId: string | null): Link => ({
  meterId,
  entitlementId,
  unitsPerCredit: entitlementId === null ? null : powerOfTen(18),
  freeThreshold: usage(0n),
  pricePerUnit: entitlementId === null ? '1' : null,
})
