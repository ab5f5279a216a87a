import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Refusal } from '../../faults.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { CopiedFile } from '../../runtime/copying.ts'
import { copyFile, makeFolder, sumOf, syncOne, syncTree } from '../../runtime/copying.ts'
import { copyFiles, filesIn } from '../../runtime/copying-tree.ts'
import { exists } from '../../runtime/data-dir.ts'
import type { BackupManifest, Copied } from './manifest.ts'
import { backupFormat, copiedBytes, places, writeManifest } from './manifest.ts'

export interface BackUpNeeds {
  readonly dataDir: string
  /** Opens the database, whether or not a server runs on it. */
  readonly openDatabase: () => Promise<CopyDatabase>
  /** Copies the log of one moment into an empty folder; null: the log keeps its own copies. */
  readonly copyLog: ((folder: string) => Promise<void>) | null
  /** Whether images and files lie in the data directory. */
  readonly holdsFiles: boolean
  readonly clock: Clock
}

/**
 * Copies the database into a new folder, as it is when the copy ends. From its beginning until the
 * process ends nothing is trimmed from the log that the copy has not measured.
 */
export type CopyDatabase = (folder: string) => Promise<{
  readonly folders: readonly string[]
  readonly files: readonly CopiedFile[]
}>

/**
 * Copies the data directory into the new folder `target`, whether or not a server runs on it.
 *
 * The order is the guarantee: first the database, then the log, which is not trimmed meanwhile. So
 * the log's copy has everything that the database's copy has measured, and what came in between is
 * measured from it, once. Images and files come behind the database, too: what its copy names was
 * kept before. Dedupe is left out, since it heals from the database.
 */
export async function backUp(needs: BackUpNeeds, target: string): Promise<Copied> {
  const path = resolve(target)
  const aside = `${path}.partial`
  for (const taken of [path, aside]) {
    if (await exists(taken)) {
      throw new Refusal(`${taken} is there already: name another folder, or remove it.`)
    }
  }
  await refuseEmptySource(needs.dataDir)
  const copyDatabase = await needs.openDatabase()
  await mkdir(aside, { recursive: true, mode: 0o700 })
  try {
    const manifest = await copyAside(needs, copyDatabase, aside)
    await rename(aside, path)
    await syncOne(dirname(path))
    return { path, bytes: copiedBytes(manifest.files), manifest }
  } catch (error) {
    await rm(aside, { recursive: true, force: true })
    throw error
  }
}

async function copyAside(
  { dataDir, copyLog, holdsFiles, clock }: BackUpNeeds,
  copyDatabase: CopyDatabase,
  aside: string,
): Promise<BackupManifest> {
  const { cluster, key: keyFile } = places
  await makeFolder(join(aside, dirname(cluster)))
  const database = await copyDatabase(join(aside, cluster))
  const takenAt = new Date(clock.now() / 1_000).toISOString()
  const files = database.files.map((file) => ({ ...file, path: join(cluster, file.path) }))
  const log = copyLog === null ? null : await logCopied(dataDir, copyLog, aside)
  if (holdsFiles) files.push(...(await keptCopied(dataDir, aside)))
  const key = await copyFile(join(dataDir, keyFile), join(aside, keyFile))
  if (log !== null) files.push(log)
  if (key !== null) files.push({ path: keyFile, ...key })
  const folders = [cluster, ...database.folders.map((folder) => join(cluster, folder))]
  const format = backupFormat
  const manifest = { format, takenAt, hasSecretsKey: key !== null, folders, files } as const
  await writeManifest(aside, manifest)
  await syncTree(aside)
  return manifest
}

async function keptCopied(dataDir: string, aside: string): Promise<readonly CopiedFile[]> {
  const { kept } = places
  const [from, to] = [join(dataDir, kept), join(aside, kept)]
  const whole = (await filesIn(from)).filter((path) => !path.startsWith('incoming'))
  const copied = await copyFiles(whole, { from, to })
  return copied.map((file) => ({ ...file, path: join(kept, file.path) }))
}

/** Null where nothing was ever served. */
async function logCopied(
  dataDir: string,
  copyLog: NonNullable<BackUpNeeds['copyLog']>,
  aside: string,
): Promise<CopiedFile | null> {
  const { log, logFile } = places
  if (!(await exists(join(dataDir, logFile)))) return null
  await makeFolder(join(aside, log))
  await copyLog(join(aside, log))
  return { path: logFile, ...(await sumOf(join(aside, logFile))) }
}

async function refuseEmptySource(dataDir: string): Promise<void> {
  if (await exists(join(dataDir, places.cluster, 'PG_VERSION'))) return
  throw new Refusal(`There is nothing to back up in ${dataDir}: is DATA_DIR right?`)
}
