import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '../../../src/parts/store/embedded/postgres.ts'
import { takeDataDir } from '../../../src/runtime/data-dir.ts'
import { openLogger } from '../../../src/runtime/logger.ts'
import { keptClusters } from '../run/kept-clusters.ts'
import { furnishEach } from './furnish-each.ts'
import type { Furnished } from './furnished.ts'

/** Makes `directory` a data directory with so many businesses, that no server has run on yet. */
export async function install(
  directory: string,
  businesses: number,
): Promise<readonly Furnished[]> {
  rmSync(directory, { recursive: true, force: true })
  // Held as a server holds it: what makes the businesses finds one that runs.
  const held = await takeDataDir({ path: directory, holder: 'server', waitMs: 0 })
  const postgres = await startPostgres({
    directory: join(directory, 'postgres'),
    kept: keptClusters,
    logger: openLogger({ level: 'warn', part: 'test' }),
    durable: false,
  })
  try {
    return await furnishEach({ DATA_DIR: directory }, businesses)
  } finally {
    await postgres.stop()
    await held?.release()
  }
}
