import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../../faults.ts'
import type { Offset, Partition } from '../../parts/event-log/port.ts'
import type { MovedTable } from '../../parts/store/moving.ts'
import type { CopiedFile } from '../../runtime/copying.ts'
import { sumOf, writeNew } from '../../runtime/copying.ts'

/** What `export.json` says about an export. A folder that has this file is complete. */
export interface ExportManifest {
  readonly format: typeof exportFormat
  /** The moment of the store's snapshot; that of the log is a little later. */
  readonly exportedAt: string
  /** Whether a server was running, so that it may have accepted more since. */
  readonly served: boolean
  /** The newest migration of the store. */
  readonly migration: number
  /** In the order in which they can be loaded. */
  readonly tables: readonly ExportedTable[]
  /** Null: the events are in a log that stays where it is. */
  readonly log: ExportedLog | null
  readonly key: CopiedFile
  /** Images and files, each named by its digest; absent: they stay where they are. */
  readonly kept?: readonly CopiedFile[]
}

export interface ExportedTable extends MovedTable {
  readonly rows: number
  readonly file: CopiedFile
}

export interface ExportedLog {
  readonly identity: string
  /** The logs that this one continued. */
  readonly formerly: readonly string[]
  readonly partitions: readonly ExportedPartition[]
}

/** The end of a partition's log: what is not both measured and archived. */
export interface ExportedPartition {
  readonly partition: Partition
  /** The offset of its first record here, or of the next one where there is none. */
  readonly from: Offset
  readonly records: number
  /** Events in them. */
  readonly events: number
  readonly file: CopiedFile
}

/** An export that was made, or that was imported. */
export interface Moved {
  readonly path: string
  readonly manifest: ExportManifest
}

export const exportFormat = 1
const exportManifestName = 'export.json'

/** Writes the last file of an export: a folder without it is none. */
export async function writeExportManifest(folder: string, manifest: ExportManifest): Promise<void> {
  await writeNew(join(folder, exportManifestName), `${JSON.stringify(manifest, null, 1)}\n`)
}

/** @throws Refusal where there is no export, one of another format, or a damaged one. */
export async function readExport(folder: string): Promise<ExportManifest> {
  const text = await readFile(join(folder, exportManifestName), 'utf8').catch(() => null)
  if (text === null) {
    throw new Refusal(`${folder} is no export: there is no ${exportManifestName} in it.`)
  }
  const manifest = JSON.parse(text) as ExportManifest
  if (manifest.format !== exportFormat) {
    throw new Refusal(
      `${folder} is an export of format ${manifest.format}, and this reads ${exportFormat}.`,
    )
  }
  for (const file of exportedFiles(manifest)) await refuseDamaged(folder, file)
  return manifest
}

async function refuseDamaged(folder: string, file: CopiedFile): Promise<void> {
  const sum = await sumOf(join(folder, file.path)).catch(() => null)
  if (sum?.sha256 === file.sha256 && sum.bytes === file.bytes) return
  const what = sum === null ? 'missing' : 'damaged'
  throw new Refusal(`${join(folder, file.path)} is ${what}: export again. Nothing was imported.`)
}

const exportedFiles = ({ tables, log, key, kept = [] }: ExportManifest): readonly CopiedFile[] => [
  ...tables.map(({ file }) => file),
  ...(log?.partitions ?? []).map(({ file }) => file),
  key,
  ...kept,
]

export const exportedBytes = (manifest: ExportManifest): number =>
  exportedFiles(manifest).reduce((sum, { bytes }) => sum + bytes, 0)

export const rowsIn = ({ tables }: ExportManifest): number =>
  tables.reduce((sum, { rows }) => sum + rows, 0)

/** Events of the log that the export brings along: measured ones, too, that were not archived. */
export const eventsIn = ({ log }: ExportManifest): number =>
  (log?.partitions ?? []).reduce((sum, { events }) => sum + events, 0)
