import { afterAll, beforeAll, expect, it } from 'vitest'
import { hour } from '../../../src/std/instant.ts'
import type { OpenedDedupe } from '../../support/redis-dedupe.ts'
import { knownOf, noon, openOn, runOf, spread } from '../../support/redis-dedupe.ts'
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

  it('take less than 12.75 bytes each, while they grow', async () => {
    expect(await opened.dedupe.size()).toBe(idsOfGeneration * 3)
    // Memory comes in sizes a fifth apart, and buckets are of about one size: so they waste more or
    // less of it while they grow. Ten are the ids themselves.
    expect(Math.max(...each.slice(10))).toBeLessThan(12.75)
  })

  it('are all found, and no others', async () => {
    const all = idsOfGeneration * 3
    // In parts, as polls are: Redis has two seconds for all scripts of a check.
    for (let from = 0; from < all; from += 10_000) {
      expect(await knownOf(opened.dedupe, 30, spread(from, 10_000))).toBe(10_000)
      expect(await knownOf(opened.dedupe, 30, spread(all + from, 5_000))).toBe(0)
    }
  })

  it('lie in buckets of ten bytes each that stay small', async () => {
    const lengths = `
      local found = {}
      for _, key in ipairs(redis.call('KEYS', '*:*:*:*:*')) do
        found[#found + 1] = redis.call('STRLEN', key)
      end
      return cjson.encode(found)`
    const found: number[] = JSON.parse(await server.cli('EVAL', lengths, '0'))
    expect(found.length).toBeGreaterThan(1_000)
    expect(found.every((length) => length % 10 === 0)).toBe(true)
    expect(Math.max(...found)).toBeLessThan(9_000)
  })

  it('are told apart where their first 88 bits differ, in buckets that say a byte of each', async () => {
    const ids = spread(0, 1_000)
    const others = ids.map((word, at) => (at % 3 === 2 ? word ^ 0x100 : word))
    expect(await knownOf(opened.dedupe, 30, others)).toBe(0)
  })

  async function usedBytes(): Promise<number> {
    const found = /^used_memory:(\d+)/m.exec(await server.cli('INFO', 'memory'))
    return Number(found?.[1])
  }
})
