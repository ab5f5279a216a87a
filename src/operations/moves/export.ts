import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Refusal } from '../../faults.ts'
import type { LogReader } from '../../parts/event-log/port.ts'
import type { MovedRow, MovedTable, MovingStore, StoreSnapshot } from '../../parts/store/moving.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { CopiedFile } from '../../runtime/copying.ts'
import { makeFolder, syncOne, syncTree, writeNew } from '../../runtime/copying.ts'
import { copyFiles, filesIn } from '../../runtime/copying-tree.ts'
import { exists } from '../../runtime/data-dir.ts'
import { writeLines } from './lines.ts'
import type { LogEnd } from './log-end.ts'
import { lineOf, logEnds, readEnd } from './log-end.ts'
import type {
  ExportedLog,
  ExportedPartition,
  ExportedTable,
  ExportManifest,
  Moved,
} from './manifest.ts'
import { exportFormat, writeExportManifest } from './manifest.ts'

export interface ExportNeeds {
  readonly store: MovingStore
  /** Null: the log stays where it is, and the new installation uses the same one. */
  readonly log: LogReader | null
  /** The logs that this one continues. */
  readonly formerly: readonly string[]
  /** It encrypts the secrets in the store. */
  readonly secretsKey: Uint8Array
  /** Whether a server is running on what is exported. */
  readonly served: boolean
  /** The folder of images and files; null: they stay in the storage in which they are. */
  readonly filesFolder: string | null
  readonly clock: Clock
}

/**
 * Writes all that an installation keeps into the new folder `target`, so that another one can be
 * made of it, on other servers or by another release.
 *
 * The order is the guarantee, as with a backup: first the store, of one moment, then the log, which
 * is not trimmed meanwhile. So whatever the store has not measured is in the log's end, once.
 */
export async function exportTo(needs: ExportNeeds, target: string): Promise<Moved> {
  const path = resolve(target)
  if (await exists(path)) {
    throw new Refusal(`${path} is there already: name another folder, or remove it.`)
  }
  const aside = `${path}.partial`
  await clear(aside)
  await mkdir(aside, { recursive: true, mode: 0o700 })
  try {
    const manifest = await needs.store.snapshot((snapshot) => write(needs, snapshot, aside))
    await writeExportManifest(aside, manifest)
    await syncTree(aside)
    await rename(aside, path)
    await syncOne(dirname(path))
    return { path, manifest }
  } catch (error) {
    await rm(aside, { recursive: true, force: true })
    throw error
  }
}

const own = new Set(['store', 'log', 'files', 'secrets.key', 'export.json'])

/** What an export that was killed has left behind is of no use: the next one begins anew. */
async function clear(aside: string): Promise<void> {
  const names = await readdir(aside).catch(() => [])
  const foreign = names.find((name) => !own.has(name))
  if (foreign !== undefined) {
    throw new Refusal(`${aside} holds ${foreign}, which is of no export: name another folder.`)
  }
  await rm(aside, { recursive: true, force: true })
}

async function write(
  needs: ExportNeeds,
  snapshot: StoreSnapshot,
  folder: string,
): Promise<ExportManifest> {
  const exportedAt = new Date(needs.clock.now() / 1_000).toISOString()
  const keyText = `${Buffer.from(needs.secretsKey).toString('base64')}\n`
  const key = { path: 'secrets.key', ...(await writeNew(join(folder, 'secrets.key'), keyText)) }
  // Before the tables, so that a log that does not fit is told at once.
  const { log } = needs
  const ends = log === null ? [] : await logEnds(log, snapshot.partitions)
  await makeFolder(join(folder, 'store'))
  const tables: ExportedTable[] = []
  for (const table of snapshot.tables) tables.push(await writeTable(snapshot, table, folder))
  return {
    format: exportFormat,
    exportedAt,
    served: needs.served,
    migration: snapshot.migration,
    tables,
    log: log === null ? null : { ...(await writeLog(log, ends, folder)), formerly: needs.formerly },
    key,
    ...(needs.filesFolder === null ? {} : { kept: await writeKept(needs.filesFolder, folder) }),
  }
}

/** Behind the tables: what they name was kept before. */
async function writeKept(from: string, folder: string): Promise<readonly CopiedFile[]> {
  const whole = (await filesIn(from)).filter((path) => !path.startsWith('incoming'))
  const copied = await copyFiles(whole, { from, to: join(folder, 'files') })
  return copied.map((file) => ({ ...file, path: join('files', file.path) }))
}

async function writeTable(
  snapshot: StoreSnapshot,
  table: MovedTable,
  folder: string,
): Promise<ExportedTable> {
  const path = join('store', `${table.name}.ndjson.gz`)
  let rows = 0
  const sum = await writeLines(join(folder, path), counted())
  return { ...table, rows, file: { path, ...sum } }

  async function* counted(): AsyncIterable<readonly MovedRow[]> {
    for await (const group of snapshot.rows(table)) {
      rows += group.length
      yield group
    }
  }
}

async function writeLog(
  log: LogReader,
  ends: readonly LogEnd[],
  folder: string,
): Promise<Omit<ExportedLog, 'formerly'>> {
  await makeFolder(join(folder, 'log'))
  const partitions: ExportedPartition[] = []
  for (const { partition, from } of ends) {
    // Asked again: what came in since the store's snapshot belongs to it, too.
    const { end } = await log.bounds(partition)
    partitions.push(await writePartition(log, { partition, from, end }, folder))
  }
  return { identity: log.identity, partitions }
}

async function writePartition(
  log: LogReader,
  end: LogEnd,
  folder: string,
): Promise<ExportedPartition> {
  const { partition, from } = end
  const path = join('log', `${partition}.ndjson.gz`)
  let [records, events] = [0, 0]
  const sum = await writeLines(join(folder, path), lines())
  return { partition, from, records, events, file: { path, ...sum } }

  async function* lines() {
    for await (const group of readEnd(log, end)) {
      records += group.length
      for (const record of group) events += record.events
      yield group.map(lineOf)
    }
  }
}
