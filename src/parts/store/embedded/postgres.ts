import { mkdir, realpath, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../../../faults.ts'
import type { Logger } from '../../../runtime/logger.ts'
import { pauseFor } from '../../../runtime/pause.ts'
import { postgresBinaries } from './binaries.ts'
import type { CopyOver } from './bring-over.ts'
import { bringOverOlder, isBeingFilled } from './bring-over.ts'
import { ensureCluster, ensureSocketDirectory, majorOf, ourMajor } from './cluster.ts'
import { endStrayServer, isServing, readPostmaster } from './postmaster.ts'
import type { Privileges } from './privileges.ts'
import { findPrivileges } from './privileges.ts'
import type { Launch } from './server.ts'
import {
  becomeReady,
  endChild,
  onceEnded,
  portOfStore,
  socketUrlOf,
  spawnServer,
} from './server.ts'

export interface EmbeddedPostgresNeeds {
  /** Made if it does not exist. The caller holds the lock on it. */
  readonly directory: string
  readonly logger: Logger
  /** False in tests: no fsync, so a crash of the machine may lose data. */
  readonly durable?: boolean
  /** For tests that open many pools: more than the default of 100. */
  readonly connectionsMax?: number
  /** Aborted: starting is given up, and what has been started is stopped. */
  readonly signal?: AbortSignal
  /** A way to run the programs, in place of the one that `findPrivileges` finds. */
  readonly privileges?: Privileges
  /** Called once a program of PostgreSQL runs: until it is done there is nothing to do here. */
  readonly begun?: () => void
  /** The folder of kept clusters, of which a new one is a copy. Absent: it is made from nothing. */
  readonly kept?: string
  /** Copies the store of an older major version of PostgreSQL. Absent: such a one is refused. */
  readonly copyOver?: CopyOver
}

/** A PostgreSQL server that this process started. */
export interface EmbeddedPostgres {
  readonly url: string
  /** The pid of the server that is running now; it changes with a restart. */
  readonly pid: number
  /** How often it died by itself and was started again. */
  readonly restarts: number
  /** Whether it accepts connections now. */
  readonly ready: boolean
  /** Shuts down cleanly; after `withinMs` it is stopped at once, and recovers at its next start. */
  stop(withinMs?: number): Promise<void>
}

/**
 * Starts a PostgreSQL server on `directory`, and answers when it accepts connections. It listens on
 * a Unix socket only. When it dies by itself it is started again, with growing pauses. To be called
 * from the main thread: the server is told to shut down when the thread that started it ends.
 *
 * @throws Refusal when it cannot run here; Error with the end of its log when it does not come up.
 */
export async function startPostgres(needs: EmbeddedPostgresNeeds): Promise<EmbeddedPostgres> {
  const directory = await directoryOf(needs.directory)
  const binaries = await postgresBinaries(join(directory, 'lib'))
  const privileges = needs.privileges ?? (await findPrivileges(binaries.postgres))
  const { begun, durable = true, kept } = needs
  const cluster = { directory, binaries, privileges, durable, begun, kept }
  const socket = await ensureSocketDirectory(directory, privileges.uid)
  const log = join(directory, 'log')
  await rotate(log)
  const launch = { binaries, privileges, socket, log, arguments: settings(needs) }
  await bringOverOlder({ ...needs, cluster, launch })
  const data = await ensureCluster(cluster)
  await endStrayServer(data)
  return supervise({ ...launch, data, port: portOfStore }, needs)
}

/**
 * The server that runs on this directory, of any process; null when none accepts connections, and
 * while an older store is brought over, of which nobody may use either.
 *
 * @throws Refusal when a server of a release with another major version of PostgreSQL runs there.
 */
export async function attachPostgres(path: string): Promise<string | null> {
  const directory = await realpath(path).catch(() => null)
  if (directory === null) return null
  const data = join(directory, 'data')
  const found = await readPostmaster(data)
  if (found === null || !found.ready || !(await isServing(found, data))) return null
  const major = await majorOf(data)
  if (major !== ourMajor) {
    if (await isBeingFilled(directory)) return null
    throw new Refusal(
      `The server on ${path} is of a release with PostgreSQL ${major}, and this one has ${ourMajor}: use the commands of that release, or stop it and start this one.`,
    )
  }
  return socketUrlOf(found.socketDirectory)
}

async function directoryOf(path: string): Promise<string> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  return realpath(path)
}

/** The log is for diagnosis only, so two files of a bounded size are kept. */
async function rotate(log: string): Promise<void> {
  const bytes = await stat(log).then(
    (found) => found.size,
    () => 0,
  )
  if (bytes > 10 * 1024 * 1024) await rename(log, `${log}.1`)
}

function settings({
  durable = true,
  connectionsMax = 100,
}: EmbeddedPostgresNeeds): readonly string[] {
  const values: Record<string, string | number> = {
    listen_addresses: '',
    unix_socket_permissions: '0700',
    max_connections: connectionsMax,
    shared_buffers: '128MB',
    // Every commit is on disk before it is answered; a torn page is repaired from the write-ahead
    // log.
    synchronous_commit: 'on',
    fsync: durable ? 'on' : 'off',
    full_page_writes: durable ? 'on' : 'off',
    max_wal_size: '1GB',
    checkpoint_timeout: '10min',
    // Statements are small and many: planning them for parallel workers would only cost time.
    max_parallel_workers_per_gather: 0,
    jit: 'off',
    autovacuum_naptime: '15s',
    log_min_messages: 'warning',
    log_checkpoints: 'off',
    log_line_prefix: '%m [%p] ',
    // The text of a statement that failed may hold a customer's values.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
  }
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

async function supervise(launch: Launch, needs: EmbeddedPostgresNeeds): Promise<EmbeddedPostgres> {
  const { logger } = needs
  let stopped = false
  let ready = false
  let restarts = 0
  let restarting = Promise.resolve()
  let child = await spawnServer(launch)
  needs.begun?.()
  try {
    await becomeReady(child, launch, needs.signal)
  } catch (error) {
    await endChild(child, 2_000)
    throw error
  }
  watch()
  return {
    url: socketUrlOf(launch.socket),
    get pid() {
      return child.pid ?? 0
    },
    get restarts() {
      return restarts
    },
    get ready() {
      return ready
    },
    stop,
  }

  function watch(): void {
    ready = true
    const served = child
    // It may have been killed just after it had become ready.
    onceEnded(served, (status, signal) => {
      ready = false
      if (stopped) return
      logger.error({ pid: served.pid, status, signal }, 'PostgreSQL ended; starting it again.')
      restarting = restart()
    })
  }

  /** Processes of a killed server may outlive it for a moment, so the first tries may fail. */
  async function restart(): Promise<void> {
    for (let pauseMs = 50; !stopped; pauseMs = Math.min(pauseMs * 2, 5_000)) {
      await pauseFor(pauseMs)
      if (stopped) return
      try {
        await endStrayServer(launch.data)
        child = await spawnServer(launch)
        if (stopped) return await endChild(child, 2_000)
        await becomeReady(child, launch)
        restarts += 1
        logger.info({ pid: child.pid, restarts }, 'PostgreSQL is back.')
        if (!stopped) watch()
        return
      } catch (error) {
        logger.warn({ error }, 'PostgreSQL did not come back yet.')
      }
    }
  }

  async function stop(withinMs = 8_000): Promise<void> {
    stopped = true
    await endChild(child, withinMs)
    // A server that is just being started again sees that it is stopped, and ends.
    await restarting
  }
}
