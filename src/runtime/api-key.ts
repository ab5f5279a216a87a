import { createHash, randomBytes } from 'node:crypto'

/**
 * 256 random bits behind a prefix that says what the key may do, and a checksum of both: whoever
 * makes keys up costs a hash, and no question to the store. [requests#keys-and-modes]
 */
export function newApiKey(mode: 'test' | 'live', access: 'read' | 'write'): string {
  const rights = access === 'write' ? 'rw' : 'ro'
  const bare = `slc_${mode}_${rights}_${randomBytes(32).toString('base64url')}`
  return bare + checksumOf(bare)
}

const checksumLength = 6

const checksumOf = (bare: string): string =>
  createHash('sha256').update(`sum ${bare}`).digest('base64url').slice(0, checksumLength)

/**
 * Whether the text can be a key that was ever made here. The first ones had no checksum: they are
 * as much shorter, and stay valid.
 */
export function mayBeApiKey(text: string): boolean {
  const sum = /^slc_(?:test|live)_(?:rw|ro)_[\w-]{43}([\w-]{6})?$/.exec(text)?.[1]
  if (sum !== undefined) return checksumOf(text.slice(0, -checksumLength)) === sum
  return /^slc_(?:test|live)_(?:rw|ro)_[\w-]{43}$/.test(text)
}

/**
 * All that is kept of a key. A plain hash is enough: nobody can try out 2^256 keys, and the key
 * must be looked up by it.
 */
export function hashOfApiKey(text: string): Uint8Array {
  return createHash('sha256').update(text, 'utf8').digest()
}
