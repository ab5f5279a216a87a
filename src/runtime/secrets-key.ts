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

/**
 * Puts a key into a data directory, where secrets encrypted with it come to.
 *
 * @throws Refusal where another key is there.
 */
export async function putSecretsKey(dataDir: string, key: Uint8Array): Promise<void> {
  const path = join(dataDir, 'secrets.key')
  const text = await readFile(path, 'utf8').catch(missing)
  if (text === null) await writeKey(path, key)
  else if (!Buffer.from(text.trim(), 'base64').equals(key)) {
    throw new Refusal(`${path} holds another key: move it away, or name another DATA_DIR.`)
  }
}

async function makeKey(path: string): Promise<Uint8Array> {
  const key = new Uint8Array(randomBytes(32))
  await writeKey(path, key)
  return key
}

async function writeKey(path: string, key: Uint8Array): Promise<void> {
  // Written beside its place and then moved, so that a crash leaves no half a key behind.
  const file = await open(`${path}.new`, 'w', 0o600)
  try {
    await file.writeFile(`${Buffer.from(key).toString('base64')}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
}

function missing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
