import assert from 'node:assert/strict'
import type { Fingerprints, Known } from '../port.ts'

/**
 * A segment: an open-addressing hash table of fingerprints in shared memory, two words a slot.
 *
 *   | hi | lo | hi | lo | …       zero: not written yet
 *
 * One thread inserts, others look up the same memory without a lock. Neither word of an id is zero
 * here, each word of a slot is written once, and no slot is ever emptied: so both halves that a
 * reader finds are the final ones of the same id, in whatever order they became visible. In the
 * middle of an insert it can miss the id, never see one that is not there. Atomics would promise no
 * more.
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
  return find(segment, hi, lo) < 0
}

/**
 * Sets `answer` to 1 for every id found. Segment by segment over many ids, so that the processor
 * waits for several misses of its cache at once.
 */
export function segmentLookup(segment: Segment, ids: Fingerprints, answer: Known): void {
  for (let index = 0; index < answer.length; index += 1) {
    if (answer[index] === 1) continue
    if (find(segment, ids[index * 2] ?? 0, ids[index * 2 + 1] ?? 0) < 0) answer[index] = 1
  }
}

/** False when it is there already. The caller keeps the load below the bound. */
export function segmentInsert(segment: Segment, hi: number, lo: number): boolean {
  const at = find(segment, hi, lo)
  if (at < 0) return false
  segment[at] = written(hi)
  segment[at + 1] = written(lo)
  return true
}

/**
 * Negative where the id is there, else the index of the empty slot where it would go. Decided in
 * one reading: to look at the slot again could find another id, written there in between.
 */
function find(segment: Segment, hi: number, lo: number): number {
  const first = written(hi)
  const second = written(lo)
  const { length } = segment
  let at = Math.floor((hi / 4_294_967_296) * (length / 2)) * 2
  for (let walked = 0; walked < length; walked += 2) {
    const found = segment[at + 1]
    if (found === second && segment[at] === first) return -1
    if (found === 0) return at
    at = at + 2 === length ? 0 : at + 2
  }
  assert(false, 'A dedupe segment is full.')
}

/** Zero means not written, so the one word in four billion that is zero counts as one. */
const written = (word: number): number => (word === 0 ? 1 : word)
