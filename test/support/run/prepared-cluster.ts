import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { postgresBinaries } from '../../../src/parts/store/embedded/binaries.ts'
import { ensureCluster } from '../../../src/parts/store/embedded/cluster.ts'
import { findPrivileges } from '../../../src/parts/store/embedded/privileges.ts'

/** Where the cluster that the servers of a run begin with lies, as PostgreSQL's initdb made it. */
const preparedIn = (runDirectory: string): string => join(runDirectory, 'cluster')

/** Makes the cluster of the folder `postgres`, which nothing runs on yet, and keeps a copy. */
export async function prepareCluster(runDirectory: string, postgres: string): Promise<void> {
  mkdirSync(postgres, { recursive: true, mode: 0o700 })
  const binaries = await postgresBinaries(join(postgres, 'lib'))
  const privileges = await findPrivileges(binaries.postgres)
  const needs = { directory: postgres, binaries, privileges, durable: false }
  cpSync(await ensureCluster(needs), preparedIn(runDirectory), { recursive: true })
}

/**
 * Spares the first start of an embedded server what initdb takes: a quarter of its CPU. How a
 * cluster is made has a suite of its own (test/parts/store/embedded.test.ts).
 */
export function giveCluster(environment: Readonly<Record<string, string>>): void {
  const { DATA_DIR: dataDir, DATABASE_URL: database } = environment
  const prepared = preparedIn(process.env['TEST_RUN_DIRECTORY'] ?? '/nowhere')
  if (dataDir === undefined || database !== undefined || !existsSync(prepared)) return
  const postgres = join(dataDir, 'postgres')
  if (existsSync(postgres)) return
  mkdirSync(postgres, { recursive: true, mode: 0o700 })
  cpSync(prepared, join(postgres, 'data'), { recursive: true })
}
