import assert from 'node:assert/strict'
import { fingerprintBytes, fingerprintWords } from '../../../std/fingerprint.ts'
import type { Fingerprints, Known } from '../port.ts'

/**
 * A segment: an open-addressing hash table of fingerprints in shared memory, three words a slot.
 *
 *   | hi | lo | rest | hi | lo | rest | …       zero: not written yet
 *
 * One thread inserts, others look up the same memory without a lock. No word of an id is zero here,
 * each word of a slot is written once, and no slot is ever emptied: so where a reader finds all of
 * what it looks for, these are the final words of one id, in whatever order they became visible. In
 * the middle of an insert it can miss the id, never see one that is not there. Atomics promise no
 * more.
 */
export type Segment = Uint32Array<SharedArrayBuffer>

/** Segments are filled to so much: fuller, and a miss walks too far. */
const loadMax = 0.75

export const createSegment = (slots: number): Segment =>
  new Uint32Array(new SharedArrayBuffer(slots * fingerprintBytes))

export const slotsOf = (segment: Segment): number => segment.length / fingerprintWords

export const capacityOf = (segment: Segment): number => Math.floor(slotsOf(segment) * loadMax)

/** Slots for a segment that shall hold `ids`. */
export const slotsFor = (ids: number): number => Math.max(slotsMin, Math.ceil(ids / loadMax))

const slotsMin = 1_024

export function segmentHas(segment: Segment, ids: Fingerprints): boolean {
  return find(segment, ids, 0) < 0
}

/**
 * Sets `answer` to 1 for every id found. Segment by segment over many ids, so that the processor
 * waits for several misses of its cache at once.
 */
export function segmentLookup(segment: Segment, ids: Fingerprints, answer: Known): void {
  for (let index = 0; index < answer.length; index += 1) {
    if (answer[index] === 1) continue
    if (find(segment, ids, index * fingerprintWords) < 0) answer[index] = 1
  }
}

/**
 * Inserts the id whose words begin at `from`. False when it is there already. The caller keeps the
 * load below the bound.
 */
export function segmentInsert(segment: Segment, ids: Fingerprints, from: number): boolean {
  const at = find(segment, ids, from)
  if (at < 0) return false
  for (let word = 0; word < fingerprintWords; word += 1) {
    segment[at + word] = written(ids[from + word] ?? 0)
  }
  return true
}

/**
 * Negative where the id is there, else the index of the empty slot where it would go. Decided in
 * one reading: to look at the slot again could find another id, written there in between.
 */
function find(segment: Segment, ids: Fingerprints, from: number): number {
  const hi = ids[from] ?? 0
  const first = written(hi)
  const second = written(ids[from + 1] ?? 0)
  const third = written(ids[from + 2] ?? 0)
  const { length } = segment
  let at = Math.floor((hi / 4_294_967_296) * (length / fingerprintWords)) * fingerprintWords
  for (let walked = 0; walked < length; walked += fingerprintWords) {
    const found = segment[at + 1]
    if (found === second && segment[at] === first && segment[at + 2] === third) return -1
    if (found === 0) return at
    at = at + fingerprintWords === length ? 0 : at + fingerprintWords
  }
  assert(false, 'A dedupe segment is full.')
}

/** Zero means not written, so the one word in four billion that is zero counts as one. */
const written = (word: number): number => (word === 0 ? 1 : word)
