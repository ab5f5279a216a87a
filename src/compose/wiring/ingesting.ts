import type { ByteBudget } from '../../edge/http/budget.ts'
import type { Route } from '../../edge/http/route.ts'
import type { CustomerDirectory } from '../../edge/ingest/customers.ts'
import { knownCustomers } from '../../edge/ingest/customers.ts'
import type { IngestNeeds } from '../../edge/ingest/ingest.ts'
import { ingestRoute } from '../../edge/ingest/ingest.ts'
import type { NamespaceSource } from '../../edge/ingest/namespaces.ts'
import { openNamespaces } from '../../edge/ingest/namespaces.ts'
import { packer } from '../../edge/ingest/packer.ts'
import { tracedIngest, tracedPacker } from '../../edge/ingest/traced-packer.ts'
import type { DedupeFilter } from '../../parts/dedupe/port.ts'
import type { EventLog } from '../../parts/event-log/port.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Lifecycle } from '../../runtime/lifecycle.ts'
import type { Logger } from '../../runtime/logger.ts'
import type { EdgeMetrics } from '../../runtime/metrics.ts'
import { createFingerprinter, partitionOf } from '../../std/fingerprint.ts'

export interface IngestingNeeds {
  readonly log: EventLog
  readonly filter: DedupeFilter
  readonly measuring: NamespaceSource
  readonly customers: CustomerDirectory
  readonly fingerprintKey: Uint8Array
  readonly backfillMax: IngestNeeds['backfillMax']
  /** Bounds the bytes of bodies and appends that are under way. */
  readonly budget: ByteBudget
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Pick<
    EdgeMetrics,
    'ingestRequests' | 'ingestDuration' | 'ingestEvents' | 'logAppendDuration'
  >
  readonly life: Lifecycle
  /** Whether requests are traced, so that records say with which ones they came. */
  readonly traced?: boolean
  /** Told of what was taken in. */
  readonly accepted?: NonNullable<IngestNeeds['accepted']>
}

/** The route that takes events from requests into the log. */
export function openIngesting(needs: IngestingNeeds): Route {
  const { log, filter, measuring, customers, fingerprintKey, metrics, logger, life } = needs
  const { partitions } = log
  const namespaces = openNamespaces({ source: measuring, filter, logger, partitions })
  life.own('dedupe namespaces', async () => namespaces.close())
  const { identities, prefixOf } = createFingerprinter(fingerprintKey)
  const packing = packer({
    log,
    budget: needs.budget,
    clock: needs.clock,
    appended: (seconds) => metrics.logAppendDuration.observe(seconds, {}),
  })
  const ingest = ingestRoute({
    log,
    packer: needs.traced === true ? tracedPacker(packing) : packing,
    dedupe: filter,
    namespaceOf: namespaces.of,
    fingerprinter: { identities, prefixOf, partitionOf },
    customers: knownCustomers(customers),
    backfillMax: needs.backfillMax,
    ...(needs.accepted === undefined ? {} : { accepted: needs.accepted }),
    metrics: {
      request: (code, seconds) => {
        metrics.ingestRequests.add(1, { code })
        metrics.ingestDuration.observe(seconds, {})
      },
      events: (result, count) => metrics.ingestEvents.add(count, { result }),
    },
  })
  return needs.traced === true ? tracedIngest(ingest) : ingest
}
