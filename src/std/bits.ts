/**
 * Bits that say of an id whether it was surely never added: a Bloom filter in which all bits of an
 * id lie in one block of 64 bytes, so that a look costs one miss of the caches.
 *
 * An id is told by 48 bits of its fingerprint: `low`, the second word, and `rest`, the upper half of
 * the third one. Another thread may look meanwhile: of an id that is being added it may say no.
 */
export type Bits = Uint32Array

/** How many bits of memory an id takes, and so how many strangers pass for one that was added. */
export type BitsPerId =
  /** Some 26 of a thousand. */
  | 8
  /** Some 2 of a thousand. */
  | 16

const wordsPerBlock = 16
const bitsPerBlock = wordsPerBlock * 32
const blockMask = bitsPerBlock - 1
/** How many of them are set for an id. */
const marksPerId = 6

/** How many words hold so many ids. */
export const wordsFor = (ids: number, each: BitsPerId): number =>
  Math.max(1, Math.ceil((ids * each) / bitsPerBlock)) * wordsPerBlock

export function addTo(bits: Bits, low: number, rest: number): void {
  const block = blockOf(bits, low)
  const hash = hashOf(low, rest)
  const stride = strideOf(hash)
  for (let count = 0, place = hash; count < marksPerId; count += 1, place += stride) {
    const at = place & blockMask
    const word = block + (at >>> 5)
    bits[word] = (bits[word] as number) | (1 << (at & 31))
  }
}

/** False: surely never added. */
export function mayHold(bits: Bits, low: number, rest: number): boolean {
  const block = blockOf(bits, low)
  const hash = hashOf(low, rest)
  const stride = strideOf(hash)
  for (let count = 0, place = hash; count < marksPerId; count += 1, place += stride) {
    const at = place & blockMask
    if ((((bits[block + (at >>> 5)] as number) >>> (at & 31)) & 1) === 0) return false
  }
  return true
}

/** Where the block of an id begins: as far in all of them as `low` lies in all words. */
const blockOf = (bits: Bits, low: number): number =>
  Math.floor((low * (bits.length / wordsPerBlock)) / 4_294_967_296) * wordsPerBlock

/** 31 bits, of which the lower 18 say which bits of the block it is. */
function hashOf(low: number, rest: number): number {
  const hash = Math.imul(low ^ Math.imul(rest + 1, 0x9e3779b1), 0x85ebca6b)
  return Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35) >>> 1
}

/** Odd, so that no bit comes twice. */
const strideOf = (hash: number): number => ((hash >>> 9) & blockMask) | 1
