import assert from 'node:assert/strict'
import { fingerprintBytes, fingerprintWords } from '../../../std/fingerprint.ts'
import type { Fingerprints, Known } from '../port.ts'

/**
 * Ids as the scripts take them: 12 bytes each, in ascending order of their first 20 bits, which
 * choose the bucket. The least significant byte comes first, so that a search begins with bytes
 * that differ, and ends with those that all ids of a bucket have in common.
 */
export interface PackedIds {
  readonly bytes: Buffer
  /** Where the ids stood before they were sorted. */
  readonly order: Uint16Array
}

/**
 * Packs at most 65 536 ids. `ends` says where the ids of each question end; the ids of different
 * questions stay apart, in the order of the questions.
 */
export function packIds(ids: Fingerprints, ends: readonly number[]): PackedIds {
  const count = ids.length / fingerprintWords
  assert(count <= 65_536 && ends.at(-1) === count)
  const keys = new Float64Array(count)
  let index = 0
  for (const [question, end] of ends.entries()) {
    for (; index < end; index += 1) {
      keys[index] =
        (question * 1_048_576 + ((ids[index * fingerprintWords] ?? 0) >>> 12)) * 65_536 + index
    }
  }
  keys.sort()
  const order = new Uint16Array(count)
  const bytes = Buffer.allocUnsafe(count * fingerprintBytes)
  for (let place = 0; place < count; place += 1) {
    const from = (keys[place] ?? 0) % 65_536
    order[place] = from
    for (let word = 0; word < fingerprintWords; word += 1) {
      const value = ids[from * fingerprintWords + word] ?? 0
      write(bytes, place * fingerprintBytes + 4 * (fingerprintWords - 1 - word), value)
    }
  }
  return { bytes, order }
}

/** The bytes of each packed id by which sieves tell it: the third and the five behind it. */
export const [siftedFrom, siftedBytes] = [2, 6]

/** What sieves know of packed ids. */
export function siftedOf(packed: Buffer): Buffer {
  const sifted = Buffer.allocUnsafe((packed.length / fingerprintBytes) * siftedBytes)
  let to = 0
  for (let from = siftedFrom; from < packed.length; from += fingerprintBytes) {
    for (let byte = 0; byte < siftedBytes; byte += 1) sifted[to + byte] = packed[from + byte] ?? 0
    to += siftedBytes
  }
  return sifted
}

/** Sets `known` to 1 for each place that the reply names; a place takes two bytes. */
export function noteFound(reply: Buffer, { order }: PackedIds, known: Known): void {
  for (let at = 0; at + 1 < reply.length; at += 2) {
    const place = ((reply[at] ?? 0) << 8) | (reply[at + 1] ?? 0)
    known[order[place] ?? 0] = 1
  }
}

/** The most ids of one script: Redis does nothing else for the 2 to 6 ms that they take. */
export const idsPerScript = 2_000

export interface ScriptIds {
  readonly ids: Fingerprints
  /** The place of the first id. */
  readonly from: number
}

/** Cuts ids into scripts; at least one, so that a question without ids is asked too. */
export function idsByScript(ids: Fingerprints): readonly ScriptIds[] {
  const parts: ScriptIds[] = []
  for (let from = 0; from === 0 || from < ids.length / fingerprintWords; from += idsPerScript) {
    parts.push({
      ids: ids.subarray(from * fingerprintWords, (from + idsPerScript) * fingerprintWords),
      from,
    })
  }
  return parts
}

/** Little-endian. Four plain stores are faster than `writeUInt32LE`, which checks its arguments. */
function write(bytes: Buffer, at: number, word: number): void {
  bytes[at] = word
  bytes[at + 1] = word >>> 8
  bytes[at + 2] = word >>> 16
  bytes[at + 3] = word >>> 24
}
