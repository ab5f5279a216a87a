import type { MeasuringNeeds } from '../../../src/engine/measuring/measuring.ts'
import type { MeasuringMetrics } from '../../../src/engine/measuring/metrics.ts'
import type { CatalogSnapshot } from '../../../src/parts/store/meters.ts'
import type { Scope } from '../../../src/parts/store/scope.ts'
import { catalogCache } from '../../../src/rules/meter/catalog.ts'
import type { IdFingerprinter } from '../../../src/rules/meter/measure.ts'
import { measure } from '../../../src/rules/meter/measure.ts'
import { measureAgain } from '../../../src/rules/meter/measure-again.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { day } from '../../../src/std/instant.ts'
import { quiet } from '../runtime/logger.ts'
import { linked } from '../store/scratch-store.ts'

const nothing = (): void => undefined

/** Metrics that nobody reads. */
export const uncounted: MeasuringMetrics = {
  counted: nothing,
  billed: nothing,
  committed: nothing,
  healing: nothing,
  skewed: nothing,
  again: nothing,
}

/** What measuring needs besides log, dedupe, store and catalog, where no test looks at it. */
export function plainMeasuring(fingerprinter: IdFingerprinter) {
  const compiled = catalogCache()
  return {
    measure: async (task) => measure(task, fingerprinter, compiled(task.catalog)),
    measureAgain: async (task) => measureAgain(task),
    window: day,
    monotonic: () => performance.now() * 1_000,
    skew: 0,
    clock: systemClock(),
    logger: quiet,
    metrics: uncounted,
    onCommit: nothing,
  } satisfies Partial<MeasuringNeeds>
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
