import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { keptClusters } from './compose/embedded.ts'
import { postgresBinaries } from './parts/store/embedded/binaries.ts'
import { keptClusterIn } from './parts/store/embedded/kept-cluster.ts'
import { startPostgres } from './parts/store/embedded/postgres.ts'
import { ensureOwner } from './parts/store/embedded/privileges.ts'
import { openDb } from './parts/store/postgres/connection/client.ts'
import { migrate } from './parts/store/postgres/schema/migrate.ts'
import { syncTree } from './runtime/copying.ts'
import { openLogger } from './runtime/logger.ts'

// The build runs this at its end: it makes the cluster that those of new data directories are
// copies of, with the tables of this version. It has moved to its place when it is whole.
//
// All files that we and our children write are for this user alone.
process.umask(0o077)
const making = `${keptClusters}.new`
try {
  for (const folder of [making, keptClusters]) await rm(folder, { recursive: true, force: true })
  await keep(join(making, 'postgres'))
} catch (error) {
  const { message } = error as Error
  process.stderr.write(`sluice: new data directories will take longer to make: ${message}\n`)
  process.exitCode = 1
} finally {
  await rm(making, { recursive: true, force: true })
}

async function keep(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true })
  // Nothing is synced before it is whole.
  const logger = openLogger({ level: 'silent', part: 'build' })
  const postgres = await startPostgres({ directory, logger, durable: false })
  try {
    await fill(postgres.url)
  } finally {
    await postgres.stop()
  }
  const { initdb } = await postgresBinaries(join(directory, 'lib'))
  const kept = await keptClusterIn(keptClusters, initdb)
  const data = join(directory, 'data')
  await ensureOwner(data, process.getuid?.() ?? 0)
  await syncTree(data)
  await mkdir(keptClusters)
  await rename(data, kept)
}

async function fill(url: string): Promise<void> {
  const db = openDb({ url, connectionsMax: 1, name: 'build' })
  try {
    await migrate(db, { apply: true })
    // Databases that others are made of, two thirds of all files: nothing here makes others.
    for (const template of ['template1', 'template0']) {
      await db.query({ text: `alter database ${template} is_template false`, values: [] })
      await db.query({ text: `drop database ${template}`, values: [] })
    }
  } finally {
    await db.close()
  }
}
