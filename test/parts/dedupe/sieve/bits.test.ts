import { describe, expect, it } from 'vitest'
import { openBusy } from '../../../../src/parts/dedupe/redis/sieve/busy.ts'
import { openLayers } from '../../../../src/parts/dedupe/redis/sieve/layers.ts'
import { addTo, mayHold, wordsFor } from '../../../../src/std/bits.ts'
import { spread } from '../../../support/dedupe/redis-dedupe.ts'

type Visit = (low: number, rest: number) => void

const bitsFor = (ids: number) => new Uint32Array(wordsFor(ids, 16))

/** The words by which a sieve tells the ids of these numbers. */
function each(from: number, count: number, visit: Visit): void {
  const ids = spread(from, count)
  for (let at = 0; at < ids.length; at += 3) visit(ids[at + 1] ?? 0, (ids[at + 2] ?? 0) >>> 16)
}

function held(from: number, count: number, holds: (low: number, rest: number) => boolean): number {
  let sum = 0
  each(from, count, (low, rest) => {
    if (holds(low, rest)) sum += 1
  })
  return sum
}

describe('the bits of a sieve', () => {
  it.each([1, 100, 10_000, 300_000])('miss none of %i ids and few strangers', (count) => {
    const bits = bitsFor(count)
    each(0, count, (low, rest) => addTo(bits, low, rest))
    const isHeld: Parameters<typeof held>[2] = (low, rest) => mayHold(bits, low, rest)
    expect(held(0, count, isHeld)).toBe(count)
    expect(held(10_000_000, 100_000, isHeld)).toBeLessThan(400)
    expect(bits.byteLength).toBeLessThanOrEqual(count * 2 + 64)
  })

  it('of eight each miss none, and few strangers more', () => {
    const bits = new Uint32Array(wordsFor(100_000, 8))
    each(0, 100_000, (low, rest) => addTo(bits, low, rest))
    const isHeld: Parameters<typeof held>[2] = (low, rest) => mayHold(bits, low, rest)
    expect(held(0, 100_000, isHeld)).toBe(100_000)
    expect(held(10_000_000, 100_000, isHeld)).toBeLessThan(4_000)
  })

  it('keep ids apart that differ in one bit', () => {
    const bits = bitsFor(4_096)
    addTo(bits, 5, 7)
    const others = Array.from({ length: 48 }, (_, bit) =>
      bit < 32 ? [(5 ^ (1 << bit)) >>> 0, 7] : [5, 7 ^ (1 << (bit - 32))],
    )
    expect(others.filter(([low = 0, rest = 0]) => mayHold(bits, low, rest))).toEqual([])
    expect(mayHold(bits, 5, 7)).toBe(true)
  })
})

describe('the layers of a sieve', () => {
  it('miss none however many come, and give all their room back', () => {
    const room = { left: 10_000_000 }
    const layers = openLayers(0, room)
    each(0, 100_000, layers.add)
    expect(held(0, 100_000, layers.mayHold)).toBe(100_000)
    expect(held(10_000_000, 100_000, layers.mayHold)).toBeLessThan(1_000)
    expect(room.left).toBeGreaterThan(10_000_000 - 600_000)
    layers.drop()
    expect(room.left).toBe(10_000_000)
    expect(held(0, 100, layers.mayHold)).toBe(0)
  })

  it('take more strangers for their own where there is no room, and miss none', () => {
    const room = { left: 4_096 * 2 + 8_192 * 2 }
    const layers = openLayers(0, room)
    each(0, 40_000, layers.add)
    expect(room.left).toBe(0)
    expect(held(0, 40_000, layers.mayHold)).toBe(40_000)
    const doubted = held(10_000_000, 10_000, layers.mayHold)
    expect(doubted).toBeGreaterThan(1_000)
    expect(doubted).toBeLessThan(6_000)
  })
})

describe('whether questions are frequent', () => {
  it('says so once they were for half a second, and ten seconds longer', () => {
    const busy = openBusy(100)
    let now = 0
    const ask = (count: number, everyMs: number): number => {
      const from = now
      now += count * everyMs
      const times = Array.from({ length: count }, (_, at) => from + (at + 1) * everyMs)
      return times.filter((at) => busy.asked(at)).length
    }
    // As many as leak: it never fills.
    expect(ask(1_000, 10.1)).toBe(0)
    expect(busy.isSo(now)).toBe(false)
    expect(ask(200, 5)).toBeGreaterThan(90)
    expect(busy.isSo(now + 9_000)).toBe(true)
    expect(busy.isSo(now + 10_001)).toBe(false)
    now += 20_000
    expect(ask(1, 1)).toBe(0)
  })
})
