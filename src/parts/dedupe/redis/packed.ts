import assert from 'node:assert/strict'
import type { Fingerprints, Known } from '../port.ts'

/**
 * Ids as the scripts take them: in ascending order, first 3 bytes of a prefix each (20 bits, which
 * choose the bucket), then 19 digits each: the lower 62 bits as a number, plus 10^18 so that all
 * are of one length. With the upper two bits, which every bucket has in common, that is the whole
 * fingerprint; and sets of such numbers take 8 bytes each, as long as they are small.
 *
 * In decimal, because Redis turns every member into text and back: text that is there already costs
 * the server a copy, and a number in Lua would be printed.
 */
export interface Packed {
  readonly bytes: Buffer
  /** Where the ids stood before they were sorted. */
  readonly order: Uint16Array
}

/**
 * At most 65 536 ids. `ends`: where the ids of each question end, who stay apart and in their
 * order.
 */
export function packed(ids: Fingerprints, ends: readonly number[]): Packed {
  const count = ids.length / 2
  assert(count <= 65_536 && ends.at(-1) === count)
  const keys = new Float64Array(count)
  let index = 0
  for (const [question, end] of ends.entries()) {
    for (; index < end; index += 1) {
      keys[index] = (question * 1_048_576 + ((ids[index * 2] ?? 0) >>> 12)) * 65_536 + index
    }
  }
  keys.sort()
  const order = new Uint16Array(count)
  const bytes = Buffer.allocUnsafe(count * 22)
  for (let place = 0; place < count; place += 1) {
    const key = keys[place] ?? 0
    const from = key % 65_536
    const prefix = ((key - from) / 65_536) % 1_048_576
    order[place] = from
    bytes[place * 3] = prefix >>> 16
    bytes[place * 3 + 1] = prefix >>> 8
    bytes[place * 3 + 2] = prefix
    const at = count * 3 + place * 19
    write(bytes, at, { hi: ids[from * 2] ?? 0, lo: ids[from * 2 + 1] ?? 0 })
  }
  return { bytes, order }
}

/** Sets `known` to 1 for the places that a reply names, two bytes each. */
export function noteFound(reply: Buffer, { order }: Packed, known: Known): void {
  for (let at = 0; at + 1 < reply.length; at += 2) {
    const place = ((reply[at] ?? 0) << 8) | (reply[at + 1] ?? 0)
    known[order[place] ?? 0] = 1
  }
}

/** Ids of one script: it keeps Redis from everything else for some 2 to 6 ms. */
export const idsPerScript = 2_000

export interface Part {
  readonly ids: Fingerprints
  /** The place of the first. */
  readonly from: number
}

/** At least one, so that a question without ids is asked too. */
export function partsOf(ids: Fingerprints): readonly Part[] {
  const parts: Part[] = []
  for (let from = 0; from === 0 || from < ids.length / 2; from += idsPerScript) {
    parts.push({ ids: ids.subarray(from * 2, (from + idsPerScript) * 2), from })
  }
  return parts
}

const low = 10_000_000

/**
 * (hi & 0x3fffffff) · 2^32 + lo + 10^18 as 19 digits, in doubles that stay below 2^53: the upper 12
 * digits and the lower 7 apart, with 2^32 = 429 · 10^7 + 4967296.
 */
function write(bytes: Buffer, at: number, { hi, lo }: Words): void {
  const high = hi & 0x3fffffff
  const rest = high * 4_967_296 + lo
  let carried = Math.floor(rest / low)
  let lower = rest - carried * low
  // Rounded up to a whole number by the division.
  if (lower < 0) {
    carried -= 1
    lower += low
  }
  const upper = high * 429 + carried + 100_000_000_000
  const millions = Math.floor(upper / 1_000_000)
  const ones = upper - millions * 1_000_000
  triple(bytes, at, Math.floor(millions / 1_000))
  triple(bytes, at + 3, millions % 1_000)
  triple(bytes, at + 6, Math.floor(ones / 1_000))
  triple(bytes, at + 9, ones % 1_000)
  bytes[at + 12] = 48 + Math.floor(lower / 1_000_000)
  triple(bytes, at + 13, Math.floor(lower / 1_000) % 1_000)
  triple(bytes, at + 16, lower % 1_000)
}

interface Words {
  readonly hi: number
  readonly lo: number
}

/** The texts 000 to 999. */
const triples = Buffer.from(
  Array.from({ length: 1_000 }, (_, n) => String(n).padStart(3, '0')).join(''),
)

function triple(bytes: Buffer, at: number, value: number): void {
  const from = value * 3
  bytes[at] = triples[from] ?? 0
  bytes[at + 1] = triples[from + 1] ?? 0
  bytes[at + 2] = triples[from + 2] ?? 0
}
