import assert from 'node:assert/strict'
import { addTo, mayHold, wordsFor } from '../../../std/bits.ts'
import { fingerprintWords } from '../../../std/fingerprint.ts'
import type { Fingerprints, Known } from '../port.ts'

/**
 * A segment: an open-addressing hash table of fingerprints in shared memory. An id has three words.
 * The first one says at which slot a search begins; the slot keeps the other two words, and as its
 * tag the byte of the first one that says least about the place.
 *
 *  words  | lo | rest | lo | rest | lo | rest | …       zero: not written yet
 *  tags   |  t |  t |  t | …
 *  bits   say of most ids that are not here that they need not be looked for (bits.ts)
 *
 * One thread inserts, others look up the same memory without a lock. No part of an id is ever zero
 * here, each part of a slot is written once, and no slot is ever emptied. So a reader that finds
 * all the parts that it looks for has found the final parts of one id, in whatever order they
 * became visible. In the middle of an insert it can miss the id, but it never sees one that is not
 * there. Atomics would promise no more.
 */
export interface DedupeSegment {
  readonly words: Uint32Array<SharedArrayBuffer>
  readonly tags: Uint8Array<SharedArrayBuffer>
  readonly bits: Uint32Array<SharedArrayBuffer>
}

/** How full a segment may get: in a fuller one a lookup that finds an id walks too far. */
const loadMax = 0.9

const wordsOfSlot = 2
const bitsPerId = 8

export const segmentBytes = ({ words }: DedupeSegment): number => words.buffer.byteLength

export function createSegment(slots: number): DedupeSegment {
  const own = slots * wordsOfSlot
  const ofBits = wordsFor(slots * loadMax, bitsPerId)
  const memory = new SharedArrayBuffer((own + ofBits) * 4 + slots)
  return {
    words: new Uint32Array(memory, 0, own),
    bits: new Uint32Array(memory, own * 4, ofBits),
    tags: new Uint8Array(memory, (own + ofBits) * 4),
  }
}

export const slotsOf = ({ tags }: DedupeSegment): number => tags.length

export const capacityOf = (segment: DedupeSegment): number => Math.floor(slotsOf(segment) * loadMax)

/** How many slots a segment needs to hold `ids`. */
export const slotsFor = (ids: number): number => Math.max(slotsMin, Math.ceil(ids / loadMax))

const slotsMin = 3_840

/**
 * Sets `answer` to 1 for every id found. Goes segment by segment over many ids, so that the
 * processor waits for several cache misses at once.
 */
export function segmentLookup(segment: DedupeSegment, ids: Fingerprints, answer: Known): void {
  for (let index = 0; index < answer.length; index += 1) {
    const from = index * fingerprintWords
    if (answer[index] === 0 && mayBeIn(segment, ids, from) && find(segment, ids, from) < 0) {
      answer[index] = 1
    }
  }
}

/**
 * Inserts the id whose words begin at `from`. Answers false where it is there already. The caller
 * keeps the load below `loadMax`.
 */
export function segmentInsert(segment: DedupeSegment, ids: Fingerprints, from: number): boolean {
  const slot = find(segment, ids, from)
  if (slot < 0) return false
  segment.words[slot * wordsOfSlot] = written(ids[from + 1] ?? 0)
  segment.words[slot * wordsOfSlot + 1] = written(ids[from + 2] ?? 0)
  segment.tags[slot] = tagOf(ids[from] ?? 0)
  addTo(segment.bits, ids[from + 1] ?? 0, (ids[from + 2] ?? 0) >>> 16)
  return true
}

const mayBeIn = ({ bits }: DedupeSegment, ids: Fingerprints, from: number): boolean =>
  mayHold(bits, ids[from + 1] ?? 0, (ids[from + 2] ?? 0) >>> 16)

/**
 * Negative where the id is there, else the empty slot where it would go. Each slot is read once: at
 * a second look another id could stand there.
 */
function find({ words, tags }: DedupeSegment, ids: Fingerprints, from: number): number {
  const hi = ids[from] ?? 0
  const lo = written(ids[from + 1] ?? 0)
  const rest = written(ids[from + 2] ?? 0)
  const slots = tags.length
  let slot = Math.floor((hi / 4_294_967_296) * slots)
  for (let walked = 0; walked < slots; walked += 1) {
    const found = words[slot * wordsOfSlot]
    if (found === lo && words[slot * wordsOfSlot + 1] === rest && tags[slot] === tagOf(hi)) {
      return -1
    }
    if (found === 0) return slot
    slot = slot + 1 === slots ? 0 : slot + 1
  }
  assert(false, 'A dedupe segment is full.')
}

/** Zero means "not written", so the one word in four billion that is zero is stored as one. */
const written = (word: number): number => (word === 0 ? 1 : word)

/** The low byte of the word whose high bits choose the slot; zero counts as one here, too. */
const tagOf = (hi: number): number => written(hi & 0xff)
