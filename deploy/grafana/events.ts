import type { Dashboard } from './panels.ts'
import { quantiles, rare, rate, summed } from './promql.ts'

/** What events go through: the edge, dedupe, measuring. */
export const eventsDashboards: readonly Dashboard[] = [
  {
    name: 'throughput',
    title: 'throughput and latency',
    panels: [
      {
        title: 'Events a second',
        about: 'Usage events of ingest requests, by what became of them at the edge.',
        unit: 'ops',
        queries: [[summed('sluice_ingest_events_total', 'result'), '{{result}}']],
      },
      {
        title: 'Ingest requests a second',
        about: 'Answers of the ingest route, by status.',
        unit: 'reqps',
        queries: [[summed('sluice_ingest_requests_total', 'code'), '{{code}}']],
      },
      {
        title: 'Ingest latency',
        about: 'Request to answer; the answer promises that the events are durable.',
        unit: 's',
        queries: quantiles('sluice_ingest_request_duration_seconds'),
      },
      {
        title: 'Append to durable',
        about: 'How long the event log takes for one append.',
        unit: 's',
        queries: quantiles('sluice_log_append_duration_seconds'),
      },
      {
        title: 'Ingest requests refused',
        about: 'The share that is answered 503; an alert rings above 1 %.',
        unit: 'percentunit',
        queries: [['sluice:ingest_refusals:ratio_rate5m', 'refused']],
      },
      {
        title: 'API requests a second',
        about: 'The ten busiest routes.',
        unit: 'reqps',
        queries: [[`topk(10, ${summed('sluice_http_requests_total', 'route')})`, '{{route}}']],
      },
      {
        title: 'API latency, p99',
        about: 'The ten slowest routes over five minutes.',
        unit: 's',
        queries: [['topk(10, sluice:http_request_duration_seconds:p99_rate5m)', '{{route}}']],
      },
      {
        title: 'Refused by a rate limit',
        about: 'Answers of 429, by whether a business or an address has used up its requests.',
        unit: 'reqps',
        queries: [[rare(summed('sluice_rate_limited_total', 'scope')), '{{scope}}']],
      },
    ],
  },
  {
    name: 'freshness',
    title: 'freshness and lag',
    panels: [
      {
        title: 'Received to committed',
        about: 'How old the oldest event of a batch is when it is in the books.',
        unit: 's',
        queries: quantiles('sluice_billing_freshness_seconds'),
      },
      {
        title: 'Lag',
        about: 'Events that are accepted and not measured yet.',
        unit: 'short',
        queries: [
          ['sluice:log_lag_events:sum', 'all'],
          ['topk(5, max by (partition) (sluice_log_lag_events))', 'partition {{partition}}'],
        ],
      },
      {
        title: 'Measured a second',
        about:
          'Events by verdict: billed, unmatched (no meter or no route), duplicate, quarantined.',
        unit: 'ops',
        queries: [[summed('sluice_billing_events_total', 'result'), '{{result}}']],
      },
      {
        title: 'A batch of measuring',
        about: 'Poll to commit.',
        unit: 's',
        queries: quantiles('sluice_billing_batch_duration_seconds'),
      },
      {
        title: 'Unaccounted events',
        about: 'Must be 0 always: events measured that no total accounts for.',
        unit: 'none',
        single: true,
        queries: [['sum(sluice_unaccounted_events)', 'unaccounted']],
      },
      {
        title: 'Halted partitions',
        about: 'Log and database contradict each other: see the manual.',
        unit: 'none',
        queries: [['max by (boundaries) (sluice_halted_partitions)', 'boundaries {{boundaries}}']],
      },
      {
        title: 'Retention overdue',
        about: 'Partitions whose oldest needed event has half of its life in Kafka behind it.',
        unit: 'none',
        queries: [[rare('max by (step) (sluice_retention_overdue_partitions)'), '{{step}}']],
      },
      {
        title: 'Clocks',
        about: 'Log time and other clocks, less the time that is believed.',
        unit: 's',
        queries: [
          ['max by (partition) (sluice_log_clock_skew_seconds)', 'log, partition {{partition}}'],
          [rare('max by (clock) (sluice_clock_ahead_seconds)'), '{{clock}}'],
        ],
      },
    ],
  },
  {
    name: 'dedupe',
    title: 'dedupe and healing',
    panels: [
      {
        title: 'Ids held',
        about: 'Event ids that dedupe remembers, of the partitions of each process.',
        unit: 'short',
        queries: [['sum(sluice_dedupe_ids)', 'ids']],
      },
      {
        title: 'Repeats a second',
        about: 'Found at the edge before they are stored, and by measuring.',
        unit: 'ops',
        queries: [
          [rare(`sum(${rate('sluice_ingest_events_total{result="duplicate"}')})`), 'at the edge'],
          [`sum(${rate('sluice_billing_events_total{result="duplicate"}')})`, 'by measuring'],
        ],
      },
      {
        title: 'Ids not asked for',
        about: 'The edge had no Redis: measuring finds these repeats.',
        unit: 'ops',
        queries: [[rare(`sum(${rate('sluice_ingest_filter_skipped_total')})`), 'skipped']],
      },
      {
        title: 'Healing',
        about: '1 while dedupe is filled again from the database; measuring waits for it.',
        unit: 'none',
        queries: [['max by (instance) (sluice_dedupe_healing)', '{{instance}}']],
      },
      {
        title: 'Batches measured again',
        about: 'Meters, links or plans moved meanwhile: loaded anew, or held until the commit.',
        unit: 'ops',
        queries: [[rare(summed('sluice_billing_again_total', 'how')), '{{how}}']],
      },
    ],
  },
]
