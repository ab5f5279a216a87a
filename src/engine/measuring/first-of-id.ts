import { fingerprintWords } from '../../std/fingerprint.ts'

/** What became of an event: one byte each in `batches`. */
export const verdict = { billed: 0, unmatched: 1, duplicate: 2 } as const

/**
 * Marks the events that are the first with their id: neither known from before nor a repeat of an
 * earlier one in the same slice (all copies of an id are in one partition). 1: first, 0: repeat.
 */
export function firsts(fingerprints: Uint32Array, known: Uint8Array): Uint8Array {
  const count = known.length
  const fresh = new Uint8Array(count)
  const size = tableSize(count)
  const slots = new Int32Array(size).fill(-1)
  for (let event = 0; event < count; event += 1) {
    if (known[event] === 1) continue
    if (claim(slots, event, fingerprints)) fresh[event] = 1
  }
  return fresh
}

/** A hash table of event numbers with open addressing, at most half full. */
function claim(slots: Int32Array, event: number, fingerprints: Uint32Array): boolean {
  const mask = slots.length - 1
  const at = event * fingerprintWords
  const [hi, lo = 0, rest] = [fingerprints[at], fingerprints[at + 1], fingerprints[at + 2]]
  for (let slot = lo & mask; ; slot = (slot + 1) & mask) {
    const other = slots[slot] ?? -1
    if (other < 0) {
      slots[slot] = event
      return true
    }
    const there = other * fingerprintWords
    if (
      fingerprints[there + 1] === lo &&
      fingerprints[there] === hi &&
      fingerprints[there + 2] === rest
    )
      return false
  }
}

function tableSize(count: number): number {
  let size = 16
  while (size < count * 2) size *= 2
  return size
}

/** The fingerprints of the events that `keep` marks. */
export function selected(fingerprints: Uint32Array, keep: Uint8Array): Uint32Array {
  const words = new Uint32Array(fingerprints.length)
  let count = 0
  for (let event = 0; event < keep.length; event += 1) {
    if (keep[event] !== 1) continue
    const at = event * fingerprintWords
    words[count] = fingerprints[at] ?? 0
    words[count + 1] = fingerprints[at + 1] ?? 0
    words[count + 2] = fingerprints[at + 2] ?? 0
    count += fingerprintWords
  }
  return words.slice(0, count)
}
