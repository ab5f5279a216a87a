import { link, open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, syncOne } from '../../../runtime/copying.ts'
import { dropForgotten, withIncoming } from '../../incoming-file.ts'
import type { ByteRange, Files, KeptFile } from '../port.ts'

/**
 * Files in a folder, under their digests:
 *
 *    files/incoming/…    what is being written; nothing in it is of use after a crash
 *    files/ab/ab3f…      what is kept, each file once
 *
 * A file is written and synced beside its place and then linked there, so that whatever has a
 * digest for its name is whole, whenever the machine stops. [operations#files]
 */
export async function openFolderFiles(folder: string): Promise<Files> {
  await dropForgotten(join(folder, 'incoming'))
  return { keep, size, read, close: () => Promise.resolve() }

  function keep(content: AsyncIterable<Uint8Array>): Promise<KeptFile> {
    return withIncoming(join(folder, 'incoming'), content, async ({ path, digest, bytes }) => {
      const shelf = shelfOf(digest)
      await makeFolder(shelf)
      await link(path, join(shelf, digest)).catch(unlessThere)
      await syncOne(shelf)
      await syncOne(folder)
      return { digest, bytes }
    })
  }

  async function size(digest: string): Promise<number | null> {
    const found = await stat(pathOf(digest)).catch(absent)
    return found === null ? null : found.size
  }

  async function read(
    digest: string,
    range?: ByteRange,
  ): Promise<AsyncIterable<Uint8Array> | null> {
    const file = await open(pathOf(digest), 'r').catch(absent)
    if (file === null) return null
    const part = range === undefined ? {} : { start: range.from, end: range.to }
    return file.createReadStream({ ...part, highWaterMark: chunkBytes })
  }

  function shelfOf(digest: string): string {
    return join(folder, digest.slice(0, 2))
  }

  function pathOf(digest: string): string {
    return join(shelfOf(digest), digest)
  }
}

const chunkBytes = 256 * 1024

function absent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
