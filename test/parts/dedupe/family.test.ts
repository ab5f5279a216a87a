import { describe, expect, it } from 'vitest'
import { seeded } from '../../../bench/harness/random.ts'
import { createFamily } from '../../../src/parts/dedupe/embedded/family.ts'
import type { DedupeSegment } from '../../../src/parts/dedupe/embedded/table.ts'
import { segmentBytes } from '../../../src/parts/dedupe/embedded/table.ts'
import { fingerprintWords } from '../../../src/std/fingerprint.ts'

const random = seeded(1)
const idsOf = (count: number) =>
  Uint32Array.from({ length: count * fingerprintWords }, () => random() * 4_294_967_296)

/** A family of `count` ids that came 1 000 at a time, and its segments. */
function familyOf(count: number) {
  const segments: DedupeSegment[] = []
  const family = createFamily(0, (segment) => segments.push(segment))
  for (let at = 0; at < count; at += 1_000) family.add(idsOf(Math.min(1_000, count - at)))
  const bytes = segments.reduce((sum, segment) => sum + segmentBytes(segment), 0)
  return { family, segments, bytes }
}

describe('the ids of one generation', () => {
  // Each segment is a wait for memory, in the edge and twice in the engine, for every event.
  it.each([
    { ids: 3_000, segmentsMax: 1, perId: 13 },
    { ids: 50_000, segmentsMax: 3, perId: 13 },
    { ids: 200_000, segmentsMax: 5, perId: 13 },
  ])('lie in $segmentsMax segments where there are $ids', ({ ids, segmentsMax, perId }) => {
    const { family, segments, bytes } = familyOf(ids)
    expect(family.count()).toBe(ids)
    expect(segments.length).toBeLessThanOrEqual(segmentsMax)
    expect(bytes / ids).toBeLessThan(perId)
  })
})
