import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bitsPerKey, bloomOf, probesOf, wordsOf } from '../../../src/rules/archive/bloom.ts'
import {
  findFingerprint,
  packFingerprints,
  unpackFingerprints,
} from '../../../src/rules/archive/fingerprints.ts'
import { mayHold } from '../../support/store/may-hold.ts'

const word = fc.integer({ min: 0, max: 2 ** 32 - 1 })
const keys = fc.array(fc.tuple(word, word), { minLength: 1, maxLength: 300 })

describe('bloom filter', () => {
  it('never denies a key that it holds', () => {
    fc.assert(
      fc.property(keys, (held) => {
        const filter = bloomOf(Uint32Array.from(held.flat()))
        expect(held.every(([hi, lo]) => mayHold(filter, probesOf(hi, lo)))).toBe(true)
      }),
    )
  })

  it('costs a byte and a half a key', () => {
    expect(bitsPerKey).toBe(12)
    expect(bloomOf(randomWords(4_096, 1)).length).toBe(6_144)
    expect(bloomOf(randomWords(5, 1)).length).toBe(8)
    expect(bloomOf(new Uint32Array()).length).toBe(4)
  })

  it('says yes for nothing four times in a thousand, also within one partition of many', () => {
    const predicted = (1 - Math.exp(-6 / 12)) ** 6
    for (const partitions of [1, 4, 16, 64]) {
      const ofPartition = (words: Uint32Array): Uint32Array =>
        words.map((value, index) => (index % 2 === 0 ? value - (value % partitions) + 1 : value))
      const filter = bloomOf(ofPartition(randomWords(4_000, 7)))
      const others = ofPartition(randomWords(200_000, 1_234_567))
      let yes = 0
      for (let index = 0; index < others.length; index += 2) {
        if (mayHold(filter, probesOf(others[index] ?? 0, others[index + 1] ?? 0))) yes += 1
      }
      expect(yes / 200_000).toBeLessThan(predicted * 1.25)
      expect(yes / 200_000).toBeGreaterThan(predicted * 0.75)
    }
  })

  it('has words for texts that differ where the texts do', () => {
    const words = Array.from({ length: 50_000 }, (_, index) => wordsOf(`cus_${index}`).join())
    expect(new Set(words).size).toBe(50_000)
  })
})

describe('fingerprints', () => {
  it('survive packing, high word and high byte first', () => {
    expect([...packFingerprints(Uint32Array.of(0x01020304, 0xfffefdfc, 5))]).toEqual([
      ...[1, 2, 3, 4, 255, 254, 253, 252],
      ...[0, 0, 0, 5],
    ])
    fc.assert(
      fc.property(keys, (held) => {
        const words = Uint32Array.from(held.flatMap(([hi, lo]) => [hi, lo, hi ^ lo]))
        const padded = Buffer.concat([Buffer.alloc(3), packFingerprints(words)]).subarray(3)
        expect(unpackFingerprints(padded)).toEqual(words)
      }),
    )
  })

  it('are found by all three words', () => {
    const words = Uint32Array.of(1, 2, 3, 2, 1, 3, 1, 1, 3, 1, 2, 4, 1, 2, 3)
    expect(findFingerprint(words, [1, 1, 3])).toBe(2)
    expect(findFingerprint(words, [1, 2, 4])).toBe(3)
    expect(findFingerprint(words, [1, 2, 3, 9], 1)).toBe(4)
    expect(findFingerprint(words, [2, 2, 3])).toBe(-1)
    expect(findFingerprint(words, [1, 2, 5])).toBe(-1)
  })
})

/** Words of a linear congruence: no pattern that the filter's own mixing could share. */
function randomWords(count: number, seed: number): Uint32Array {
  let state = BigInt(seed)
  return Uint32Array.from({ length: count * 2 }, () => {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) & 0xffffffffffffffffn
    return Number(state >> 32n)
  })
}
