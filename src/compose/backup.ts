import { join } from 'node:path'
import type { Config } from '../config.ts'
import { Refusal } from '../faults.ts'
import { backUp } from '../operations/backups/back-up.ts'
import type { Copied } from '../operations/backups/manifest.ts'
import { restore } from '../operations/backups/restore.ts'
import { copyLmdbLog } from '../parts/event-log/lmdb/copy.ts'
import { copyCluster } from '../parts/store/embedded/copy.ts'
import { openStoreBackup } from '../parts/store/postgres/audit/backup.ts'
import { systemClock } from '../runtime/clock.ts'
import type { Logger } from '../runtime/logger.ts'
import { postgresDirectory } from './embedded.ts'
import { openFiles } from './files.ts'
import { directoryOf } from './log.ts'
import type { StoreNeeds } from './store.ts'
import { embeddedUrl } from './store.ts'

/** Backs up what this installation keeps in its data directory. */
export async function backUpDataDir(options: StoreNeeds, target: string): Promise<Copied> {
  const { config, logger, life } = options
  const { dataDir, kafka } = config
  refuseForeign(config, 'backup')
  const holdsFiles = config.files === null
  const copyLog = (folder: string): Promise<void> => copyLmdbLog(directoryOf(config), folder)
  const needs = { dataDir, openDatabase, copyLog: kafka === null ? copyLog : null, holdsFiles }
  return backUp({ ...needs, clock: systemClock() }, target)

  async function openDatabase() {
    const backup = openStoreBackup(await embeddedUrl(options), logger)
    life.own('backup', () => backup.close())
    const cluster = join(postgresDirectory(config), 'data')
    return (folder: string) => copyCluster(backup, cluster, folder)
  }
}

/** Makes this installation's data directory from a backup. */
export async function restoreDataDir(
  config: Config,
  source: string,
  logger: Logger,
): Promise<Copied> {
  refuseForeign(config, 'restore')
  const storage = config.files === null ? null : () => openFiles(config, logger)
  return restore(config.dataDir, source, storage)
}

function refuseForeign({ databaseUrl }: Config, command: string): void {
  if (databaseUrl === null) return
  throw new Refusal(
    `sluice ${command} is for the embedded database, and DATABASE_URL is set: use PostgreSQL's own tools, as deploy/README.md says.`,
  )
}
