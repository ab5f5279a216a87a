import { limits } from '../../../limits.ts'
import {
  afterBlanks,
  byteAt,
  plainTextEnd,
  signs,
  standsAt,
  textEnd,
  unusual,
  valueAfter,
  wordOf,
} from './bytes.ts'
import { isDigit, numberEnd } from './numbers.ts'

/** Reads metadata whose bytes, without the blanks between them, are what JSON.stringify writes. */
export interface MetadataScanner {
  /** The position behind the object whose bracket stands at `from`. */
  endOf(bytes: Uint8Array, from: number): number
  /** How long the object that was read last is without the blanks outside of its texts. */
  readonly size: number
}

/**
 * Takes one level of texts, numbers, true, false and null. The bytes are those of JSON.stringify
 * where keys differ, no key is an index of an array (which JSON.parse would move to the front), and
 * texts and numbers are written in the one way that JSON.stringify writes them.
 */
export function metadataScanner(): MetadataScanner {
  /** Hashes of the keys so far: two alike are two equal keys, or rare enough. */
  const hashes = new Int32Array(limits.metadataKeysMax)
  const self = { endOf, size: 0 }
  return self

  function endOf(bytes: Uint8Array, from: number): number {
    self.size = 2
    let at = afterBlanks(bytes, from + 1)
    if (byteAt(bytes, at) === signs.closeObject) return at + 1
    for (let count = 0; count < limits.metadataKeysMax; count += 1) {
      const key = keyEnd(bytes, at)
      if (key === unusual || isRepeated(hashOf(bytes, at + 1, key), count)) return unusual
      const value = valueAfter(bytes, key + 1)
      const end = value === unusual ? unusual : valueEnd(bytes, value)
      if (end === unusual) return unusual
      self.size += key + 1 - at + 1 + end - value
      at = afterBlanks(bytes, end)
      const sign = byteAt(bytes, at)
      if (sign === signs.closeObject) return at + 1
      if (sign !== signs.comma) return unusual
      self.size += 1
      at = afterBlanks(bytes, at + 1)
    }
    return unusual
  }

  function isRepeated(hash: number, count: number): boolean {
    for (let index = 0; index < count; index += 1) if (hashes[index] === hash) return true
    hashes[count] = hash
    return false
  }
}

/** The position of the closing quote of the key whose opening quote stands at `from`. */
function keyEnd(bytes: Uint8Array, from: number): number {
  if (byteAt(bytes, from) !== signs.quote || isDigit(byteAt(bytes, from + 1))) return unusual
  const end = plainTextEnd(bytes, from + 1)
  // As many bytes as it may have characters: a text has at most as many characters as bytes.
  return end - from - 1 > limits.metadataKeyMax ? unusual : end
}

function hashOf(bytes: Uint8Array, from: number, end: number): number {
  let hash = 0
  for (let at = from; at < end; at += 1) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193)
  return hash
}

/** The position behind a value. */
function valueEnd(bytes: Uint8Array, from: number): number {
  const first = byteAt(bytes, from)
  if (first === signs.quote) {
    const end = textEnd(bytes, from + 1)
    return end === unusual || end - from - 1 > limits.metadataValueMax ? unusual : end + 1
  }
  if (first === signs.minus || isDigit(first)) return numberEnd(bytes, from)
  for (const word of words) if (standsAt(word, bytes, from)) return from + word.length
  return unusual
}

const words = ['true', 'false', 'null'].map(wordOf)
