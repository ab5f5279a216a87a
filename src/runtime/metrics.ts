// prom-client: a metrics registry, and the usual metrics of Node processes. This is the only import
// of it.
import type { Registry as PromRegistry } from 'prom-client'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { cells } from './cells.ts'
import { scopeCounts } from './scope-counts.ts'

/** Values of a metric's labels, each from a small fixed set. */
export type Labels<Name extends string> = Readonly<Record<Name, string | number>>

export interface Total<Name extends string = never> {
  add(count: number, labels: Labels<Name>): void
}

export interface Level<Name extends string = never> {
  set(value: number, labels: Labels<Name>): void
  /** Calls `sample` at every scrape, for one value or one for each label. */
  sampled(sample: Sampler<Name>): void
}

export type Sampler<Name extends string> = () => Sampled<Name> | Promise<Sampled<Name>>
type Sampled<Name extends string> = number | readonly (readonly [Labels<Name>, number])[]

export interface Spread<Name extends string = never> {
  observe(seconds: number, labels: Labels<Name>): void
}

export type EdgeMetrics = ReturnType<typeof edgeMetrics>
export type EngineMetrics = ReturnType<typeof engineMetrics>

/**
 * The metrics of the main thread, and the usual ones of the process. No label has unbounded values.
 */
export function edgeMetrics() {
  const registry = new Registry()
  collectDefaults(registry)
  const { total, level, spread } = declaring(registry)
  return {
    text: () => registry.metrics(),
    ingestRequests: total('ingest_requests_total', 'Answers of the ingest route.', ['code']),
    ingestEvents: total('ingest_events_total', 'Usage events of ingest requests.', ['result']),
    filterSkipped: total('ingest_filter_skipped_total', 'Ids not filtered: no Redis.', []),
    ingestDuration: spread('ingest_request_duration_seconds', 'Ingest request to answer.', []),
    ingestInflightBytes: level('ingest_inflight_bytes', 'Bodies and appends under way.', []),
    logAppendDuration: spread('log_append_duration_seconds', 'Append to durable.', []),
    httpRequests: total('http_requests_total', 'Answers of the API.', ['route', 'method', 'code']),
    httpDuration: spread('http_request_duration_seconds', 'API request to answer.', ['route']),
    httpEngine: level('http_engine', '1 for the HTTP engine that runs.', ['kind']),
    clockAhead: level('clock_ahead_seconds', 'A clock, less the time that is believed.', ['clock']),
    rateLimited: total('rate_limited_total', 'Requests refused by a rate limit.', ['scope']),
    creditEntries: total(...creditEntries),
    changeRetries: total(...changeRetries),
    webhookStreams: level('webhook_streams', 'Open streams of webhooks.', []),
    storeShares: level('store_shares', 'Requests that use the store, and that wait to.', [
      'kind',
      'state',
    ]),
  }
}

/** In both threads: settling and commands write entries. */
const creditEntries: ['credit_entries_total', string, ['transaction_type']] = [
  'credit_entries_total',
  'Ledger entries written.',
  ['transaction_type'],
]

/** In both threads: the changes of each can be refused because another came first. */
const changeRetries: ['change_retries_total', string, ['operation']] = [
  'change_retries_total',
  'Changes decided again: what they were decided on had moved.',
  ['operation'],
]

/** The metrics of the engine thread. */
export function engineMetrics() {
  const registry = new Registry()
  const { total, level, spread } = declaring(registry)
  return {
    text: () => registry.metrics(),
    /** In no scrape: there may be any number of businesses. */
    billedOf: scopeCounts(),
    logLag: level('log_lag_events', 'Usage events appended and not yet measured.', ['partition']),
    billingEvents: total('billing_events_total', 'Usage events measured.', ['result']),
    billingAgain: total('billing_again_total', 'Batches whose versions moved meanwhile.', ['how']),
    billingDuration: spread('billing_batch_duration_seconds', 'Poll to commit of a batch.', []),
    billingFreshness: spread('billing_freshness_seconds', 'Received to committed.', []),
    unaccountedEvents: level('unaccounted_events', 'Events measured and not accounted for.', []),
    haltedPartitions: level('halted_partitions', 'Whether boundaries wait for them or go on.', [
      'boundaries',
    ]),
    overduePartitions: level('retention_overdue_partitions', 'Half of their life is over.', [
      'step',
    ]),
    droppedRows: total('dropped_rows_total', 'Rows that went when their time was over.', ['table']),
    trimmedRecords: total('trimmed_records_total', 'Records trimmed from the event log.', []),
    logClockSkew: level('log_clock_skew_seconds', 'Log time, less the time here.', ['partition']),
    dedupeIds: level('dedupe_ids', 'Event ids that dedupe holds.', []),
    dedupeHealing: level('dedupe_healing', 'Whether dedupe is being healed (0 or 1).', []),
    creditEntries: total(...creditEntries),
    changeRetries: total(...changeRetries),
    webhookAttempts: total('webhook_attempts_total', 'Attempts to deliver.', ['outcome']),
    webhookPending: level('webhook_pending', 'Deliveries that are not finished.', []),
    webhookBacklog: level('webhook_backlog', 'Of them, those of the endpoint with the most.', []),
  }
}

