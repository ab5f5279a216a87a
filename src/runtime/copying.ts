import { createHash } from 'node:crypto'
import { mkdir, open, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** A file of a copied tree, by its path in it. */
export interface CopiedFile {
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

const chunkBytes = 1024 * 1024

/**
 * Copies a file, which may grow meanwhile, and syncs the copy; null where it is gone. Refuses to
 * overwrite.
 */
export async function copyFile(source: string, target: string): Promise<Sum | null> {
  const from = await open(source, 'r').catch(absent)
  if (from === null) return null
  try {
    const to = await open(target, 'wx', 0o600)
    try {
      const hash = createHash('sha256')
      const chunk = Buffer.allocUnsafe(chunkBytes)
      let bytes = 0
      for (;;) {
        const { bytesRead } = await from.read(chunk, 0, chunkBytes, bytes)
        if (bytesRead === 0) break
        const part = chunk.subarray(0, bytesRead)
        hash.update(part)
        await to.writeFile(part)
        bytes += bytesRead
      }
      await to.sync()
      return { bytes, sha256: hash.digest('hex') }
    } finally {
      await to.close()
    }
  } finally {
    await from.close()
  }
}

export type Sum = Pick<CopiedFile, 'bytes' | 'sha256'>

/** Writes and syncs a small file of ours. Refuses to overwrite. */
export async function writeSynced(path: string, text: string): Promise<Sum> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  const sha256 = createHash('sha256').update(text).digest('hex')
  return { bytes: Buffer.byteLength(text), sha256 }
}

/** What a file holds, by length and hash. */
export async function sumOf(path: string): Promise<Sum> {
  const file = await open(path, 'r')
  try {
    const hash = createHash('sha256')
    let bytes = 0
    for await (const part of file.createReadStream({ autoClose: false })) {
      hash.update(part as Buffer)
      bytes += (part as Buffer).length
    }
    return { bytes, sha256: hash.digest('hex') }
  } finally {
    await file.close()
  }
}

/** Syncs the names in a folder and in all folders beneath it. */
export async function syncFolders(path: string): Promise<void> {
  const names = await readdir(path, { recursive: true, withFileTypes: true })
  const folders = names.filter((name) => name.isDirectory())
  for (const { name, parentPath } of folders) await syncFolder(join(parentPath, name))
  await syncFolder(path)
  await syncFolder(dirname(path))
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

export const makeFolder = (path: string): Promise<unknown> =>
  mkdir(path, { recursive: true, mode: 0o700 })

function absent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
