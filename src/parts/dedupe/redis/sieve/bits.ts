/**
 * Bits that say of an id whether it was surely never added: a Bloom filter in which all bits of an
 * id lie in one block of 64 bytes, so that a look costs one miss of the caches. Filled with the ids
 * that it was made for, it takes some two of a thousand strangers for ids of its own.
 *
 * An id is told by 48 bits of its fingerprint, which every bucket keeps (scripts/buckets.lua):
 * `low`, the second word, and `rest`, the upper half of the third one.
 */
export type Bits = Uint32Array<ArrayBuffer>

const wordsPerBlock = 16
const blockMask = wordsPerBlock * 32 - 1
/** 16 bits each. */
const idsPerBlock = 32
const bitsPerId = 6

/** Room for so many ids. */
export const bitsFor = (ids: number): Bits =>
  new Uint32Array(Math.max(1, Math.ceil(ids / idsPerBlock)) * wordsPerBlock)

export function addTo(bits: Bits, low: number, rest: number): void {
  const block = blockOf(bits, low)
  const hash = hashOf(low, rest)
  const stride = strideOf(hash)
  for (let count = 0, place = hash; count < bitsPerId; count += 1, place += stride) {
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
  for (let count = 0, place = hash; count < bitsPerId; count += 1, place += stride) {
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
