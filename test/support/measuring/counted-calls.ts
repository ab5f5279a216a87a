import type { MeasuringMetrics } from '../../../src/engine/measuring/metrics.ts'
import type { CatalogSnapshot } from '../../../src/parts/store/meters.ts'
import type { Scope } from '../../../src/parts/store/scope.ts'
import { linked } from '../store/scratch-store.ts'

const nothing = (): void => undefined

/** Metrics that nobody reads. */
export const uncounted: MeasuringMetrics = {
  counted: nothing,
  committed: nothing,
  healing: nothing,
  skewed: nothing,
  again: nothing,
}

/** One meter that counts the event `call`, linked to an entitlement by default. */
export function callsCatalog({ businessId, mode }: Scope, entitlementId: string): CatalogSnapshot {
  const meter = {
    meterId: 'mtr_calls',
    eventName: 'call',
    aggregation: 'count' as const,
    aggregationKey: null,
    filter: null,
    archived: [],
  }
  const links = [{ entitlementId, stretches: linked(entitlementId) }]
  return { catalog: { businessId, mode, version: 1, meters: [meter] }, links }
}
