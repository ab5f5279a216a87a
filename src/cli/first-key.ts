import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The key of the first start, so that `sluice api` needs none. It may lie there in clear text,
 * because a user who can read the data directory has all that the key leads to, and more: the
 * events, the books, and the key of all secrets. It is for test mode, and no backup takes it along.
 * [security#another-user-of-the-machine]
 */
const pathOf = (dataDir: string): string => join(dataDir, 'first-start.key')

/** Keeps the key for this user alone. The caller holds the directory's lock. */
export async function keepFirstKey(dataDir: string, apiKey: string): Promise<void> {
  const path = pathOf(dataDir)
  // Never at its place with half a key, or with the rights of a file that was there before.
  await rm(`${path}.new`, { force: true })
  const file = await open(`${path}.new`, 'wx', 0o600)
  try {
    await file.writeFile(`${apiKey}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
}

/**
 * Null: there is none.
 *
 * @throws Error where others may read the file: then others may have the key.
 */
export async function readFirstKey(dataDir: string): Promise<string | null> {
  const path = pathOf(dataDir)
  const found = await stat(path).catch(() => null)
  if (found === null) return null
  if ((found.mode & 0o077) !== 0) {
    throw new Error(
      `${path} can be read by other users: revoke the key with \`sluice keys revoke\`, and remove the file.`,
    )
  }
  return (await readFile(path, 'utf8')).trim() || null
}
