import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../../../faults.ts'
import { limits } from '../../../limits.ts'

/** The most that the write-ahead log of the new cluster takes, as it is set up here. */
const logBytesMax = 1024 ** 3

/**
 * @throws Refusal where the disk of `directory` has no room for a second store like that in `data`.
 */
export async function assertRoom(data: string, directory: string): Promise<void> {
  const stored = await bytesIn(join(data, 'base'))
  const needed = stored + Math.min(stored, logBytesMax) + limits.diskReserveBytes
  const { bavail, bsize } = await statfs(directory)
  if (bavail * bsize >= needed) return
  throw new Refusal(
    `that needs ${mib(needed)} MiB of free disk in ${directory}, and there are ${mib(bavail * bsize)}: make room, and start again.`,
  )
}

async function bytesIn(folder: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size
  }
  return bytes
}

const mib = (bytes: number): number => Math.ceil(bytes / 1024 ** 2)
