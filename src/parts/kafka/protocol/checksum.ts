import { crc32c } from '../../../std/crc32c.ts'
import { nativeCrc32c } from '../crc32.ts'

/** Below it a call out of JavaScript costs what it saves (measured: even at 300, half at 700). */
const nativeBytesMin = 512

/** The CRC-32C of the bytes from one position up to another. */
export function checksumOf(bytes: Uint8Array, from: number, end: number): number {
  if (nativeCrc32c === null || end - from < nativeBytesMin) return crc32c(bytes, from, end)
  return nativeCrc32c(bytes.subarray(from, end)) | 0
}
