import type { Config } from '../config.ts'
import { tracedMeasuring } from '../engine/tracing/traced-measuring.ts'
import { tracedSettling } from '../engine/tracing/traced-settling.ts'
import { tracedPost } from '../engine/tracing/traced-webhooks.ts'
import { traceLinks } from '../parts/store/postgres/telling/trace-links.ts'
import type { Lifecycle } from '../runtime/lifecycle.ts'
import type { Logger } from '../runtime/logger.ts'
import type { Tracing } from '../runtime/tracing.ts'
import type { EngineStore } from './parts.ts'
import type { BillingNeeds } from './wiring/billing.ts'
import type { TellingNeeds } from './wiring/telling.ts'

interface TracingNeeds {
  readonly config: Pick<Config, 'tracing'>
  readonly logger: Logger
  readonly life: Lifecycle
}

/** Null where nobody asked for traces: then nothing of them is loaded. */
export async function openTracing({ config, logger, life }: TracingNeeds): Promise<Tracing | null> {
  if (!config.tracing) return null
  const { openTelemetry } = await import('../runtime/opentelemetry.ts')
  const tracing = openTelemetry(logger)
  life.own('traces', () => tracing.close())
  return tracing
}

interface EngineTracingNeeds {
  readonly tracing: Tracing
  readonly store: Pick<EngineStore, 'db'>
  readonly logger: Logger
}

/** Measuring and settling, with spans for what is traced. */
export function tracedBilling(
  billing: BillingNeeds,
  { tracing, store, logger }: EngineTracingNeeds,
): BillingNeeds {
  const needs = { tracing, links: traceLinks(store.db), logger }
  const { measuring, log } = billing
  const traced = tracedMeasuring({ openGroup: log.openGroup, store: measuring }, needs)
  return {
    ...billing,
    measuring: traced.store,
    log: { ...log, openGroup: traced.openGroup },
    changes: tracedSettling(billing.changes, needs),
  }
}

/** Telling, with spans for what is traced. */
export const tracedTelling = (
  telling: TellingNeeds,
  { tracing, store, logger }: EngineTracingNeeds,
): TellingNeeds => ({
  ...telling,
  post: tracedPost(telling.post, { tracing, links: traceLinks(store.db), logger }),
})
