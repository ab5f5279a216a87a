import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Privileges } from '../../../src/parts/store/embedded/privileges.ts'
import { ensureOwner, findPrivileges } from '../../../src/parts/store/embedded/privileges.ts'
import { freePort } from './ports.ts'
import { family, forgetSharedMemory } from './postgres-family.ts'
import type { ServerProcess } from './process.ts'
import { launchServer } from './process.ts'
import { isProgram, run } from './programs.ts'
import { inRoomyMemory, scratch } from './scratch.ts'
import { certificates } from './tls.ts'

const bin = process.env['TEST_POSTGRES_BIN'] ?? newestOfDebian()

/** Null where a PostgreSQL other than the embedded one can run here; else what would enable it. */
export const postgresMissing: string | null = ['postgres', 'initdb'].every(
  (name) => bin !== null && isProgram(join(bin, name)),
)
  ? null
  : 'another PostgreSQL: set TEST_POSTGRES_BIN to a folder with postgres and initdb, 15 or later'

/** The major version of that PostgreSQL; null where there is none. */
export const postgresMajor: number | null = postgresMissing === null ? majorIn(bin ?? '') : null

export interface PostgresOptions {
  /** Clients must give it, by SCRAM. Without one every client is let in. */
  readonly password?: string
  /** With a certificate of `certificates()`. Plain connections are refused. */
  readonly tls?: boolean
  /** Settings beyond ours, or instead of ours. */
  readonly config?: Readonly<Record<string, string>>
}

/**
 * A PostgreSQL in a temporary directory. It never syncs, since in tests the machine does not crash.
 */
export interface TestPostgres {
  readonly url: string
  /**
   * The settings of Sluice that make it use this server: DATABASE_URL, and SECRETS_KEY, which that
   * needs.
   */
  readonly settings: Readonly<Record<string, string>>
  readonly port: number
  /** Where it writes all that it writes. */
  readonly directory: string
  /** Kills the server and its child processes with -9 at once. */
  kill(): Promise<void>
  /** Starts it again on its data and port. Answers when it has recovered. */
  start(): Promise<void>
  /** Sends all processes SIGSTOP: connections stay open, and no query is answered. */
  freeze(): Promise<void>
  thaw(): Promise<void>
  stop(): Promise<void>
}

/** Starts a server. Answers when it accepts connections. */
export async function startPostgres(options: PostgresOptions = {}): Promise<TestPostgres> {
  if (bin === null || postgresMissing !== null) throw new Error(`Missing is ${postgresMissing}.`)
  const port = await freePort()
  const privileges = await findPrivileges(join(bin, 'postgres'))
  const directory = scratch('postgres', inRoomyMemory)
  const data = join(directory.path, 'data')
  const launch = async () => family(await startProcess({ data, port, privileges, options }))
  try {
    await makeCluster({ data, privileges, options })
    let running = await launch()
    const url = await urlOf(port, options)
    return {
      url,
      settings: {
        DATABASE_URL: url,
        DATABASE_ALLOW_OFF: 'fsync,full_page_writes',
        SECRETS_KEY: randomBytes(32).toString('base64'),
      },
      port,
      directory: directory.path,
      kill: () => running.kill(),
      start: async () => {
        if (running.running) throw new Error('This PostgreSQL runs already.')
        running = await launch()
      },
      freeze: () => running.freeze(),
      thaw: () => running.thaw(),
      stop: async () => {
        // With a signal that lets it free its shared memory.
        await running.end('SIGINT', 10_000)
        await forgetSharedMemory(data)
        await directory.remove()
      },
    }
  } catch (error) {
    await directory.remove()
    throw error
  }
}

interface Cluster {
  readonly data: string
  readonly privileges: Privileges
  readonly options: PostgresOptions
}

async function makeCluster({ data, privileges, options }: Cluster): Promise<void> {
  const { password } = options
  const wordFile = `${data}.password`
  mkdirSync(data, { mode: 0o700 })
  writeFileSync(wordFile, password ?? '', { mode: 0o600 })
  await ensureOwner(data, privileges.uid)
  await run([
    ...[...privileges.prefix, join(bin ?? '', 'initdb'), `--pgdata=${data}`, '--no-sync'],
    ...['--username=postgres', '--encoding=UTF8', '--no-locale'],
    ...(password === undefined
      ? ['--auth=trust']
      : ['--auth=scram-sha-256', `--pwfile=${wordFile}`]),
  ])
  if (options.tls !== true) return
  const how = password === undefined ? 'trust' : 'scram-sha-256'
  writeFileSync(join(data, 'pg_hba.conf'), `hostssl all all 127.0.0.1/32 ${how}\n`)
}

async function startProcess(cluster: Cluster & { readonly port: number }): Promise<ServerProcess> {
  const { data, privileges, options, port } = cluster
  const settings = {
    listen_addresses: '127.0.0.1',
    port: `${port}`,
    unix_socket_directories: '',
    // Shared memory as a file in the data directory, which goes with that, even after a kill.
    dynamic_shared_memory_type: 'mmap',
    max_connections: '300',
    shared_buffers: '64MB',
    fsync: 'off',
    full_page_writes: 'off',
    jit: 'off',
    log_min_messages: 'log',
    ...(await tlsSettings(options)),
    ...options.config,
  }
  const words = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return launchServer({
    command: [join(bin ?? '', 'postgres'), '-D', data, ...words],
    prefix: privileges.prefix,
    log: `${data}.log`,
    ready: 'database system is ready to accept connections',
    readyWithinMs: 120_000,
  })
}

async function tlsSettings({ tls = false }: PostgresOptions): Promise<Record<string, string>> {
  if (!tls) return {}
  const { cert, key } = await certificates()
  return { ssl: 'on', ssl_cert_file: cert, ssl_key_file: key }
}

async function urlOf(port: number, { password, tls = false }: PostgresOptions): Promise<string> {
  const word = password === undefined ? '' : `:${encodeURIComponent(password)}`
  const url = new URL(`postgres://postgres${word}@127.0.0.1:${port}/postgres`)
  url.searchParams.set('sslmode', tls ? 'verify-full' : 'disable')
  if (tls) url.searchParams.set('sslrootcert', (await certificates()).ca)
  return url.href
}

/** The newest version that Debian has installed: each major one has a folder of its own. */
function newestOfDebian(): string | null {
  const versions = '/usr/lib/postgresql'
  try {
    const majors = readdirSync(versions).map(Number).filter(Number.isInteger)
    return majors.length === 0 ? null : join(versions, `${Math.max(...majors)}`, 'bin')
  } catch {
    return null
  }
}

function majorIn(folder: string): number {
  const said = execFileSync(join(folder, 'postgres'), ['--version'], { encoding: 'utf8' })
  return Number(/ (\d+)/.exec(said)?.[1])
}
