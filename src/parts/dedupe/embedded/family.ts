import { fingerprintWords } from '../../../std/fingerprint.ts'
import type { Fingerprints, Known } from '../port.ts'
import type { DedupeSegment } from './table.ts'
import {
  capacityOf,
  createSegment,
  segmentInsert,
  segmentLookup,
  slotsFor,
  slotsOf,
} from './table.ts'

/** The ids of one partition in one generation. */
export interface Family {
  /** Sets `answer` to 1 for every id that is here. */
  lookup(ids: Fingerprints, answer: Known): void
  add(ids: Fingerprints): void
  count(): number
}

/**
 * Grows by adding segments and never moves an id: a moved table would stay garbage until every
 * thread that saw it has collected it. A lookup that misses visits every segment, each of them a
 * wait for memory. So a new segment makes a small family four times as large, and a larger one
 * twice; a large one grows by half, so that 11 to 17 bytes hold an id. The first segment is sized
 * for `expected` ids.
 */
export function createFamily(expected: number, announce: (segment: DedupeSegment) => void): Family {
  const segments: DedupeSegment[] = []
  let [slots, count, room] = [0, 0, 0]
  return { lookup, add, count: () => count }

  function lookup(ids: Fingerprints, answer: Known): void {
    for (const segment of segments) segmentLookup(segment, ids, answer)
  }

  function add(ids: Fingerprints): void {
    const known = new Uint8Array(ids.length / fingerprintWords)
    // The last segment is left out: inserting looks there anyway, as an id may be twice in one run.
    for (const segment of segments.slice(0, -1)) segmentLookup(segment, ids, known)
    for (let index = 0; index < known.length; index += 1) {
      if (known[index] === 1) continue
      if (room === 0) growFor(ids, known)
      if (known[index] === 0) addOne(ids, index * fingerprintWords)
    }
  }

  function addOne(ids: Fingerprints, from: number): void {
    const last = segments.at(-1)
    if (last === undefined || !segmentInsert(last, ids, from)) return
    count += 1
    room -= 1
  }

  /**
   * Called in the middle of a run: ids that the full segment holds must not get into the next one
   * too.
   */
  function growFor(ids: Fingerprints, known: Known): void {
    const full = segments.at(-1)
    if (full !== undefined) segmentLookup(full, ids, known)
    grow()
  }

  function grow(): void {
    const segment = createSegment(slots === 0 ? slotsFor(expected) : addedTo(slots))
    slots += slotsOf(segment)
    room = capacityOf(segment)
    segments.push(segment)
    announce(segment)
  }
}

/** How many slots a family of `slots` gets when it is full. */
function addedTo(slots: number): number {
  if (slots < quadruplingMax) return slots * 3
  return slots < doublingMax ? slots : slots >>> 1
}

/** In slots. */
const quadruplingMax = 1 << 16
const doublingMax = 1 << 20
