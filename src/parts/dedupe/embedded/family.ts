import type { Fingerprints } from '../port.ts'
import type { Segment } from './table.ts'
import { capacityOf, createSegment, segmentHas, segmentInsert, slotsFor } from './table.ts'

/** The ids of one partition in one generation. */
export interface Family {
  has(hi: number, lo: number): boolean
  add(ids: Fingerprints): void
  count(): number
}

/**
 * Grows by segments and never moves an id: a moved table would stay garbage until every thread that
 * saw it has collected it. A segment adds as much as there is while that is little, to keep the
 * segments that a lookup visits few; then half of it, so that 10.7 to 16 bytes hold an id. The first
 * is sized for `expected` ids.
 */
export function createFamily(expected: number, announce: (segment: Segment) => void): Family {
  const segments: Segment[] = []
  let [slots, count, room] = [0, 0, 0]
  return { has, add, count: () => count }

  function has(hi: number, lo: number): boolean {
    for (const segment of segments) if (segmentHas(segment, hi, lo)) return true
    return false
  }

  function add(ids: Fingerprints): void {
    for (let at = 0; at < ids.length; at += 2) addOne(ids[at] ?? 0, ids[at + 1] ?? 0)
  }

  function addOne(hi: number, lo: number): void {
    if (has(hi, lo)) return
    if (room === 0) grow()
    const last = segments.at(-1)
    if (last === undefined || !segmentInsert(last, hi, lo)) return
    count += 1
    room -= 1
  }

  function grow(): void {
    const wanted = slots < doublingMax ? slots : slots >>> 1
    const segment = createSegment(Math.max(slotsFor(slots === 0 ? expected : 0), wanted))
    slots += segment.length / 2
    room = capacityOf(segment)
    segments.push(segment)
    announce(segment)
  }
}

/** In slots of eight bytes. */
const doublingMax = 1 << 20
