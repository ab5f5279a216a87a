import assert from 'node:assert/strict'

/** Words of fingerprints, [hi0, lo0, hi1, lo1, …], out of 8 big-endian bytes each. */
export function unpackFingerprints(bytes: Uint8Array): Uint32Array {
  assert(bytes.length % 8 === 0)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const words = new Uint32Array(bytes.length / 4)
  for (let index = 0; index < words.length; index += 1) words[index] = view.getUint32(index * 4)
  return words
}

export function packFingerprints(words: Uint32Array): Uint8Array {
  const bytes = new Uint8Array(words.length * 4)
  const view = new DataView(bytes.buffer)
  for (const [index, word] of words.entries()) view.setUint32(index * 4, word)
  return bytes
}

/** Which event has the fingerprint, from `from` on; −1 when none. */
export function findFingerprint(
  words: Uint32Array,
  [hi, lo]: readonly [number, number],
  from = 0,
): number {
  for (let index = from; index * 2 < words.length; index += 1) {
    if (words[index * 2] === hi && words[index * 2 + 1] === lo) return index
  }
  return -1
}
