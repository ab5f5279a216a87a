import { join } from 'node:path'
import { startPostgres } from '../../../src/parts/store/embedded/postgres.ts'
import { openDb } from '../../../src/parts/store/postgres/connection/client.ts'
import { openLogger } from '../../../src/runtime/logger.ts'
import { startOperator } from '../process/operator.ts'
import { inRoomyMemory, scratch } from '../servers/scratch.ts'
import { templateDatabase } from '../store/database.ts'

/**
 * Makes what all suites of a run share: a temporary directory; in it a PostgreSQL, unless
 * TEST_DATABASE_URL names one; there a database that those of the suites are copies of; and the
 * process that runs the operator's commands. Where a run has several projects, the first one makes
 * it. Answers what removes all of it. The server ends with a run that is cut short, by the
 * parent-death signal, and the directory goes then, too.
 */
export async function setup(): Promise<() => Promise<void>> {
  if (process.env['TEST_RUN_DIRECTORY'] !== undefined) return () => Promise.resolve()
  const directory = scratch('test', inRoomyMemory)
  const server = await serverIn(directory.path)
  const template = await templateDatabase(server.url)
  const endOperator = await startOperator(directory.path)
  process.env['TEST_RUN_DIRECTORY'] = directory.path
  process.env['TEST_DATABASE_URL'] = server.url
  process.env['TEST_DATABASE_TEMPLATE'] = template.name
  return async () => {
    await endOperator()
    await template.drop()
    await server.stop()
    await directory.remove()
  }
}

/**
 * Each suite has a database and connections of its own, for a short time. By default PostgreSQL
 * plans each statement anew for its first five uses, which was a seventh of what it cost, and
 * starts a process to vacuum each database every 15 seconds.
 */
const forShortLives = [
  'alter role all set plan_cache_mode = force_generic_plan',
  'alter system set autovacuum = off',
  'select pg_reload_conf()',
]

async function suitShortLives(url: string): Promise<void> {
  const admin = openDb({ url, connectionsMax: 1, name: 'setup' })
  for (const text of forShortLives) await admin.query({ text, values: [] })
  await admin.close()
}

async function serverIn(directory: string): Promise<{ url: string; stop(): Promise<void> }> {
  const yours = process.env['TEST_DATABASE_URL']
  if (yours !== undefined) return { url: yours, stop: () => Promise.resolve() }
  const server = await startPostgres({
    directory: join(directory, 'postgres'),
    logger: openLogger({ level: 'warn', part: 'test' }),
    durable: false,
    connectionsMax: 300,
  })
  await suitShortLives(server.url)
  return server
}
