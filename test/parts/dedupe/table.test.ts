import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFamily } from '../../../src/parts/dedupe/embedded/family.ts'
import type { DedupeSegment } from '../../../src/parts/dedupe/embedded/table.ts'
import {
  createSegment,
  segmentBytes,
  segmentInsert,
  segmentLookup,
} from '../../../src/parts/dedupe/embedded/table.ts'
import { runs } from '../../support/run/runs.ts'

const word = fc.integer({ min: 0, max: 0xffffffff })
const few = fc.constantFrom(0, 1, 2, 0xffffffff)
/** First words whose place and whose tag are their own. */
const first = fc.integer({ min: 1, max: 255 }).map((one) => one * 0x01000001)

describe('a segment', () => {
  it('holds what was inserted, as a set of triples would', () => {
    const any = fc.oneof(word, few)
    const threes = fc.array(fc.tuple(first, any, any), { maxLength: 700 })
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
          expect(has(segment, words)).toBe(model.has(name(words)))
        }
      }),
      runs(30),
    )
  })

  it('tells ids apart by 64 bits, and by the low and the high bits of the first word', () => {
    const id = [0x87654321, 0x12345678, 0x9abcdef0]
    const segment = createSegment(1_024)
    segmentInsert(segment, Uint32Array.from(id), 0)
    const bits = Array.from({ length: 32 }, (_, bit) => 2 ** bit)
    const others = [0, 1, 2].flatMap((at) =>
      bits
        // The middle bits of the first word say neither where an id lies nor what its tag is.
        .filter((bit) => at > 0 || bit < 2 ** 8 || bit >= 2 ** 22)
        .map((bit) => id.map((one, of) => (of === at ? (one ^ bit) >>> 0 : one))),
    )
    expect(others.filter((words) => has(segment, words))).toEqual([])
    for (const zeros of [
      [0, 7, 9],
      [7, 0, 9],
      [7, 9, 0],
      [0, 0, 0],
    ]) {
      expect(has(segment, zeros)).toBe(false)
      expect(segmentInsert(segment, Uint32Array.from(zeros), 0)).toBe(true)
      expect(has(segment, zeros)).toBe(true)
    }
  })

  it('does not take an id for known whose parts are half written', () => {
    const id = Uint32Array.of(7, 9, 11)
    const halves = [
      (segment: DedupeSegment) => segment.words.fill(0, segment.words.indexOf(9)),
      ({ words }: DedupeSegment) => words.fill(0, words.indexOf(11), words.indexOf(11) + 1),
      ({ tags }: DedupeSegment) => tags.fill(0),
    ]
    for (const halve of halves) {
      const segment = createSegment(1_024)
      segmentInsert(segment, id, 0)
      expect(has(segment, id)).toBe(true)
      halve(segment)
      for (const words of [
        [7, 9, 11],
        [0, 9, 11],
        [7, 0, 11],
        [7, 9, 0],
      ])
        expect(has(segment, words)).toBe(false)
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

  it('grows without losing an id, and takes at most 17 bytes an id when it is large', () => {
    const segments: DedupeSegment[] = []
    const family = createFamily(0, (segment) => segments.push(segment))
    const count = 1_600_000
    const ids = new Uint32Array(count * 3)
    for (let index = 0; index < count; index += 1) {
      ids[index * 3] = Math.imul(index, 0x9e3779b1)
      ids[index * 3 + 1] = index
    }
    family.add(ids)
    expect(family.count()).toBe(count)
    const bytes = segments.reduce((sum, segment) => sum + segmentBytes(segment), 0)
    expect(bytes / count).toBeLessThan(17)
    const answer = new Uint8Array(count)
    family.lookup(ids, answer)
    const missing = answer.reduce((sum, known) => sum + 1 - known, 0)
    expect(missing).toBe(0)
  })
})

function has(segment: DedupeSegment, words: Iterable<number>): boolean {
  const answer = new Uint8Array(1)
  segmentLookup(segment, Uint32Array.from(words), answer)
  return answer[0] === 1
}
