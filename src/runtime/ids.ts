import { createHash, randomFillSync, randomUUID } from 'node:crypto'
import type { IdPrefix, NewId } from '../std/id.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_'
const length = 21

/**
 * 21 characters of 6 random bits: 126 bits. They come from a pool, since each draw is a system
 * call, and each character that is joined to a text an object.
 */
export function randomIds(): NewId {
  const pool = Buffer.alloc(length * 1_024)
  let next = pool.length
  return (prefix: IdPrefix) => {
    if (next === pool.length) {
      randomFillSync(pool)
      pool.forEach((byte, at) => {
        pool[at] = alphabet.charCodeAt(byte & 63)
      })
      next = 0
    }
    next += length
    return `${prefix}_${pool.toString('latin1', next - length, next)}`
  }
}

/** The one id that these texts name: 126 bits of a digest, in which their lengths count. */
export function idFrom(prefix: IdPrefix, texts: readonly string[]): string {
  const digest = createHash('sha256').update(JSON.stringify(texts)).digest()
  return `${prefix}_${[...digest.subarray(0, length)].map((byte) => alphabet[byte & 63]).join('')}`
}

/** 256 bits of what is asked for, to tell whether it is asked for again: 43 characters. */
export const digestOfAsked = (asked: unknown): string =>
  createHash('sha256').update(JSON.stringify(asked)).digest('base64url')

/** 122 random bits, in the form in which the API has the ids of some smaller things. */
export const randomUuid = (): string => randomUUID()
