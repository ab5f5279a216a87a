import { limits } from '../../limits.ts'
import type { Measured, UsageIncrement } from '../../parts/store/measuring.ts'
import type { Assigned } from '../../rules/meter/assign.ts'
import type { UsageDelta } from '../../rules/meter/usage-delta.ts'
import { formatDecimal } from '../../std/decimal.ts'

/** What a folded batch adds to one row of usage, in the form that the store takes. */
export function incrementOf(delta: UsageDelta): UsageIncrement {
  const { fold } = delta
  // Written field by field: rest and spread cost several times as much, for every row of a commit.
  return {
    businessId: delta.businessId,
    mode: delta.mode,
    customerId: delta.customerId,
    routeId: delta.routeId,
    entitlementId: delta.entitlementId ?? '',
    meterId: delta.meterId,
    cycleAt: delta.cycleAt,
    segmentAt: delta.segmentAt,
    logHour: delta.logHour,
    aggregation: delta.aggregation,
    events: fold.events,
    value: formatDecimal(fold.value, limits.usageScale),
    lastAt: fold.last?.at ?? null,
    lastReceived: fold.last?.received ?? null,
    lastEventId: fold.last?.eventId ?? null,
  }
}

/** The accounts whose usage changed, each once. */
export function accountsOf(assigned: Assigned): Measured['accounts'] {
  const accounts = new Map<string, Measured['accounts'][number]>()
  for (const { businessId, mode, customerId, entitlementId } of assigned.usage) {
    if (entitlementId === null) continue
    const account = { businessId, mode, customerId, entitlementId }
    accounts.set(`${mode} ${businessId} ${customerId} ${entitlementId}`, account)
  }
  return [...accounts.values()]
}
