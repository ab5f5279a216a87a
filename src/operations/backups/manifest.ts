import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../../faults.ts'
import type { CopiedFile } from '../../runtime/copying.ts'
import { writeNew } from '../../runtime/copying.ts'

/** What `backup.json` says about a backup. A folder that has this file is complete. */
export interface BackupManifest {
  readonly format: typeof backupFormat
  /** The moment of the database's copy; that of the log is a little later. */
  readonly takenAt: string
  /** Whether the backup holds the key that encrypts secrets; if not, it came from SECRETS_KEY. */
  readonly hasSecretsKey: boolean
  readonly folders: readonly string[]
  readonly files: readonly CopiedFile[]
}

/** A backup that was made, or from which a data directory was made. */
export interface Copied {
  readonly path: string
  readonly bytes: number
  readonly manifest: BackupManifest
}

export const backupFormat = 1
const manifestName = 'backup.json'

/** Where things lie, in a backup as in a data directory. */
export const places = {
  cluster: join('postgres', 'data'),
  log: 'log',
  logFile: join('log', 'data.mdb'),
  key: 'secrets.key',
  /** Images and files under their digests. */
  kept: 'files',
} as const

/** Writes the last file of a backup: a folder without it is no backup. */
export async function writeManifest(folder: string, manifest: BackupManifest): Promise<void> {
  await writeNew(join(folder, manifestName), `${JSON.stringify(manifest)}\n`)
}

/** @throws Refusal where there is no backup, or one of another format. */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const text = await readFile(join(folder, manifestName), 'utf8').catch(() => null)
  if (text === null) {
    throw new Refusal(`${folder} is no backup: there is no ${manifestName} in it.`)
  }
  const manifest = JSON.parse(text) as BackupManifest
  if (manifest.format === backupFormat) return manifest
  throw new Refusal(
    `${folder} is a backup of format ${manifest.format}, and this reads ${backupFormat}.`,
  )
}

export const copiedBytes = (files: readonly CopiedFile[]): number =>
  files.reduce((sum, { bytes }) => sum + bytes, 0)
