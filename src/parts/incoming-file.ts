import { createHash } from 'node:crypto'
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { randomUuid } from '../runtime/ids.ts'

/** Content that is whole and synced, in a file that nobody else names yet. */
export interface IncomingFile {
  readonly path: string
  /** SHA-256, hexadecimal. */
  readonly digest: string
  readonly bytes: number
}

const dayMs = 24 * 60 * 60 * 1_000

/** Removes what processes that ended left behind; others may still be writing what is young. */
export async function dropForgotten(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  const now = performance.timeOrigin + performance.now()
  for (const path of names.map((name) => join(folder, name))) {
    const found = await stat(path).catch(() => null)
    if (found !== null && now - found.mtimeMs > dayMs) await rm(path, { force: true })
  }
}

/**
 * Writes what comes into a new file of the folder, which only the owner can read, and hands it to
 * `settle`, which moves or copies it. Whatever is left of the file is removed.
 */
export async function withIncoming<T>(
  folder: string,
  content: AsyncIterable<Uint8Array>,
  settle: (file: IncomingFile) => Promise<T>,
): Promise<T> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, randomUuid())
  try {
    return await settle({ path, ...(await written(path, content)) })
  } finally {
    await rm(path, { force: true })
  }
}

async function written(path: string, content: AsyncIterable<Uint8Array>) {
  const file = await open(path, 'wx', 0o600)
  try {
    const hash = createHash('sha256')
    let bytes = 0
    for await (const part of content) {
      hash.update(part)
      await file.writeFile(part)
      bytes += part.length
    }
    await file.sync()
    return { digest: hash.digest('hex'), bytes }
  } finally {
    await file.close()
  }
}
