import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from '../config.ts'
import { Refusal } from '../faults.ts'
import { refuseHalfRestored } from '../operations/backups/restore.ts'
import type { CopyOver } from '../parts/store/embedded/bring-over.ts'
import type { EmbeddedPostgres } from '../parts/store/embedded/postgres.ts'
import { startPostgres } from '../parts/store/embedded/postgres.ts'
import type { DataDir } from '../runtime/data-dir.ts'
import { takeDataDir } from '../runtime/data-dir.ts'
import type { Lifecycle } from '../runtime/lifecycle.ts'
import type { Logger } from '../runtime/logger.ts'

// What a server has of its data directory before its code is loaded: little is imported here.

export interface EmbeddedNeeds {
  readonly config: Config
  readonly logger: Logger
  /** Closes what is opened here. */
  readonly life: Lifecycle
}

/** Takes the data directory for a server. */
export async function takeServerDataDir({ config, life }: EmbeddedNeeds): Promise<DataDir> {
  const dataDir = await takeDataDir({ path: config.dataDir, holder: 'server', waitMs: 30_000 })
  if (dataDir === null) {
    throw new Refusal(
      `Another server is running on ${config.dataDir}: stop it, or set DATA_DIR to another directory.`,
    )
  }
  life.own('data directory', () => dataDir.release())
  await refuseHalfRestored(config.dataDir)
  return dataDir
}

export const postgresDirectory = (config: Pick<Config, 'dataDir'>): string =>
  join(config.dataDir, 'postgres')

/** Where the build has put the clusters that those of new data directories are copies of. */
export const keptClusters = fileURLToPath(new URL('../../clusters', import.meta.url))

/** Loaded by the few starts that need it. */
export const copyOverWhenNeeded: CopyOver = async (from, to) => {
  const loaded = await import('./copy-store-over.ts')
  await loaded.copyStoreOver(from, to)
}

/** A PostgreSQL that is on its way. */
export interface Starting {
  /** Resolves once a program of PostgreSQL runs, or none will. */
  readonly begun: Promise<void>
  readonly postgres: Promise<EmbeddedPostgres>
}

/** Starts the server's PostgreSQL. The caller holds the data directory. */
export function startServerPostgres(needs: EmbeddedNeeds, signal: AbortSignal): Starting {
  const { config, logger, life } = needs
  const directory = postgresDirectory(config)
  let begin: () => void = () => undefined
  const running = new Promise<void>((resolve) => {
    begin = resolve
  })
  const postgres = startPostgres({
    directory,
    logger,
    signal,
    kept: keptClusters,
    copyOver: copyOverWhenNeeded,
    begun: () => begin(),
  }).then((started) => {
    life.own('postgres', (withinMs) => started.stop(withinMs))
    return started
  })
  const settled = postgres.then(
    () => undefined,
    () => undefined,
  )
  return { postgres, begun: Promise.race([running, settled]) }
}
