import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '../../../src/parts/store/embedded/postgres.ts'
import { openDb } from '../../../src/parts/store/postgres/connection/client.ts'
import { migrate } from '../../../src/parts/store/postgres/schema/migrate.ts'
import { openLogger } from '../../../src/runtime/logger.ts'
import { copyFolder } from './copy-folder.ts'

/** Where the cluster that the servers of a run begin with lies: this version's tables, empty. */
const preparedIn = (runDirectory: string): string => join(runDirectory, 'cluster')

/** Makes the cluster of the folder `postgres`, which nothing runs on yet, and keeps a copy. */
export async function prepareCluster(runDirectory: string, postgres: string): Promise<void> {
  mkdirSync(postgres, { recursive: true, mode: 0o700 })
  const logger = openLogger({ level: 'warn', part: 'test' })
  const server = await startPostgres({ directory: postgres, logger, durable: false })
  const db = openDb({ url: server.url, connectionsMax: 1, name: 'prepared' })
  await migrate(db, { apply: true })
  await db.close()
  await server.stop()
  copyFolder(join(postgres, 'data'), preparedIn(runDirectory))
}

/**
 * Spares the first start of an embedded server what making a cluster and its tables takes: a third
 * of its CPU. Both have suites of their own (test/parts/store/embedded.test.ts, migrate.test.ts).
 */
export function giveCluster(environment: Readonly<Record<string, string>>): void {
  const { DATA_DIR: dataDir, DATABASE_URL: database } = environment
  const prepared = preparedIn(process.env['TEST_RUN_DIRECTORY'] ?? '/nowhere')
  if (dataDir === undefined || database !== undefined || !existsSync(prepared)) return
  const postgres = join(dataDir, 'postgres')
  if (existsSync(postgres)) return
  mkdirSync(postgres, { recursive: true, mode: 0o700 })
  copyFolder(prepared, join(postgres, 'data'))
}
