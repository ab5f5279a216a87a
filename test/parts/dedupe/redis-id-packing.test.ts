import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { idsByScript, noteFound, packIds } from '../../../src/parts/dedupe/redis/id-packing.ts'

const word = fc.oneof(fc.integer({ min: 0, max: 0xffff_ffff }), fc.constantFrom(0, 1, 0xffff_ffff))
const idsOf = fc.array(fc.tuple(word, word, word), { maxLength: 60 })

describe('ids on their way to Redis', () => {
  it('are whole: twelve bytes give every bit back, in order, question by question', () => {
    fc.assert(
      fc.property(idsOf, fc.integer({ min: 0, max: 60 }), (all, cut) => {
        const first = Math.min(cut, all.length)
        const { bytes, order } = packIds(Uint32Array.from(all.flat()), [first, all.length])
        expect(bytes.length).toBe(all.length * 12)
        const places = [...order].map((from, place) => {
          const words = [8, 4, 0].map((at) => bytes.readUInt32LE(place * 12 + at))
          expect(words).toEqual(all[from])
          return { from, prefix: (words[0] ?? 0) >>> 12 }
        })
        for (const part of [places.slice(0, first), places.slice(first)]) {
          const prefixes = part.map(({ prefix }) => prefix)
          expect(prefixes).toEqual([...prefixes].sort((a, b) => a - b))
        }
        expect(places.map(({ from }) => from).sort((a, b) => a - b)).toEqual([...all.keys()])
        expect(places.slice(0, first).every(({ from }) => from < first)).toBe(true)
      }),
    )
  })

  it('are found where they were asked', () => {
    const sent = packIds(Uint32Array.of(9, 1, 0, 5 << 20, 2, 0, 1 << 20, 3, 0), [3])
    const known = new Uint8Array(3)
    const places = [...sent.order].flatMap((from, place) => (from === 1 ? [0, place] : []))
    noteFound(Buffer.from(places), sent, known)
    expect([...known]).toEqual([0, 1, 0])
  })

  it('go in scripts of two thousand, and without any all the same', () => {
    const sizes = (count: number) =>
      idsByScript(new Uint32Array(count * 3)).map(({ from, ids }) => [from, ids.length / 3])
    expect(sizes(0)).toEqual([[0, 0]])
    expect(sizes(2_000)).toEqual([[0, 2_000]])
    expect(sizes(4_001)).toEqual([
      [0, 2_000],
      [2_000, 2_000],
      [4_000, 1],
    ])
  })
})
