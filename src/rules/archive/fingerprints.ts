import assert from 'node:assert/strict'
import { fingerprintBytes, fingerprintWords } from '../../std/fingerprint.ts'

/** Words of fingerprints, [hi0, lo0, rest0, hi1, …], out of the bytes that batches keep. */
export function unpackFingerprints(bytes: Uint8Array): Uint32Array {
  assert(bytes.length % fingerprintBytes === 0)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const words = new Uint32Array(bytes.length / 4)
  for (let index = 0; index < words.length; index += 1) words[index] = view.getUint32(index * 4)
  return words
}

/** Fingerprints as batches keep them: 12 bytes each, in big-endian words. */
export function packFingerprints(words: Uint32Array): Uint8Array {
  const bytes = new Uint8Array(words.length * 4)
  const view = new DataView(bytes.buffer)
  for (let index = 0; index < words.length; index += 1) view.setUint32(index * 4, words[index] ?? 0)
  return bytes
}

/**
 * The first event at or after `from` whose fingerprint an identity begins with; −1 when there is
 * none.
 */
export function findFingerprint(
  words: Uint32Array,
  [hi, lo, rest]: readonly [hi: number, lo: number, rest: number, ...place: number[]],
  from = 0,
): number {
  for (let index = from; index * fingerprintWords < words.length; index += 1) {
    const at = index * fingerprintWords
    if (words[at] === hi && words[at + 1] === lo && words[at + 2] === rest) return index
  }
  return -1
}
