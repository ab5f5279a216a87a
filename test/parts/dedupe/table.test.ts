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
  it('holds what was inserted, as a set of triples would', () => {
    const any = fc.oneof(word, few)
    const threes = fc.array(fc.tuple(any, any, any), { maxLength: 700 })
    fc.assert(
      fc.property(threes, threes, (inserted, asked) => {
        const segment = createSegment(1_024)
        const model = new Set<string>()
        // Zero stands for empty, and is kept as one.
        const name = (words: readonly number[]): string => words.map((one) => one || 1).join()
        const all = Uint32Array.from(inserted.flat())
        for (const [index, words] of inserted.entries()) {
          expect(segmentInsert(segment, all, index * 3)).toBe(!model.has(name(words)))
          model.add(name(words))
        }
        for (const words of [...inserted, ...asked]) {
          expect(segmentHas(segment, Uint32Array.from(words))).toBe(model.has(name(words)))
        }
      }),
      { numRuns: 30 },
    )
  })

  it('does not take an id for known whose words are half written', () => {
    for (const missing of [7, 9, 11]) {
      const segment = createSegment(1_024)
      segmentInsert(segment, Uint32Array.of(7, 9, 11), 0)
      segment[segment.indexOf(missing)] = 0
      expect(segmentHas(segment, Uint32Array.of(7, 9, 11))).toBe(false)
      const written = [7, 9, 11].map((one) => (one === missing ? 0 : one))
      expect(segmentHas(segment, Uint32Array.from(written))).toBe(false)
    }
  })
})

describe('a family', () => {
  it('counts an id once, though it comes twice in a run that outgrows a segment', () => {
    const family = createFamily(0, () => undefined)
    const half = Uint32Array.from({ length: 6_000 }, (_, at) => Math.imul(at + 1, 0x9e3779b1))
    family.add(Uint32Array.of(...half, ...half))
    family.add(half)
    expect(family.count()).toBe(2_000)
  })

  it('grows without losing an id, and takes at most 24 bytes an id when it is large', () => {
    const segments: Segment[] = []
    const family = createFamily(0, (segment) => segments.push(segment))
    const count = 1_600_000
    const ids = new Uint32Array(count * 3)
    for (let index = 0; index < count; index += 1) {
      ids[index * 3] = Math.imul(index, 0x9e3779b1)
      ids[index * 3 + 1] = index
    }
    family.add(ids)
    expect(family.count()).toBe(count)
    const bytes = segments.reduce((sum, segment) => sum + segment.byteLength, 0)
    expect(bytes / count).toBeLessThan(24)
    const answer = new Uint8Array(count)
    family.lookup(ids, answer)
    const missing = answer.reduce((sum, known) => sum + 1 - known, 0)
    expect(missing).toBe(0)
  })
})
