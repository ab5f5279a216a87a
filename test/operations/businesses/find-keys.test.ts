import { describe, expect, it } from 'vitest'
import { limits } from '../../../src/limits.ts'
import { keyFinder } from '../../../src/operations/businesses/find-keys.ts'
import type { FoundKey } from '../../../src/parts/store/keys.ts'

interface Asked {
  readonly hashes: readonly Uint8Array[]
  answer(found: readonly (FoundKey | null)[]): void
  fail(error: unknown): void
}

function setup() {
  const asked: Asked[] = []
  const find = keyFinder({
    find: (hashes) =>
      new Promise((answer, fail) => {
        asked.push({ hashes, answer, fail })
      }),
  })
  return { asked, find }
}

const hash = (value: number) => Uint8Array.of(value >> 8, value & 255)
const nobody = (asked: Asked | undefined) => asked?.answer(asked.hashes.map(() => null))

describe('the look-ups of keys', () => {
  it('ask once for all who come while a question is under way', async () => {
    const { asked, find } = setup()
    const first = find(hash(0), false)
    await undefined
    const rest = Array.from({ length: limits.keysPerLookupMax + 7 }, (_, at) =>
      find(hash(at), false),
    )
    expect(asked.map(({ hashes }) => hashes.length)).toEqual([1])
    nobody(asked[0])
    await first
    await expect.poll(() => asked.length).toBe(2)
    nobody(asked[1])
    await expect.poll(() => asked.length).toBe(3)
    nobody(asked[2])
    expect(await Promise.all(rest)).toHaveLength(limits.keysPerLookupMax + 7)
    expect(asked.map(({ hashes }) => hashes.length)).toEqual([1, limits.keysPerLookupMax, 7])
  })

  it('of keys that are known wait for none that are not', async () => {
    const { asked, find } = setup()
    for (let at = 0; at < 4_000; at += 1) void find(hash(at), false)
    const known = find(hash(1), true)
    await expect.poll(() => asked.length).toBe(2)
    nobody(asked.find(({ hashes }) => hashes.length === 1))
    expect(await known).toBeNull()
  })

  it('leave the store a rest after a question that found nothing, and no other', async () => {
    const { asked, find } = setup()
    const spent = async (answer: (one: Asked | undefined) => void) => {
      const at = asked.length
      void find(hash(1), false)
      await expect.poll(() => asked.length).toBe(at + 1)
      void find(hash(2), false)
      const since = performance.now()
      answer(asked[at])
      while (asked.length === at + 1) await new Promise(setImmediate)
      const ms = performance.now() - since
      nobody(asked[at + 1])
      await new Promise((resolve) => setTimeout(resolve, 3 * limits.guessedRestMs))
      return ms
    }
    const good = (one: Asked | undefined) => one?.answer([{ keyId: 'key_1' } as FoundKey])
    expect(await spent(nobody)).toBeGreaterThan(limits.guessedRestMs - 2)
    const after: number[] = []
    for (let time = 0; time < 5; time += 1) after.push(await spent(good))
    expect(Math.min(...after)).toBeLessThan(limits.guessedRestMs - 2)
  })

  it('give everybody the own answer, and fail for those alone who were asked for', async () => {
    const { asked, find } = setup()
    const key = (keyId: string) => ({ keyId }) as FoundKey
    const both = [find(hash(1), true), find(hash(2), true)]
    await expect.poll(() => asked.length).toBe(1)
    const later = find(hash(3), true)
    asked[0]?.fail(new Error('gone'))
    await expect(both[0]).rejects.toThrow('gone')
    await expect(both[1]).rejects.toThrow('gone')
    await expect.poll(() => asked.length).toBe(2)
    asked[1]?.answer([key('key_3')])
    expect(await later).toEqual(key('key_3'))
  })
})
