// prom-client: the usual registry and the Node process defaults; ours is the only import of it.
import type { Registry as PromRegistry } from 'prom-client'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Values of the labels that a metric was declared with: each from a small, fixed set. */
export type Labels<Name extends string> = Readonly<Record<Name, string | number>>

export interface Total<Name extends string = never> {
  add(count: number, labels: Labels<Name>): void
}

export interface Level<Name extends string = never> {
  set(value: number, labels: Labels<Name>): void
  /** Asks `sample` at every scrape instead of being told. Only for a metric without labels. */
  sampled(sample: () => number | Promise<number>): void
}

export interface Spread<Name extends string = never> {
  observe(seconds: number, labels: Labels<Name>): void
}

/** One thread's metrics in the text format of Prometheus. */
export interface Exposition {
  text(): Promise<string>
}

export type EdgeMetrics = ReturnType<typeof edgeMetrics>
export type EngineMetrics = ReturnType<typeof engineMetrics>

/** What the main thread counts, and the defaults of the process. No label is ever unbounded. */
export function edgeMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const { total, level, spread } = declaring(registry)
  return {
    text: () => registry.metrics(),
    ingestRequests: total('ingest_requests_total', 'Answers of the ingest route.', ['code']),
    ingestEvents: total('ingest_events_total', 'Usage events of ingest requests.', ['result']),
    ingestDuration: spread('ingest_request_duration_seconds', 'Ingest request to answer.', []),
    ingestInflightBytes: level('ingest_inflight_bytes', 'Bodies and appends under way.', []),
    logAppendDuration: spread('log_append_duration_seconds', 'Append to durable.', []),
    httpRequests: total('http_requests_total', 'Answers of the API.', ['route', 'method', 'code']),
    httpDuration: spread('http_request_duration_seconds', 'API request to answer.', ['route']),
  }
}

/** What the engine thread counts. */
export function engineMetrics() {
  const registry = new Registry()
  const { total, level, spread } = declaring(registry)
  return {
    text: () => registry.metrics(),
    logLag: level('log_lag_events', 'Usage events appended and not yet measured.', ['partition']),
    billingEvents: total('billing_events_total', 'Usage events measured.', ['result']),
    billingDuration: spread('billing_batch_duration_seconds', 'Poll to commit of a batch.', []),
    billingFreshness: spread('billing_freshness_seconds', 'Received to committed.', []),
    unaccountedEvents: level('unaccounted_events', 'Events measured and not accounted for.', []),
    dedupeIds: level('dedupe_ids', 'Event ids that dedupe holds.', []),
    dedupeHealing: level('dedupe_healing', 'Whether dedupe is being healed (0 or 1).', []),
    creditEntries: total('credit_entries_total', 'Ledger entries written.', ['transaction_type']),
    webhookAttempts: total('webhook_attempts_total', 'Attempts to deliver.', ['outcome']),
    webhookPending: level('webhook_pending', 'Deliveries that are not finished.', []),
  }
}

/**
 * The text of several threads as one. A family that stood in an earlier text is left out of the
 * later ones: Prometheus refuses a scrape that names one twice.
 */
export function mergeExpositions(texts: readonly string[]): string {
  const seen = new Set<string>()
  const families = texts.flatMap((text) => text.split(/^(?=# HELP )/m))
  const kept = families.filter((family) => {
    const name = /^# HELP (\S+)/.exec(family)?.[1]
    if (name === undefined || seen.has(name)) return false
    seen.add(name)
    return true
  })
  return kept.map((family) => `${family.trimEnd()}\n`).join('\n')
}

function declaring(registry: PromRegistry) {
  const common = { registers: [registry] }
  return { total, level, spread }

  function total<Name extends string>(name: string, help: string, labelNames: Name[]): Total<Name> {
    const counter = new Counter({ ...common, name: `sluice_${name}`, help, labelNames })
    return { add: (count, labels) => counter.inc(labels, count) }
  }

  function level<Name extends string>(name: string, help: string, labelNames: Name[]): Level<Name> {
    let sample: (() => number | Promise<number>) | null = null
    const gauge = new Gauge({
      ...common,
      name: `sluice_${name}`,
      help,
      labelNames,
      async collect() {
        if (sample !== null) this.set(await sample())
      },
    })
    return {
      set: (value, labels) => gauge.set(labels, value),
      sampled: (ask) => {
        sample = ask
      },
    }
  }

  function spread<Name extends string>(
    name: string,
    help: string,
    labelNames: Name[],
  ): Spread<Name> {
    const histogram = new Histogram({
      ...common,
      name: `sluice_${name}`,
      help,
      labelNames,
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60],
    })
    return { observe: (seconds, labels) => histogram.observe(labels, seconds) }
  }
}
