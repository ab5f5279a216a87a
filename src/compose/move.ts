import { join } from 'node:path'
import type { Config } from '../config.ts'
import { Refusal } from '../faults.ts'
import { limits } from '../limits.ts'
import { exportTo } from '../operations/moves/export.ts'
import type { ImportedLog } from '../operations/moves/import.ts'
import { importFrom } from '../operations/moves/import.ts'
import type { Moved } from '../operations/moves/manifest.ts'
import { continuedIdentity } from '../parts/event-log/continued/offsets.ts'
import { openKafkaEventLog } from '../parts/event-log/kafka/event-log.ts'
import { prepareTopics } from '../parts/event-log/kafka/prepare-topics.ts'
import { openKafkaLogReader } from '../parts/event-log/kafka/reader.ts'
import { openLmdbEventLog } from '../parts/event-log/lmdb/event-log.ts'
import { openLmdbLogReader } from '../parts/event-log/lmdb/reader.ts'
import { createSharedLog } from '../parts/event-log/lmdb/shared.ts'
import type { Installation } from '../parts/store/installation.ts'
import { openDb } from '../parts/store/postgres/connection/client.ts'
import { openEmptyStore } from '../parts/store/postgres/moving/empty-store.ts'
import { openMovingStore } from '../parts/store/postgres/moving/snapshot.ts'
import { ensureInstallation } from '../parts/store/postgres/schema/installation.ts'
import { ourMigrations } from '../parts/store/postgres/schema/migrate.ts'
import { systemClock } from '../runtime/clock.ts'
import { exists, takeDataDir } from '../runtime/data-dir.ts'
import { putSecretsKey, secretsKeyOf } from '../runtime/secrets-key.ts'
import { postgresDirectory } from './embedded.ts'
import { openCommandReader } from './explain.ts'
import { filesFolderOf, openFiles } from './files.ts'
import { directoryOf } from './log.ts'
import type { StoreNeeds } from './store.ts'
import { assertPromises, broughtUpToDate, embeddedDatabase, embeddedUrl } from './store.ts'

/** Writes what this installation keeps in its data directory into a new folder. */
export async function exportDataDir(options: StoreNeeds, target: string): Promise<Moved> {
  const { config, logger, life } = options
  if (config.databaseUrl !== null) {
    throw new Refusal(
      "sluice export is for the embedded database, and DATABASE_URL is set: move that one with PostgreSQL's own tools.",
    )
  }
  if (!(await exists(join(postgresDirectory(config), 'data', 'PG_VERSION')))) {
    throw new Refusal(`There is nothing to export in ${config.dataDir}: is DATA_DIR right?`)
  }
  const { url, served } = await embeddedDatabase(options)
  await broughtUpToDate(url, true)
  const installation = await installationIn(url)
  const log =
    config.kafka === null ? await openCommandReader(config, { installation, logger }) : null
  life.own('event log reader', async () => log?.close())
  const store = openMovingStore(url)
  life.own('export', () => store.close())
  const filesFolder = config.files === null ? filesFolderOf(config) : null
  const secretsKey = await secretsKeyOf(config.dataDir, config.secretsKey)
  const formerly = installation.logOrigin?.formerly ?? []
  return exportTo(
    { store, log, formerly, secretsKey, served, filesFolder, clock: systemClock() },
    target,
  )
}

async function installationIn(url: string): Promise<Installation> {
  const db = openDb({ url, connectionsMax: 1, name: 'sluice export' })
  return await ensureInstallation(db).finally(() => db.close())
}

/** Makes what the settings name, which is empty, the installation that was exported. */
export async function importInto(options: StoreNeeds, source: string): Promise<Moved> {
  const { config, life } = options
  const url = await targetUrl(options)
  await assertPromises(url, config.databaseAllowOff)
  const store = openEmptyStore(url)
  life.own('import', () => store.close())
  const needs = {
    store,
    migrations: (await ourMigrations()).length,
    openLog: (partitions: number | null) => openTarget(options, partitions),
    takeKey: (key: Uint8Array) => takeKey(config, key),
    hasStorage: config.files !== null,
    openFiles: () => openFiles(config, options.logger),
    bringUp: async () => void (await broughtUpToDate(url, true)),
  }
  return importFrom(needs, source)
}

async function targetUrl(options: StoreNeeds): Promise<string> {
  const { config, life } = options
  if (config.databaseUrl === null) return embeddedUrl(options)
  if (config.kafka !== null) return config.databaseUrl
  // The log comes into the data directory.
  const dataDir = await takeDataDir({ path: config.dataDir, holder: 'command', waitMs: 1_000 })
  if (dataDir === null)
    throw new Refusal(`A server is running on ${config.dataDir}: stop it first.`)
  life.own('data directory', () => dataDir.release())
  return config.databaseUrl
}

/** With a database of one's own the key is a setting, else it lies in the data directory. */
async function takeKey({ dataDir, secretsKey }: Config, key: Uint8Array): Promise<void> {
  if (secretsKey === null) return putSecretsKey(dataDir, key)
  if (Buffer.from(secretsKey).equals(key)) return
  throw new Refusal(
    "SECRETS_KEY is not the key of the export's secrets: set it to what stands in its secrets.key.",
  )
}

async function openTarget(
  options: StoreNeeds,
  partitions: number | null,
): Promise<ImportedLog | null> {
  const { kafka } = options.config
  if (partitions === null) {
    if (kafka !== null) return null
    throw new Refusal('The events of the export are in Kafka: set KAFKA_BROKERS as it was.')
  }
  const opened =
    kafka === null
      ? await embeddedLog(options, partitions)
      : await kafkaLog(options, kafka, partitions)
  const { log, reader } = opened
  options.life.own('event log', () => log.close())
  options.life.own('event log reader', () => reader.close())
  const kind = kafka === null ? 'embedded' : 'kafka'
  return { kind, log, reader, onwards: continuedIdentity(log.identity) }
}

async function embeddedLog({ config, logger }: StoreNeeds, partitions: number) {
  const [directory, shared] = [directoryOf(config), createSharedLog(partitions)]
  const log = await openLmdbEventLog({
    directory,
    partitions,
    shared,
    budgetBytes: limits.logBytesMax,
    diskReserveBytes: limits.diskReserveBytes,
    clock: systemClock(),
    logger,
  })
  return { log, reader: await openLmdbLogReader({ directory, shared }) }
}

async function kafkaLog(
  { logger }: StoreNeeds,
  kafka: NonNullable<Config['kafka']>,
  partitions: number,
) {
  const options = { kafka, partitions, logger }
  await prepareTopics(options)
  const budgetBytes = limits.inflightBytesMax
  const log = await openKafkaEventLog({ ...options, budgetBytes, clock: systemClock() })
  return { log, reader: await openKafkaLogReader(options) }
}
