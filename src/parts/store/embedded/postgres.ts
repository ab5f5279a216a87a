import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { mkdir, open, readFile, realpath, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '../../../runtime/logger.ts'
import { pauseFor } from '../../../runtime/pause.ts'
import type { Binaries } from './binaries.ts'
import { postgresBinaries } from './binaries.ts'
import { ensureCluster, ensureSocketDirectory } from './cluster.ts'
import { endServer, endStrayServer, isServing, readPostmaster } from './postmaster.ts'
import type { Privileges } from './privileges.ts'
import { environmentOf, findPrivileges } from './privileges.ts'

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
  const durable = needs.durable ?? true
  const data = await ensureCluster({ directory, binaries, privileges, durable })
  await endStrayServer(data)
  const socket = await ensureSocketDirectory(directory, privileges.uid)
  const log = join(directory, 'log')
  await rotate(log)
  const launch = { binaries, privileges, data, socket, log, arguments: settings(needs) }
  return supervise(launch, needs)
}

/** The server that runs on this directory, of any process; null when none accepts connections. */
export async function attachPostgres(path: string): Promise<string | null> {
  const directory = await realpath(path).catch(() => null)
  if (directory === null) return null
  const data = join(directory, 'data')
  const found = await readPostmaster(data)
  if (found === null || !found.ready || !(await isServing(found, data))) return null
  return urlOf(found.socketDirectory)
}

const urlOf = (socket: string): string =>
  `postgres://postgres@localhost/postgres?host=${encodeURIComponent(socket)}&sslmode=disable`

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

interface Launch {
  readonly binaries: Binaries
  readonly privileges: Privileges
  readonly data: string
  readonly socket: string
  readonly log: string
  readonly arguments: readonly string[]
}

async function supervise(launch: Launch, needs: EmbeddedPostgresNeeds): Promise<EmbeddedPostgres> {
  const { logger } = needs
  let stopped = false
  let ready = false
  let restarts = 0
  let restarting = Promise.resolve()
  let child = await spawnServer(launch)
  try {
    await becomeReady(child, launch, needs.signal)
  } catch (error) {
    await endChild(child, 2_000)
    throw error
  }
  watch()
  return {
    url: urlOf(launch.socket),
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
    served.once('exit', (status, signal) => {
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

async function endChild(child: ChildProcess, withinMs: number): Promise<void> {
  const { pid } = child
  if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((done) => child.once('exit', done))
  await endServer(pid, withinMs)
  await ended
}

async function spawnServer(launch: Launch): Promise<ChildProcess> {
  const { prefix } = launch.privileges
  const [command = '', ...rest] = [...prefix, launch.binaries.postgres]
  const log = await open(launch.log, 'a', 0o600)
  try {
    return spawn(command, [...rest, '-D', launch.data, '-k', launch.socket, ...launch.arguments], {
      stdio: ['ignore', log.fd, log.fd],
      env: environmentOf(launch.binaries.libraryPath),
      cwd: '/',
      // Not in our process group: Ctrl-C is for this process, which stops the server at its own
      // end.
      detached: true,
    })
  } finally {
    await log.close()
  }
}

async function becomeReady(
  child: ChildProcess,
  { data, log }: Launch,
  signal?: AbortSignal,
): Promise<void> {
  let failure: Error | null = null
  child.once('error', (error) => {
    failure = error
  })
  for (;;) {
    if (failure !== null) throw failure
    signal?.throwIfAborted()
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`PostgreSQL did not start: ${await lastLines(log)}`)
    }
    const found = await readPostmaster(data)
    if (found?.ready === true && found.pid === child.pid) return
    await pauseFor(5)
  }
}

async function lastLines(log: string): Promise<string> {
  const text = await readFile(log, 'utf8').catch(() => '')
  return text.trim().split('\n').slice(-3).join(' | ').slice(-500)
}
