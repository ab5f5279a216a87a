import assert from 'node:assert/strict'

/**
 * Bloom filters: bytes that answer "certainly not" or "perhaps" for a key. Bit `n` is bit `n & 7`
 * of byte `n >> 3`, which is how PostgreSQL's get_bit numbers them, so that the store can look by
 * itself.
 *
 * With 12 bits a key and 6 probes, four keys in a thousand get a false "perhaps". In ten million
 * events that unpacks a few more blocks; and it leaves room, within two bytes per event, for
 * everything else that finds blocks. A filter with other bits a key can be asked too, since the
 * probes are the same.
 */
export const bitsPerKey = 12
const probesPerKey = 6

/** The smallest filter: a smaller one for one or two keys would say "perhaps" to everything. */
const bytesMin = 4

/** A filter over keys of two 32-bit words each: [hi0, lo0, hi1, lo1, …]. */
export function bloomOf(words: Uint32Array): Uint8Array {
  assert(words.length % 2 === 0)
  const filter = new Uint8Array(
    Math.max(bytesMin, Math.ceil(((words.length / 2) * bitsPerKey) / 8)),
  )
  const bits = filter.length * 8
  for (let index = 0; index < words.length; index += 2) {
    const [first, step] = startOf(words[index] ?? 0, words[index + 1] ?? 0)
    for (let probe = 0, at = first; probe < probesPerKey; probe += 1, at += step) {
      const bit = at % bits
      filter[bit >> 3] = (filter[bit >> 3] ?? 0) | (1 << (bit & 7))
    }
  }
  return filter
}

/**
 * Where a key's bits are, for any length of the filter: each number modulo the count of bits. They
 * are whole numbers below 2^35.
 */
export function probesOf(hi: number, lo: number): readonly number[] {
  const [first, step] = startOf(hi, lo)
  return Array.from({ length: probesPerKey }, (_, probe) => first + probe * step)
}

/** Two words for a text, for filters over names. Not keyed, because a collision only costs time. */
export function wordsOf(text: string): readonly [number, number] {
  const words = { hi: 0, lo: 0 }
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))
  wordsOver(0, units.length, units, words)
  return [words.hi, words.lo]
}

/** The same over the code units of a text from `from` to `to`, which for ASCII are its bytes. */
export function wordsOver(
  from: number,
  to: number,
  ...[units, words]: readonly [ArrayLike<number>, { hi: number; lo: number }]
): void {
  let hi = 0x811c9dc5
  let lo = 0x9747b28c
  for (let index = from; index < to; index += 1) {
    const unit = units[index] ?? 0
    hi = Math.imul(hi ^ unit, 0x01000193)
    lo = Math.imul(lo ^ unit, 0x5bd1e995)
    lo ^= lo >>> 15
  }
  words.hi = hi >>> 0
  words.lo = lo >>> 0
}

/**
 * Double hashing. The words are mixed first: keys of one partition agree in the bits that chose the
 * partition, and would otherwise crowd into a fraction of the filter. The step is odd, so that it
 * is never zero.
 */
function startOf(hi: number, lo: number): [number, number] {
  return [stirred(hi ^ Math.imul(lo, 0x9e3779b1)), (stirred(lo ^ 0x85ebca77) | 1) >>> 0]
}

/** The finalizer of MurmurHash3: every bit of the input moves half of the output. */
function stirred(word: number): number {
  let mixed = word
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
