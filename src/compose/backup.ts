import { access, mkdir, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Config } from '../config.ts'
import { Refusal } from '../faults.ts'
import { copyLmdbLog } from '../parts/event-log/lmdb/copy.ts'
import { copyCluster } from '../parts/store/embedded/copy.ts'
import { openStoreBackup } from '../parts/store/postgres/audit/backup.ts'
import type { CopiedFile } from '../runtime/copying.ts'
import { copyFile, makeFolder, sumOf, syncOne, syncTree, writeNew } from '../runtime/copying.ts'
import { takeDataDir } from '../runtime/data-dir.ts'
import type { StoreOptions } from './store.ts'
import { embeddedUrl, postgresDirectory, restoringPath } from './store.ts'

/** What `backup.json` says about a backup. A folder that has this file is complete. */
export interface BackupManifest {
  readonly format: typeof format
  /** The moment of the database's copy; that of the log is a little later. */
  readonly takenAt: string
  /** Whether the backup holds the key that encrypts secrets; if not, it came from SECRETS_KEY. */
  readonly hasSecretsKey: boolean
  readonly folders: readonly string[]
  readonly files: readonly CopiedFile[]
}

const format = 1
const manifestName = 'backup.json'
// Where things lie, in a backup as in a data directory.
const clusterPath = join('postgres', 'data')
const logFile = join('log', 'data.mdb')
const keyFile = 'secrets.key'

export interface Copied {
  readonly path: string
  readonly bytes: number
  readonly manifest: BackupManifest
}

/**
 * Copies the data directory into the new folder `target`, whether or not a server runs on it.
 *
 * The order is the guarantee: first the database, then the log, which is not trimmed meanwhile. So
 * the log's copy has everything that the database's copy has measured, and what came in between is
 * measured from it, once. Dedupe is left out, since it heals from the database.
 */
export async function backUp(options: StoreOptions, target: string): Promise<Copied> {
  const { config } = options
  refuseForeign(config, 'backup')
  const path = resolve(target)
  const aside = `${path}.partial`
  for (const taken of [path, aside]) {
    if (await exists(taken)) {
      throw new Refusal(`${taken} is there already: name another folder, or remove it.`)
    }
  }
  await refuseEmptySource(config)
  const url = await embeddedUrl(options)
  await mkdir(aside, { recursive: true, mode: 0o700 })
  try {
    const manifest = await copyAside(options, url, aside)
    await rename(aside, path)
    await syncOne(dirname(path))
    return { path, bytes: bytesOf(manifest.files), manifest }
  } catch (error) {
    await rm(aside, { recursive: true, force: true })
    throw error
  }
}

async function copyAside(
  { config, life }: StoreOptions,
  url: string,
  aside: string,
): Promise<BackupManifest> {
  const backup = openStoreBackup(url)
  life.own('backup', () => backup.close())
  await makeFolder(join(aside, 'postgres'))
  const cluster = await copyCluster(
    backup,
    join(postgresDirectory(config), 'data'),
    join(aside, clusterPath),
  )
  const takenAt = new Date(performance.timeOrigin + performance.now()).toISOString()
  const files = cluster.files.map((file) => ({ ...file, path: join(clusterPath, file.path) }))
  const log = await copyLog(config, aside)
  const key = await copyFile(join(config.dataDir, keyFile), join(aside, keyFile))
  if (log !== null) files.push(log)
  if (key !== null) files.push({ path: keyFile, ...key })
  const folders = [clusterPath, ...cluster.folders.map((folder) => join(clusterPath, folder))]
  const manifest = { format, takenAt, hasSecretsKey: key !== null, folders, files } as const
  await writeNew(join(aside, manifestName), `${JSON.stringify(manifest)}\n`)
  await syncTree(aside)
  return manifest
}

/** Null where nothing was ever served, or where the log is in Kafka, which keeps its own copies. */
async function copyLog({ dataDir, kafka }: Config, aside: string): Promise<CopiedFile | null> {
  if (kafka !== null || !(await exists(join(dataDir, logFile)))) return null
  await makeFolder(join(aside, 'log'))
  await copyLmdbLog(join(dataDir, 'log'), join(aside, 'log'))
  return { path: logFile, ...(await sumOf(join(aside, logFile))) }
}

/**
 * Makes a data directory from a backup. Everything is copied beside its place and compared with the
 * manifest before the first file is put in its place, so that a restore that fails leaves no
 * database.
 */
export async function restore(config: Config, source: string): Promise<Copied> {
  refuseForeign(config, 'restore')
  const path = resolve(source)
  const manifest = await manifestOf(path)
  const lock = await takeDataDir({ path: config.dataDir, holder: 'command', waitMs: 1_000 })
  if (lock === null) throw new Refusal(`A server is running on ${config.dataDir}: stop it first.`)
  try {
    const present = (await readdir(config.dataDir)).filter((name) => name !== 'lock')
    if (present.length > 0) {
      throw new Refusal(
        `${config.dataDir} is not empty (${present[0]}): move it away, or name another DATA_DIR.`,
      )
    }
    const aside = restoringPath(config)
    await mkdir(aside, { mode: 0o700 })
    for (const folder of manifest.folders) await makeFolder(join(aside, folder))
    for (const file of manifest.files) await restoreFile(file, path, aside)
    await syncTree(aside)
    for (const name of await readdir(aside)) {
      await rename(join(aside, name), join(config.dataDir, name))
    }
    await syncOne(config.dataDir)
    // While this folder exists, nothing starts on the data directory.
    await rmdir(aside)
    await syncOne(config.dataDir)
  } finally {
    await lock.release()
  }
  return { path, bytes: bytesOf(manifest.files), manifest }
}

async function restoreFile(file: CopiedFile, source: string, aside: string): Promise<void> {
  const target = join(aside, file.path)
  await makeFolder(dirname(target))
  const sum = await copyFile(join(source, file.path), target)
  if (sum?.sha256 === file.sha256 && sum.bytes === file.bytes) return
  throw new Error(
    `${join(source, file.path)} is ${sum === null ? 'missing' : 'damaged'}: take another backup. Nothing was restored; ${dirname(aside)} can be removed.`,
  )
}

async function manifestOf(path: string): Promise<BackupManifest> {
  const text = await readFile(join(path, manifestName), 'utf8').catch(() => null)
  if (text === null) {
    throw new Refusal(`${path} is no backup: there is no ${manifestName} in it.`)
  }
  const manifest = JSON.parse(text) as BackupManifest
  if (manifest.format === format) return manifest
  throw new Refusal(`${path} is a backup of format ${manifest.format}, and this reads ${format}.`)
}

function refuseForeign({ databaseUrl }: Config, command: string): void {
  if (databaseUrl === null) return
  throw new Refusal(
    `sluice ${command} is for the embedded database, and DATABASE_URL is set: use PostgreSQL's own tools, as deploy/README.md says.`,
  )
}

async function refuseEmptySource(config: Config): Promise<void> {
  if (await exists(join(postgresDirectory(config), 'data', 'PG_VERSION'))) return
  throw new Refusal(`There is nothing to back up in ${config.dataDir}: is DATA_DIR right?`)
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

const bytesOf = (files: readonly CopiedFile[]): number =>
  files.reduce((sum, { bytes }) => sum + bytes, 0)
