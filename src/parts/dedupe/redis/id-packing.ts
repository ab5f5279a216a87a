import assert from 'node:assert/strict'
import { fingerprintBytes, fingerprintWords } from '../../../std/fingerprint.ts'
import type { Fingerprints, Known } from '../port.ts'

/**
 * Ids as the scripts take them: in ascending order of their first 20 bits, which choose the bucket,
 * 12 bytes each, the least significant byte first: so those that a bucket has in common come last,
 * and a search begins with bytes that differ.
 */
export interface PackedIds {
  readonly bytes: Buffer
  /** Where the ids stood before they were sorted. */
  readonly order: Uint16Array
}

/**
 * At most 65 536 ids. `ends`: where the ids of each question end, who stay apart and in their
 * order.
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

/** Sets `known` to 1 for the places that a reply names, two bytes each. */
export function noteFound(reply: Buffer, { order }: PackedIds, known: Known): void {
  for (let at = 0; at + 1 < reply.length; at += 2) {
    const place = ((reply[at] ?? 0) << 8) | (reply[at + 1] ?? 0)
    known[order[place] ?? 0] = 1
  }
}

/** Ids of one script: it keeps Redis from everything else for some 2 to 6 ms. */
export const idsPerScript = 2_000

export interface ScriptIds {
  readonly ids: Fingerprints
  /** The place of the first. */
  readonly from: number
}

/** At least one, so that a question without ids is asked too. */
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

/** Little-endian; four stores are done before `writeUInt32LE` has looked at its arguments. */
function write(bytes: Buffer, at: number, word: number): void {
  bytes[at] = word
  bytes[at + 1] = word >>> 8
  bytes[at + 2] = word >>> 16
  bytes[at + 3] = word >>> 24
}
