import assert from 'node:assert/strict'

/**
 * A segment: an open-addressing hash table of fingerprints in shared memory, two words a slot.
 *
 *   | hi | lo | hi | lo | …       lo = 0: empty
 *
 * One thread inserts, others look up the same memory without a lock. A slot is written once, hi
 * first and lo, which makes it count, last; no slot is ever emptied or used again. So a reader in the
 * middle of an insert can miss the id, but can never take two halves of different ids for one.
 */
export type Segment = Uint32Array<SharedArrayBuffer>

/** Segments are filled to so much: fuller, and a miss walks too far. */
const loadMax = 0.75

export const createSegment = (slots: number): Segment =>
  new Uint32Array(new SharedArrayBuffer(slots * 8))

export const capacityOf = (segment: Segment): number => Math.floor((segment.length / 2) * loadMax)

/** Slots for a segment that shall hold `ids`. */
export const slotsFor = (ids: number): number => Math.max(slotsMin, Math.ceil(ids / loadMax))

const slotsMin = 1_024

export function segmentHas(segment: Segment, hi: number, lo: number): boolean {
  return segment[slotOf(segment, hi, lo) + 1] !== 0
}

/** False when it is there already. The caller keeps the load below the bound. */
export function segmentInsert(segment: Segment, hi: number, lo: number): boolean {
  const at = slotOf(segment, hi, lo)
  if (segment[at + 1] !== 0) return false
  segment[at] = hi
  Atomics.store(segment, at + 1, published(lo))
  return true
}

/** Where the id is, or the empty slot where it would go. */
function slotOf(segment: Segment, hi: number, lo: number): number {
  const wanted = published(lo)
  const { length } = segment
  let at = Math.floor((hi / 4_294_967_296) * (length / 2)) * 2
  for (let walked = 0; walked < length; walked += 2) {
    const found = Atomics.load(segment, at + 1)
    if (found === 0 || (found === wanted && segment[at] === hi)) return at
    at = at + 2 === length ? 0 : at + 2
  }
  assert(false, 'A dedupe segment is full.')
}

/** Zero means empty, so the one id in four billion that has it stands next to it. */
const published = (lo: number): number => (lo === 0 ? 1 : lo)
