import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Fingerprints } from '../../../src/parts/dedupe/port.ts'
import { hour } from '../../../src/std/instant.ts'
import type { OpenedDedupe } from '../../support/dedupe/redis-dedupe.ts'
import { knownOf, noon, openOn, runOf, spread } from '../../support/dedupe/redis-dedupe.ts'
import { describeWith } from '../../support/servers/describe-with.ts'
import type { TestRedis } from '../../support/servers/redis.ts'
import { redisMissing, startRedis } from '../../support/servers/redis.ts'

const idsOfGeneration = 110_000

describeWith(redisMissing, 'a third of a million ids in one partition of Redis', () => {
  let server: TestRedis
  let opened: OpenedDedupe
  /** Bytes an id after each mark. */
  const each: number[] = []
  beforeAll(async () => {
    server = await startRedis()
    opened = await openOn(server)
    // So that what Redis takes for the scripts themselves, once, does not count.
    await opened.dedupe.reset(1, 'a', 0)
    await opened.dedupe.mark(1, 'a', runOf(0, spread(0, 10_000), noon))
    await opened.dedupe.reset(1, 'b', 0)
    await opened.dedupe.reset(0, 'a', 0)
    const before = await usedBytes()
    // Three generations, of which the first starts from nothing and is split all the way.
    for (let run = 0; run < 30; run += 1) {
      const at = noon + Math.floor(run / 10) * 12 * hour
      const ids = spread((run * idsOfGeneration) / 10, idsOfGeneration / 10)
      expect(await opened.dedupe.mark(0, 'a', runOf(run, ids, at))).toBe(true)
      each.push(((await usedBytes()) - before) / (((run + 1) * idsOfGeneration) / 10))
    }
  })
  afterAll(async () => {
    await opened.close()
    await server.stop()
  })

  it('take less than 11 bytes each, while they grow', async () => {
    expect(await opened.dedupe.size()).toBe(idsOfGeneration * 3)
    // Memory comes in sizes a fifth apart, and buckets are of about one size: so they waste more or
    // less of it while they grow. Nine are the ids themselves.
    expect(Math.max(...each.slice(10))).toBeLessThan(11)
  })

  it('are all found, and no others', async () => {
    const all = idsOfGeneration * 3
    // In parts, as polls are: Redis has two seconds for all scripts of a check.
    for (let from = 0; from < all; from += 10_000) {
      expect(await knownOf(opened.dedupe, 30, spread(from, 10_000))).toBe(10_000)
      expect(await knownOf(opened.dedupe, 30, spread(all + from, 5_000))).toBe(0)
    }
  })

  it('lie in buckets of nine bytes each that stay small', async () => {
    const found = (await lengths()).filter(({ key }) => !isTray(key))
    expect(found.length).toBeGreaterThan(1_000)
    expect(found.every(({ length }) => length % 9 === 0)).toBe(true)
    expect(Math.max(...found.map(({ length }) => length))).toBeLessThan(9_000)
  })

  it('wait in trays, few of them, and only those of the newest generation', async () => {
    const trays = (await lengths()).filter(({ key }) => isTray(key))
    expect(trays.length).toBeGreaterThan(5)
    expect(trays.every(({ length }) => length % 12 === 0)).toBe(true)
    expect(trays.reduce((sum, { length }) => sum + length / 12, 0)).toBeLessThan(6_000)
    expect(new Set(trays.map(({ key }) => key.split(':')[4]))).toEqual(
      new Set([generationOf(noon + 24 * hour).toString(16)]),
    )
  })

  it('are told apart where their first 80 bits differ', async () => {
    const ids = spread(0, 1_000)
    expect(await knownOf(opened.dedupe, 30, turned(ids, 0x1_0000))).toBe(0)
    expect(await knownOf(opened.dedupe, 30, turned(ids, 0x8000))).toBe(1_000)
  })

  // So that the test need not add millions of ids, the generation before claims to have had that
  // many buckets.
  it.each([
    { buckets: 8_192, bits: 88, told: 0x100, alike: 0x80 },
    { buckets: 131_072, bits: 96, told: 1, alike: 0 },
  ])(
    'after one of $buckets buckets are told apart by $bits bits',
    async ({ buckets, told, alike }) => {
      const { dedupe } = opened
      await dedupe.reset(1, 'a', 0)
      const [first, second] = [spread(0, 5_000), spread(5_000, 5_000)]
      expect(await dedupe.mark(1, 'a', runOf(0, first, noon))).toBe(true)
      const [tag = ''] = (await server.cli('KEYS', 'sluice:{*:1}')).trim().split('\n')
      await server.cli('HSET', tag, `n${generationOf(noon) % 3}`, String(buckets))
      expect(await dedupe.mark(1, 'a', runOf(1, second, noon + 12 * hour))).toBe(true)
      const known = async (ids: Fingerprints) => {
        const answer = await dedupe.check(1, 'a', 2, ids)
        return answer.kind === 'answer' ? answer.known.filter((one) => one === 1).length : null
      }
      expect(await known(second)).toBe(5_000)
      expect(await known(spread(10_000, 5_000))).toBe(0)
      expect(await known(turned(second, told))).toBe(0)
      expect(await known(turned(second, alike))).toBe(5_000)
    },
  )

  /** The length of each bucket and tray. */
  async function lengths(): Promise<readonly { readonly key: string; readonly length: number }[]> {
    const script = `
      local found = {}
      for i, key in ipairs(redis.call('KEYS', '*:*:*:*:*')) do
        found[i] = {key = key, length = redis.call('STRLEN', key)}
      end
      return cjson.encode(found)`
    return JSON.parse(await server.cli('EVAL', script, '0'))
  }

  async function usedBytes(): Promise<number> {
    const found = /^used_memory:(\d+)/m.exec(await server.cli('INFO', 'memory'))
    return Number(found?.[1])
  }
})

const isTray = (key: string): boolean => key.includes(':tray:')

/** Others, by these bits of the last 32. */
const turned = (ids: Fingerprints, bits: number): Fingerprints =>
  ids.map((word, at) => (at % 3 === 2 ? word ^ bits : word))

const generationOf = (ran: number): number => Math.floor(ran / (12 * hour))
