import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { MoneyNeeds } from '../operations/explain/money-needs.ts'
import type { ExplainNeeds } from '../operations/explain/ports.ts'
import { continuedReader } from '../parts/event-log/continued/reader.ts'
import type { LogReader } from '../parts/event-log/port.ts'
import { accounts } from '../parts/store/postgres/accounts/accounts.ts'
import { ledger } from '../parts/store/postgres/accounts/ledger.ts'
import { archiveReader } from '../parts/store/postgres/archive/archive-view.ts'
import { explanations } from '../parts/store/postgres/audit/explanations.ts'
import { businesses } from '../parts/store/postgres/catalog/businesses.ts'
import { customers } from '../parts/store/postgres/catalog/customers.ts'
import { meters } from '../parts/store/postgres/catalog/meters.ts'
import { subscriptions } from '../parts/store/postgres/catalog/subscriptions.ts'
import { changes } from '../parts/store/postgres/changes/changes.ts'
import type { Db } from '../parts/store/postgres/connection/client.ts'
import { paymentRepositories } from '../parts/store/postgres/payments/payment-repositories.ts'
import { deliveries } from '../parts/store/postgres/telling/deliveries.ts'
import { voids } from '../parts/store/postgres/usage/voids.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Logger } from '../runtime/logger.ts'
import { createFingerprinter, partitionOf } from '../std/fingerprint.ts'
import type { NewId } from '../std/id.ts'
import type { Store } from './store.ts'
import { backfillMax } from './store.ts'

export interface ExplainStoreNeeds {
  readonly store: Pick<Store, 'installation'> & { readonly db: Db }
  readonly clock: Clock
  readonly newId: NewId
  readonly reader: LogReader | null
  readonly partitions: number
  readonly config: Pick<Config, 'eventRetention' | 'dedupeWindow'>
}

/** What explanations need, in the server as in a command. */
export function explainPorts({ store, ...parts }: ExplainStoreNeeds): ExplainNeeds & MoneyNeeds {
  return explainPortsOn({ ...parts, installation: store.installation })(store.db)
}

/** The same, on a given connection of the store. */
export function explainPortsOn(
  parts: Omit<ExplainStoreNeeds, 'store'> & Pick<ExplainStoreNeeds['store'], 'installation'>,
): (db: Db) => ExplainNeeds & MoneyNeeds {
  const { installation, clock, newId, reader, partitions, config } = parts
  const { identity } = createFingerprinter(installation.fingerprintKey)
  return (db) => ({
    ...paymentRepositories(db),
    accounts: accounts(db),
    changes: changes(db),
    archive: archiveReader(db),
    businesses: businesses(db),
    customers: customers(db),
    deliveries: deliveries(db),
    explanations: explanations(db),
    ledger: ledger(db),
    meters: meters(db),
    subscriptions: subscriptions(db),
    voids: voids(db),
    clock,
    newId,
    // Not counted here: the metrics are those of the server beside which this reads.
    wrote: () => undefined,
    reader,
    partitions,
    eventRetention: config.eventRetention,
    backfillMax: backfillMax(config),
    identity,
    partitionOf,
  })
}

/**
 * The event log for a command, whether or not a server is using it; null where there is none. Other
 * commands do not wait until Kafka's client and LMDB are loaded.
 */
export async function openCommandReader(
  config: Config,
  needs: Pick<Store, 'installation'> & { logger: Logger },
): Promise<LogReader | null> {
  const reader = await openBareReader(config, needs)
  const { logOrigin } = needs.installation
  return reader === null || logOrigin === null ? reader : continuedReader(reader, logOrigin)
}

async function openBareReader(
  { kafka, dataDir }: Config,
  { installation: { partitions }, logger }: Parameters<typeof openCommandReader>[1],
): Promise<LogReader | null> {
  if (kafka !== null) {
    if (partitions === null) return null
    const { openKafkaLogReader } = await import('../parts/event-log/kafka/reader.ts')
    return openKafkaLogReader({ kafka, partitions, logger })
  }
  const directory = join(dataDir, 'log')
  const found = await access(join(directory, 'data.mdb')).then(
    () => true,
    () => false,
  )
  if (!found) return null
  const { openLmdbLogReader } = await import('../parts/event-log/lmdb/reader.ts')
  return openLmdbLogReader({ directory, shared: null })
}
