import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits behind a prefix that says what the key may do. [ruling 3] */
export function newApiKey(mode: 'test' | 'live', access: 'read' | 'write'): string {
  const rights = access === 'write' ? 'rw' : 'ro'
  return `slc_${mode}_${rights}_${randomBytes(32).toString('base64url')}`
}

/**
 * All that is kept of a key. A plain hash is enough: nobody can try out 2^256 keys, and the key
 * must be looked up by it.
 */
export function hashOfApiKey(text: string): Uint8Array {
  return createHash('sha256').update(text, 'utf8').digest()
}
