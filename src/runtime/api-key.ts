import { createHash, randomBytes } from 'node:crypto'

/**
 * 256 random bits behind a prefix that says what the key may do, and a checksum of both: a made-up
 * key costs a hash, and no question to the store. [requests#keys-and-modes]
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
 * Whether the text can be a key that was made here. The first keys had no checksum and are shorter
 * by it; they stay valid.
 */
export function mayBeApiKey(text: string): boolean {
  const sum = /^slc_(?:test|live)_(?:rw|ro)_[\w-]{43}([\w-]{6})?$/.exec(text)?.[1]
  if (sum !== undefined) return checksumOf(text.slice(0, -checksumLength)) === sum
  return /^slc_(?:test|live)_(?:rw|ro)_[\w-]{43}$/.test(text)
}

/**
 * What is stored of a key. A plain hash is enough, because nobody can try out 2^256 keys; and the
 * key must be found by it.
 */
export function hashOfApiKey(text: string): Uint8Array {
  return createHash('sha256').update(text, 'utf8').digest()
}
