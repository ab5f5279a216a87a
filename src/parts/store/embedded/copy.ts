import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { CopiedFile, Sum } from '../../../runtime/copying.ts'
import { copyFile, makeFolder, writeNew } from '../../../runtime/copying.ts'
import type { StoreBackup } from '../backup.ts'

export interface CopiedTree {
  readonly folders: readonly string[]
  readonly files: readonly CopiedFile[]
}

// Only the folders themselves are copied, not what is in them: the server makes that anew.
const emptied = new Set(
  ['pg_wal', 'pg_replslot', 'pg_dynshmem', 'pg_notify', 'pg_serial', 'pg_snapshots'].concat([
    'pg_stat_tmp',
    'pg_subtrans',
  ]),
)
const skipped = /^(postmaster\.(pid|opts)|backup_label.*|tablespace_map.*|pgsql_tmp.*|.*\.tmp)$/

/**
 * Copies the data directory of a running server. The copied pages may be torn, and the files of
 * different moments: the server makes one consistent whole of them from the segments of the
 * write-ahead log, which are copied last, as it does after a crash.
 */
export async function copyCluster(
  backup: Pick<StoreBackup, 'begin' | 'end'>,
  data: string,
  target: string,
): Promise<CopiedTree> {
  const folders: string[] = []
  const files: CopiedFile[] = []
  await makeFolder(target)
  await backup.begin()
  await copyFolder('')
  const { label, firstSegment, lastSegment } = await backup.end()
  for (const name of await readdir(join(data, 'pg_wal'))) {
    if (!/^[0-9A-F]{24}$/.test(name) || name < firstSegment || name > lastSegment) continue
    await copyOne(join('pg_wal', name))
  }
  const needed = [firstSegment, lastSegment].map((name) => join('pg_wal', name))
  if (!needed.every((path) => files.some((file) => file.path === path))) {
    throw new Error('PostgreSQL has not kept its write-ahead log for the length of the backup.')
  }
  files.push({ path: label.name, ...(await writeNew(join(target, label.name), label.text)) })
  return { folders, files }

  async function copyFolder(folder: string): Promise<void> {
    for (const entry of await readdir(join(data, folder), { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (skipped.test(entry.name)) continue
      if (entry.isDirectory()) {
        folders.push(path)
        await makeFolder(join(target, path))
        if (!emptied.has(path)) await copyFolder(path)
      } else if (entry.isFile()) await copyOne(path)
    }
  }

  async function copyOne(path: string): Promise<void> {
    // A file that is gone meanwhile was deleted by the server, and the write-ahead log says so.
    const sum: Sum | null = await copyFile(join(data, path), join(target, path))
    if (sum !== null) files.push({ path, ...sum })
  }
}
