import { randomBytes } from 'node:crypto'
import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../faults.ts'

/**
 * The 32 bytes that encrypt stored secrets: from the setting, or from a file in the data directory
 * that the first start makes. The caller holds the directory's lock.
 *
 * @throws Refusal when the file is not one that we wrote: another key would make every secret
 * unreadable.
 */
export async function secretsKeyOf(
  dataDir: string,
  setting: Uint8Array | null,
): Promise<Uint8Array> {
  if (setting !== null) return setting
  const path = join(dataDir, 'secrets.key')
  const text = await readFile(path, 'utf8').catch(missing)
  if (text === null) return makeKey(path)
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length === 32) return new Uint8Array(key)
  throw new Refusal(`${path} does not hold 32 bytes in base64: restore it from a backup.`)
}

async function makeKey(path: string): Promise<Uint8Array> {
  const key = new Uint8Array(randomBytes(32))
  // Written beside its place and then moved, so that a crash leaves no half a key behind.
  const file = await open(`${path}.new`, 'w', 0o600)
  try {
    await file.writeFile(`${Buffer.from(key).toString('base64')}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
  return key
}

function missing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
