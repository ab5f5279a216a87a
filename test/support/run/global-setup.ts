import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../../../src/parts/store/embedded/postgres.ts'
import { openLogger } from '../../../src/runtime/logger.ts'
import { templateDatabase } from '../store/database.ts'

/**
 * What suites share in the whole run: a temporary directory; a PostgreSQL in it, unless
 * TEST_DATABASE_URL names one; a database there that theirs are copies of. Of several projects the
 * first one makes it for all. Answers what removes all of it; a run that is cut short takes the
 * server along, by the parent-death signal.
 */
export async function setup(): Promise<() => Promise<void>> {
  if (process.env['TEST_RUN_DIRECTORY'] !== undefined) return () => Promise.resolve()
  const directory = mkdtempSync(join(tmpdir(), 'sluice-test-'))
  const remove = () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
  process.once('exit', remove)
  const server = await serverIn(directory)
  const template = await templateDatabase(server.url)
  process.env['TEST_RUN_DIRECTORY'] = directory
  process.env['TEST_DATABASE_URL'] = server.url
  process.env['TEST_DATABASE_TEMPLATE'] = template.name
  return async () => {
    await template.drop()
    await server.stop()
    remove()
  }
}

async function serverIn(directory: string): Promise<{ url: string; stop(): Promise<void> }> {
  const yours = process.env['TEST_DATABASE_URL']
  if (yours !== undefined) return { url: yours, stop: () => Promise.resolve() }
  return startPostgres({
    directory: join(directory, 'postgres'),
    logger: openLogger({ level: 'warn', part: 'test' }),
    durable: false,
    connectionsMax: 300,
  })
}
