// Reads metadata whose bytes, without the blanks between them, are what JSON.stringify writes: one
// level of texts, numbers, true, false and null, where keys differ, no key is an index of an array
// (which JSON.parse would move to the front), and texts and numbers are written in the one way in
// which JSON.stringify writes them.
import {
  afterBlanks,
  byteAt,
  closeObject,
  comma,
  isDigit,
  minusSign,
  numberEnd,
  plainTextEnd,
  quote,
  standsAt,
  textEnd,
  unusual,
  valueAfter,
} from './json.ts'
import { hashOf, keyHashes, keyMax, keysMax, wordBytes, valueMax, wordOf } from './memory.ts'

/** How long the object that was read last is without the blanks outside of its texts. */
export let size: u32 = 0

/** The position behind the object whose bracket stands at `from`. */
export function objectEnd(from: usize): usize {
  let length: usize = 2
  size = 2
  let at = afterBlanks(from + 1)
  if (byteAt(at) === closeObject) return at + 1
  for (let count = 0; count < keysMax; count += 1) {
    const key = keyEnd(at)
    if (key === unusual || isRepeated(hashOf(at + 1, key), count)) return unusual
    const value = valueAfter(key + 1)
    const end = value === unusual ? unusual : valueEnd(value)
    if (end === unusual) return unusual
    length += key + 1 - at + 1 + end - value
    at = afterBlanks(end)
    const sign = byteAt(at)
    if (sign === closeObject) {
      size = <u32>length
      return at + 1
    }
    if (sign !== comma) return unusual
    length += 1
    at = afterBlanks(at + 1)
  }
  return unusual
}

/** Two hashes alike are two equal keys, or rare enough. */
function isRepeated(hash: u32, count: i32): bool {
  const end = keyHashes + <usize>count * 4
  for (let at = keyHashes; at < end; at += 4) if (load<u32>(at) === hash) return true
  store<u32>(end, hash)
  return false
}

/** The position of the closing quote of the key whose opening quote stands at `from`. */
function keyEnd(from: usize): usize {
  if (byteAt(from) !== quote || isDigit(byteAt(from + 1))) return unusual
  const end = plainTextEnd(from + 1)
  if (end === unusual) return unusual
  // As many bytes as it may have characters: a text has at most as many characters as bytes.
  return end - from - 1 > <usize>keyMax ? unusual : end
}

/** The position behind a value. */
function valueEnd(from: usize): usize {
  const first = byteAt(from)
  if (first === quote) {
    const end = textEnd(from + 1)
    return end === unusual || end - from - 1 > <usize>valueMax ? unusual : end + 1
  }
  if (first === minusSign || isDigit(first)) return numberEnd(from)
  if (standsAt(trueWord, from)) return from + wordBytes(trueWord)
  if (standsAt(falseWord, from)) return from + wordBytes(falseWord)
  return standsAt(nullWord, from) ? from + wordBytes(nullWord) : unusual
}

const trueWord = wordOf('true')
const falseWord = wordOf('false')
export const nullWord = wordOf('null')
