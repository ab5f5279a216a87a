import { limits } from '../../limits.ts'
import type { UsageIncrement } from '../../parts/store/measuring.ts'
import type { UsageDelta } from '../../rules/meter/usage-delta.ts'
import { formatDecimal } from '../../std/decimal.ts'

/** A folded batch's part of one usage row, as the store adds it. */
export function incrementOf({ fold, entitlementId, ...delta }: UsageDelta): UsageIncrement {
  return {
    ...delta,
    entitlementId: entitlementId ?? '',
    events: fold.events,
    value: formatDecimal(fold.value, limits.usageScale),
    lastAt: fold.last?.at ?? null,
    lastReceived: fold.last?.received ?? null,
    lastEventId: fold.last?.eventId ?? null,
  }
}