/** What the sidecar counts. */
export function sidecarMetrics() {
  const registry = new Registry()
  collectDefaults(registry, { loopLag: false })
  const { total, level } = declaring(registry)
  return {
    text: () => registry.metrics(),
    spoolEvents: level('sidecar_spool_events', 'Events that are not forwarded yet.', []),
    spoolBytes: level('sidecar_spool_bytes', 'What the files of the spool take.', []),
    spoolOldest: level('sidecar_spool_oldest_seconds', 'How long the first event waits.', []),
    forwarded: total('sidecar_forwarded_events_total', 'Events that the gateway took.', []),
    refused: total('sidecar_refused_events_total', 'Events that are dead letters.', []),
    retries: total('sidecar_retries_total', 'Requests that are to be sent again.', []),
  }
}

/**
 * The defaults of the process, but those whose names break the rules of Prometheus. How far the
 * event loop lags is sampled twenty times a second, so at rest it is said to be 50 ms: a hundred
 * times took a hundredth of a core of each idle process, more than anything else. `loopLag` says
 * whether that is done at all. The lag at a scrape costs nothing.
 */
function collectDefaults(registry: PromRegistry, { loopLag = true } = {}): void {
  const [lagMs, dayMs] = [50, 86_400_000]
  collectDefaultMetrics({
    register: registry,
    eventLoopMonitoringPrecision: loopLag ? lagMs : dayMs,
  })
  for (const what of ['handles', 'requests', 'resources']) {
    registry.removeSingleMetric(`nodejs_active_${what}_total`)
  }
  if (loopLag) return
  for (const of of ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99']) {
    registry.removeSingleMetric(`nodejs_eventloop_lag_${of}_seconds`)
  }
}

/**
 * The texts of several threads as one. Prometheus refuses a scrape that names a family twice, so
 * what several threads count is added up.
 */
export function mergeExpositions(texts: readonly string[]): string {
  const families = new Map<string, Family>()
  for (const text of texts.flatMap((each) => each.split(/^(?=# HELP )/m))) {
    const name = /^# HELP (\S+)/.exec(text)?.[1]
    if (name === undefined) continue
    const lines = text.split('\n').filter((line) => line !== '')
    const family = families.get(name) ?? {
      head: lines.filter((line) => line.startsWith('#')),
      samples: new Map(),
    }
    for (const line of lines) if (!line.startsWith('#')) count(family, line)
    families.set(name, family)
  }
  const written = ({ head, samples }: Family): string =>
    [...head, ...[...samples].map(([key, value]) => `${key} ${value}`)].join('\n')
  return [...families.values()].map((family) => `${written(family)}\n`).join('\n')
}

interface Family {
  readonly head: readonly string[]
  /** Samples by their name and labels. */
  readonly samples: Map<string, number>
}

function count({ samples }: Family, line: string): void {
  const at = line.lastIndexOf(' ')
  const key = line.slice(0, at)
  samples.set(key, (samples.get(key) ?? 0) + Number(line.slice(at + 1)))
}

/** How many observations are collected at most before they are handed on. */
const observedMax = 1_000

/**
 * Collects counts until a scrape: prom-client makes a text of the labels each time, and every
 * request counts six times.
 */
function declaring(registry: PromRegistry) {
  const common = { registers: [registry] }
  return { total, level, spread }

  function total<Name extends string>(name: string, help: string, labelNames: Name[]): Total<Name> {
    const counts = cells(labelNames, () => ({ count: 0 }))
    const counter = new Counter({ ...common, name: `sluice_${name}`, help, labelNames, collect })
    return {
      add(count, labels) {
        counts.of(labels).count += count
      },
    }

    function collect(): void {
      counts.each((cell, labels) => {
        counter.inc(labels as Labels<Name>, cell.count)
        cell.count = 0
      })
    }
  }

  function level<Name extends string>(name: string, help: string, labelNames: Name[]): Level<Name> {
    let sample: Sampler<Name> | null = null
    const gauge = new Gauge({ ...common, name: `sluice_${name}`, help, labelNames, collect })
    return {
      set: (value, labels) => gauge.set(labels, value),
      sampled: (ask) => {
        sample = ask
      },
    }

    async function collect(): Promise<void> {
      // What is sampled may be away, such as the store; then a scrape shows the last known value.
      const asked = Promise.resolve().then(() => sample?.())
      const sampled = await asked.catch(() => undefined)
      if (sampled === undefined) return
      if (typeof sampled === 'number') return gauge.set(sampled)
      gauge.reset()
      for (const [labels, value] of sampled) gauge.set(labels, value)
    }
  }

  function spread<Name extends string>(
    name: string,
    help: string,
    labelNames: Name[],
  ): Spread<Name> {
    const observed = cells(labelNames, (): number[] => [])
    const histogram = new Histogram({
      ...common,
      name: `sluice_${name}`,
      help,
      labelNames,
      collect: () => observed.each(tell),
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60],
    })
    return {
      observe(seconds, labels) {
        const waiting = observed.of(labels)
        waiting.push(seconds)
        if (waiting.length >= observedMax) tell(waiting, labels)
      },
    }

    function tell(waiting: number[], labels: Labels<string>): void {
      for (const seconds of waiting) histogram.observe(labels as Labels<Name>, seconds)
      waiting.length = 0
    }
  }
}
