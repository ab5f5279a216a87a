import type { Dashboard } from './panels.ts'
import { rare, rate } from './promql.ts'

/** What it all takes: gateways, engines, sidecars. */
export const machinesDashboards: readonly Dashboard[] = [
  {
    name: 'capacity',
    title: 'capacity',
    panels: [
      {
        title: 'CPU',
        about: 'Cores that each process uses, all of its threads together.',
        unit: 'short',
        queries: [
          [
            `sum by (instance) (${rate('process_cpu_seconds_total{job="sluice"}')})`,
            '{{instance}}',
          ],
        ],
      },
      {
        title: 'CPU an event',
        about: 'Of all processes, over the events measured: the figure of deploy/capacity.md.',
        unit: 's',
        queries: [['sluice:cpu_seconds_per_event:rate5m', 'an event']],
      },
      {
        title: 'Memory',
        about: 'Resident, by process.',
        unit: 'bytes',
        queries: [['process_resident_memory_bytes{job="sluice"}', '{{instance}}']],
      },
      {
        title: 'Heap of the main thread',
        about: 'In use, by process.',
        unit: 'bytes',
        queries: [['nodejs_heap_size_used_bytes{job="sluice"}', '{{instance}}']],
      },
      {
        title: 'Lateness of the main thread, p99',
        about: 'An alert rings at half a second. At rest it is 0.05: so often it is sampled.',
        unit: 's',
        queries: [['nodejs_eventloop_lag_p99_seconds{job="sluice"}', '{{instance}}']],
      },
      {
        title: 'Bodies and appends under way',
        about: 'At most 256 MiB, or an eighth of the heap; past it 503.',
        unit: 'bytes',
        queries: [['sluice_ingest_inflight_bytes', '{{instance}}']],
      },
      {
        title: 'Shares of the database',
        about: 'Requests and scans that use the database, and that wait for their turn.',
        unit: 'short',
        queries: [['sum by (kind, state) (sluice_store_shares)', '{{kind}}, {{state}}']],
      },
      {
        title: 'Garbage collection',
        about: 'Share of the time of the main thread.',
        unit: 'percentunit',
        queries: [
          [
            `sum by (instance) (${rate('nodejs_gc_duration_seconds_sum{job="sluice"}')})`,
            '{{instance}}',
          ],
        ],
      },
      {
        title: 'HTTP engine',
        about: 'Which engine serves: uws_official, uws_prebuilt, or node_http, the slow one.',
        unit: 'none',
        queries: [['sum by (kind) (sluice_http_engine)', '{{kind}}']],
      },
      {
        title: 'Records trimmed',
        about: 'What left the embedded event log, measured, archived and kept for its time.',
        unit: 'ops',
        queries: [[rare(`sum(${rate('sluice_trimmed_records_total')})`), 'records']],
      },
    ],
  },
  {
    name: 'sidecars',
    title: 'sidecars',
    panels: [
      {
        title: 'Events in the spool',
        about: 'Answered with 200 and not with the gateway yet.',
        unit: 'short',
        queries: [['sluice_sidecar_spool_events', '{{instance}}']],
      },
      {
        title: 'The oldest event',
        about: 'How long it waits; the gateway takes events up to an hour old.',
        unit: 's',
        queries: [['sluice_sidecar_spool_oldest_seconds', '{{instance}}']],
      },
      {
        title: 'The spool',
        about: 'Bytes on disk; at SPOOL_MAX the sidecar answers 503.',
        unit: 'bytes',
        queries: [['sluice_sidecar_spool_bytes', '{{instance}}']],
      },
      {
        title: 'Forwarded and refused a second',
        about: 'Taken by the gateway, or set aside as dead letters.',
        unit: 'ops',
        queries: [
          [`sum by (instance) (${rate('sluice_sidecar_forwarded_events_total')})`, 'forwarded'],
          [`sum by (instance) (${rate('sluice_sidecar_refused_events_total')})`, 'refused'],
        ],
      },
      {
        title: 'Requests sent again a second',
        about: 'The gateway was away, busy, or did not answer.',
        unit: 'reqps',
        queries: [[`sum by (instance) (${rate('sluice_sidecar_retries_total')})`, '{{instance}}']],
      },
      {
        title: 'CPU of sidecars',
        about: 'Cores; a sidecar should need a twentieth of one at 1 000 events a second.',
        unit: 'short',
        queries: [
          [
            `sum by (instance) (${rate('process_cpu_seconds_total{job="sluice-sidecar"}')})`,
            '{{instance}}',
          ],
        ],
      },
      {
        title: 'Memory of sidecars',
        about: 'Resident; 80 MiB at most.',
        unit: 'bytes',
        queries: [['process_resident_memory_bytes{job="sluice-sidecar"}', '{{instance}}']],
      },
    ],
  },
]
