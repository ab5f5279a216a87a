import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../../../src/parts/store/embedded/postgres.ts'
import { openLogger } from '../../../src/runtime/logger.ts'

/**
 * One PostgreSQL for the whole run, in a temporary directory, unless TEST_DATABASE_URL names one.
 * Answers what stops it; a run that is cut short takes it along, by the parent-death signal.
 */
export async function setup(): Promise<() => Promise<void>> {
  if (process.env['TEST_DATABASE_URL'] !== undefined) return () => Promise.resolve()
  const directory = mkdtempSync(join(tmpdir(), 'sluice-test-'))
  const logger = openLogger({ level: 'warn', part: 'test' })
  const remove = () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
  process.once('exit', remove)
  const server = await startPostgres({ directory, logger, durable: false, connectionsMax: 300 })
  process.env['TEST_DATABASE_URL'] = server.url
  return async () => {
    await server.stop()
    remove()
  }
}
