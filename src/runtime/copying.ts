import { createHash } from 'node:crypto'
import { mkdir, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** A file of a tree that was copied, by its path in the tree. */
export interface CopiedFile {
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

const chunkBytes = 1024 * 1024

/**
 * Copies a file, which may grow meanwhile; null where it is gone. Refuses to overwrite. Does not
 * sync the copy: `syncTree` does that for many at once.
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
      return { bytes, sha256: hash.digest('hex') }
    } finally {
      await to.close()
    }
  } finally {
    await from.close()
  }
}

export type Sum = Pick<CopiedFile, 'bytes' | 'sha256'>

/** Writes a small new file. Refuses to overwrite. */
export async function writeNew(path: string, text: string): Promise<Sum> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
  } finally {
    await file.close()
  }
  const sha256 = createHash('sha256').update(text).digest('hex')
  return { bytes: Buffer.byteLength(text), sha256 }
}

/** The length and the hash of a file's contents. */
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

/** How many syncs run at a time, which the disk does together. */
const syncsMax = 16

/** Syncs all files and folders inside of a folder, and the folder. */
export async function syncTree(path: string): Promise<void> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const paths = [...entries.map(({ name, parentPath }) => join(parentPath, name)), path]
  await Promise.all(Array.from({ length: syncsMax }, syncNext))

  async function syncNext(): Promise<void> {
    for (let next = paths.pop(); next !== undefined; next = paths.pop()) await syncOne(next)
  }
}

/** Syncs one file, or the list of names in a folder. */
export async function syncOne(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

export const makeFolder = (path: string): Promise<unknown> =>
  mkdir(path, { recursive: true, mode: 0o700 })

function absent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
