import { createReadStream } from 'node:fs'
import { mkdir, readdir, rename, rmdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Refusal } from '../../faults.ts'
import type { Files } from '../../parts/files/port.ts'
import type { CopiedFile } from '../../runtime/copying.ts'
import { copyFile, makeFolder, syncOne, syncTree } from '../../runtime/copying.ts'
import { exists, takeDataDir } from '../../runtime/data-dir.ts'
import type { BackupManifest, Copied } from './manifest.ts'
import { copiedBytes, places, readManifest } from './manifest.ts'

/**
 * Makes a data directory from a backup. Everything is copied beside its place and compared with the
 * manifest before the first file is put in its place, so that a restore that fails leaves no
 * database. `openFiles`: the storage that images and files are kept in from now on; null: the data
 * directory.
 */
export async function restore(
  dataDir: string,
  source: string,
  openFiles: (() => Promise<Files>) | null,
): Promise<Copied> {
  const path = resolve(source)
  const manifest = await readManifest(path)
  const lock = await takeDataDir({ path: dataDir, holder: 'command', waitMs: 1_000 })
  if (lock === null) throw new Refusal(`A server is running on ${dataDir}: stop it first.`)
  try {
    const present = (await readdir(dataDir)).filter((name) => name !== 'lock')
    if (present.length > 0) {
      throw new Refusal(
        `${dataDir} is not empty (${present[0]}): move it away, or name another DATA_DIR.`,
      )
    }
    const aside = restoringIn(dataDir)
    await mkdir(aside, { mode: 0o700 })
    for (const folder of manifest.folders) await makeFolder(join(aside, folder))
    for (const file of manifest.files) await restoreFile(file, path, aside)
    await syncTree(aside)
    for (const name of await readdir(aside)) {
      await rename(join(aside, name), join(dataDir, name))
    }
    await syncOne(dataDir)
    if (openFiles !== null) await keepAll(dataDir, manifest, openFiles)
    // While this folder exists, nothing starts on the data directory.
    await rmdir(aside)
    await syncOne(dataDir)
  } finally {
    await lock.release()
  }
  return { path, bytes: copiedBytes(manifest.files), manifest }
}

/** What lay in the data directory goes into the storage, where the server will look for it. */
async function keepAll(
  dataDir: string,
  { files }: BackupManifest,
  openFiles: () => Promise<Files>,
): Promise<void> {
  const kept = files.filter(({ path }) => path.startsWith(`${places.kept}/`))
  if (kept.length === 0) return
  const storage = await openFiles()
  try {
    for (const { path } of kept) await storage.keep(createReadStream(join(dataDir, path)))
  } finally {
    await storage.close()
  }
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

/** Where a restore puts files until all of them are there. */
const restoringIn = (dataDir: string): string => join(dataDir, 'restoring')

/**
 * Half a restore would look like an empty directory, and a new installation would be made there.
 */
export async function refuseHalfRestored(dataDir: string): Promise<void> {
  if (!(await exists(restoringIn(dataDir)))) return
  throw new Refusal(
    `A restore into ${dataDir} was cut short: remove what is in it, and restore again.`,
  )
}
