import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFamily } from '../../../src/parts/dedupe/embedded/family.ts'
import type { Segment } from '../../../src/parts/dedupe/embedded/table.ts'
import {
  createSegment,
  segmentHas,
  segmentInsert,
} from '../../../src/parts/dedupe/embedded/table.ts'

const word = fc.integer({ min: 0, max: 0xffffffff })
const few = fc.constantFrom(0, 1, 2, 0xffffffff)

describe('a segment', () => {
  it('holds what was inserted, as a set of pairs would', () => {
    const pairs = fc.array(fc.tuple(fc.oneof(word, few), fc.oneof(word, few)), { maxLength: 700 })
    fc.assert(
      fc.property(pairs, pairs, (inserted, asked) => {
        const segment = createSegment(1_024)
        const model = new Set<string>()
        // Zero stands for empty, and is kept as one.
        const name = (pair: [number, number]): string => pair.map((half) => half || 1).join()
        for (const pair of inserted) {
          expect(segmentInsert(segment, ...pair)).toBe(!model.has(name(pair)))
          model.add(name(pair))
        }
        for (const pair of [...inserted, ...asked]) {
          expect(segmentHas(segment, ...pair)).toBe(model.has(name(pair)))
        }
      }),
      { numRuns: 30 },
    )
  })

  it('does not take an id for known whose words are half written', () => {
    const segment = createSegment(1_024)
    segmentInsert(segment, 7, 9)
    const at = segment.indexOf(9)
    segment[at] = 0
    expect(segmentHas(segment, 7, 0)).toBe(false)
    expect(segmentHas(segment, 7, 9)).toBe(false)
    expect(segmentHas(segment, 0, 9)).toBe(false)
  })
})

describe('a family', () => {
  it('counts an id once, though it comes twice in a run that outgrows a segment', () => {
    const family = createFamily(0, () => undefined)
    const half = Uint32Array.from({ length: 4_000 }, (_, at) => Math.imul(at + 1, 0x9e3779b1))
    family.add(Uint32Array.of(...half, ...half))
    family.add(half)
    expect(family.count()).toBe(2_000)
  })

  it('grows without losing an id, and takes at most 16 bytes an id when it is large', () => {
    const segments: Segment[] = []
    const family = createFamily(0, (segment) => segments.push(segment))
    const count = 1_600_000
    const ids = new Uint32Array(count * 2)
    for (let index = 0; index < count; index += 1) {
      ids[index * 2] = Math.imul(index, 0x9e3779b1)
      ids[index * 2 + 1] = index
    }
    family.add(ids)
    expect(family.count()).toBe(count)
    const bytes = segments.reduce((sum, segment) => sum + segment.byteLength, 0)
    expect(bytes / count).toBeLessThan(16)
    const answer = new Uint8Array(count)
    family.lookup(ids, answer)
    const missing = answer.reduce((sum, known) => sum + 1 - known, 0)
    expect(missing).toBe(0)
  })
})
