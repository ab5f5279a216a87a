// Node's Buffer does these ten times faster than the language's own functions, and reads shared
// memory, which a TextDecoder refuses. The pure rooms use it only here, and see plain Uint8Arrays.
import { isAscii, isUtf8 } from 'node:buffer'

export { isUtf8 }

/** UTF-8 as text; bytes that are not UTF-8 read as U+FFFD. */
export function textOf(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return buffer.toString(isAscii(bytes) ? 'latin1' : 'utf8')
}

export const concat = (parts: readonly Uint8Array[]): Uint8Array => Buffer.concat(parts)

export const base64Of = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

export const sameBytes = (one: Uint8Array, other: Uint8Array): boolean =>
  Buffer.compare(one, other) === 0
