import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Refusal } from '../../faults.ts'
import type { EventLog, LogOrigin, LogReader, LogStart } from '../../parts/event-log/port.ts'
import type { Files } from '../../parts/files/port.ts'
import type {
  EmptyStore,
  ImportClaim,
  MovedLog,
  MovedRow,
  StoreLoading,
} from '../../parts/store/moving.ts'
import type { CopiedFile } from '../../runtime/copying.ts'
import { readLines } from './lines.ts'
import type { RecordLine } from './log-end.ts'
import { recordIn } from './log-end.ts'
import type { ExportedLog, ExportedPartition, ExportManifest, Moved } from './manifest.ts'
import { readExport } from './manifest.ts'

/** The log that an import fills. */
export interface ImportedLog {
  readonly kind: MovedLog['kind']
  readonly log: EventLog
  readonly reader: LogReader
  /** The log's identity once it goes on where another one ended. */
  readonly onwards: string
}

export interface ImportNeeds {
  readonly store: EmptyStore
  /** The newest migration that this release knows. */
  readonly migrations: number
  /** Opens the log to fill, or makes it. Null: the events stay in the log in which they are. */
  readonly openLog: (partitions: number | null) => Promise<ImportedLog | null>
  /** Takes the key that encrypts the secrets, or throws a Refusal where it is not the one. */
  readonly takeKey: (key: Uint8Array) => Promise<void>
  /** Whether images and files are kept in a storage, and not in the data directory. */
  readonly hasStorage: boolean
  /** Keeps images and files; opened where the export brings some. */
  readonly openFiles: () => Promise<Pick<Files, 'keep'>>
  /** Brings the loaded store up to this release. */
  readonly bringUp: () => Promise<void>
}

/**
 * Makes an installation of an export, in an empty database and an empty log. [machines#moving]
 *
 * 1. Whatever can be refused is refused, and nothing is changed.
 * 2. The database is claimed: until the end no process starts on it. A crash from here on costs
 *    another `import`, which begins anew.
 * 3. The log gets the export's end of the old one. What an earlier try has left there lies before
 *    it, and is never read.
 * 4. Images and files are kept under their digests; a repeat keeps them once.
 * 5. The store is loaded in one transaction, which names the log and ends the claim.
 * 6. Where the export is older than this release, the tables are brought up to date, as by any
 *    start.
 */
export async function importFrom(needs: ImportNeeds, source: string): Promise<Moved> {
  const path = resolve(source)
  const manifest = await readExport(path)
  const { migration } = manifest
  if (migration > needs.migrations) {
    throw new Refusal(
      `${path} is of a newer release (migration ${migration}, and this one knows ${needs.migrations}): import with that one.`,
    )
  }
  refuseWithoutFiles(needs, manifest)
  const claim = await needs.store.inspect(migration)
  await needs.takeKey(Buffer.from(await readFile(join(path, manifest.key.path), 'utf8'), 'base64'))
  const log = await needs.openLog(manifest.log?.partitions.length ?? null)
  if (log !== null) await refuseFull(log, claim)
  await needs.store.claim(migration, log?.log.identity ?? null)
  const onwards =
    log === null || manifest.log === null ? null : await filled(log, manifest.log, path)
  await keepAll(needs, path, manifest.kept ?? [])
  await needs.store.load((loading) => loadAll(loading, { path, manifest, onwards }))
  await needs.bringUp()
  return { path, manifest }
}

/** Images and files in a storage are not in the export: without it they would be gone. */
function refuseWithoutFiles({ hasStorage }: ImportNeeds, { kept, tables }: ExportManifest): void {
  const named = tables.find(({ name }) => name === 'files')?.rows ?? 0
  if (hasStorage || kept !== undefined || named === 0) return
  throw new Refusal('The images and files of the export are in a storage: set FILES_URL as it was.')
}

async function keepAll(
  { openFiles }: ImportNeeds,
  folder: string,
  kept: readonly CopiedFile[],
): Promise<void> {
  if (kept.length === 0) return
  const files = await openFiles()
  for (const { path, sha256 } of kept) {
    const { digest } = await files.keep(createReadStream(join(folder, path)))
    if (digest === sha256) continue
    throw new Error(`${join(folder, path)} changed while it was imported: export again.`)
  }
}

async function refuseFull({ log, reader }: ImportedLog, claim: ImportClaim): Promise<void> {
  // What is there was put there by an import that was cut short.
  if (claim.log === log.identity) return
  for (let partition = 0; partition < log.partitions; partition += 1) {
    const { first, end } = await reader.bounds(partition)
    if (first === end) continue
    throw new Refusal(
      `The event log is not empty (there are records in partition ${partition}): import into a new one.`,
    )
  }
}

async function filled(
  target: ImportedLog,
  { identity, formerly, partitions }: ExportedLog,
  folder: string,
): Promise<MovedLog> {
  const starts: LogStart[] = []
  for (const partition of partitions) {
    starts.push(await filledPartition(target, partition, folder))
  }
  const origin: LogOrigin = { starts, formerly: [...formerly, identity] }
  return { kind: target.kind, identity: target.onwards, origin }
}

/** Answers where the log goes on: each record keeps the offset that it had. */
async function filledPartition(
  { log, reader }: ImportedLog,
  exported: ExportedPartition,
  folder: string,
): Promise<LogStart> {
  const { partition, from, records, file } = exported
  for (let tries = 0; tries < triesMax; tries += 1) {
    const { end: stored } = await reader.bounds(partition)
    if (!(await appended(stored))) continue
    const { end } = await reader.bounds(partition)
    if (end === stored + records) return { stored, offset: from }
  }
  throw new Error(
    `The event log stores records of partition ${partition} twice, again and again: see whether its servers are well, and import again.`,
  )

  /** False where a record got another offset than the next one: an append was repeated. */
  async function appended(stored: number): Promise<boolean> {
    let next = stored
    for await (const lines of readLines<RecordLine>(join(folder, file.path))) {
      const offsets = await log.append(lines.map((line) => recordIn(partition, line)))
      for (const offset of offsets) {
        if (offset !== next) return false
        next += 1
      }
    }
    return true
  }
}

const triesMax = 5

interface Loaded {
  readonly path: string
  readonly manifest: ExportManifest
  readonly onwards: MovedLog | null
}

async function loadAll(loading: StoreLoading, { path, manifest, onwards }: Loaded): Promise<void> {
  for (const table of manifest.tables) {
    await loading.begin(table)
    for await (const rows of readLines<MovedRow>(join(path, table.file.path))) {
      await loading.add(table, rows)
    }
  }
  if (onwards !== null) await loading.goOn(onwards)
}
