import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bucketIds } from '../../../src/parts/dedupe/redis/buckets.ts'
import { noteFound, packed, partsOf } from '../../../src/parts/dedupe/redis/packed.ts'

const word = fc.oneof(fc.integer({ min: 0, max: 0xffff_ffff }), fc.constantFrom(0, 1, 0xffff_ffff))
const idsOf = fc.array(fc.tuple(word, word), { maxLength: 60 })

describe('ids on their way to Redis', () => {
  it('are whole: prefix and digits give every bit back, in order, question by question', () => {
    fc.assert(
      fc.property(idsOf, fc.integer({ min: 0, max: 60 }), (pairs, cut) => {
        const first = Math.min(cut, pairs.length)
        const { bytes, order } = packed(Uint32Array.from(pairs.flat()), [first, pairs.length])
        const places = [...order].map((from, place) => {
          const prefix = bytes.readUIntBE(place * 3, 3)
          const at = pairs.length * 3 + place * 19
          const number = BigInt(bytes.toString('latin1', at, at + 19)) - 10n ** 18n
          const [hi = 0, lo = 0] = pairs[from] ?? []
          expect(prefix).toBe(hi >>> 12)
          expect((BigInt(prefix >>> 18) << 62n) + number).toBe((BigInt(hi) << 32n) + BigInt(lo))
          return { from, prefix }
        })
        for (const part of [places.slice(0, first), places.slice(first)]) {
          const prefixes = part.map(({ prefix }) => prefix)
          expect(prefixes).toEqual([...prefixes].sort((a, b) => a - b))
        }
        expect(places.map(({ from }) => from).sort((a, b) => a - b)).toEqual([...pairs.keys()])
        expect(places.slice(0, first).every(({ from }) => from < first)).toBe(true)
      }),
    )
  })

  it('are all of one length, whose order is that of the numbers', () => {
    const ids = Uint32Array.of(0, 0, 0x3fff_ffff, 0xffff_ffff)
    const text = packed(ids, [2]).bytes.toString('latin1', 6)
    expect(text).toBe('10000000000000000005611686018427387903')
  })

  it('are found where they were asked', () => {
    const sent = packed(Uint32Array.of(9, 1, 5 << 20, 2, 1 << 20, 3), [3])
    const known = new Uint8Array(3)
    const places = [...sent.order].flatMap((from, place) => (from === 1 ? [0, place] : []))
    noteFound(Buffer.from(places), sent, known)
    expect([...known]).toEqual([0, 1, 0])
  })

  it('go in scripts of two thousand, and without any all the same', () => {
    const sizes = (count: number) =>
      partsOf(new Uint32Array(count * 2)).map(({ from, ids }) => [from, ids.length / 2])
    expect(sizes(0)).toEqual([[0, 0]])
    expect(sizes(2_000)).toEqual([[0, 2_000]])
    expect(sizes(4_001)).toEqual([
      [0, 2_000],
      [2_000, 2_000],
      [4_000, 1],
    ])
  })
})

describe('buckets', () => {
  it('leave the fullest below what Redis keeps small', () => {
    for (const max of [128, 512, 1_024, 4_096]) {
      const widest = bucketIds(max) * 2
      expect(widest + 5 * Math.sqrt(widest)).toBeLessThanOrEqual(max)
      expect(widest).toBeGreaterThan(max * 0.6)
    }
    expect(bucketIds(0)).toBe(4)
    expect(bucketIds(1e9)).toBe(bucketIds(4_096))
  })
})
