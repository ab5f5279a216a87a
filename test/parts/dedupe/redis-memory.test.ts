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
  let grown = 0
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
    }
    grown = (await usedBytes()) - before
  })
  afterAll(async () => {
    await opened.close()
    await server.stop()
  })

  it('take at most 12 bytes each', async () => {
    expect(await opened.dedupe.size()).toBe(idsOfGeneration * 3)
    expect(grown / (idsOfGeneration * 3)).toBeLessThan(12)
  })

  it('are all found, and no others', async () => {
    const all = idsOfGeneration * 3
    expect(await knownOf(opened.dedupe, 30, spread(0, all))).toBe(all)
    expect(await knownOf(opened.dedupe, 30, spread(all, 100_000))).toBe(0)
  })

  it('lie in buckets that Redis keeps small', async () => {
    const encodings = `
      local found = {}
      for _, key in ipairs(redis.call('KEYS', '*:*:*:*:*')) do
        local encoding = redis.call('OBJECT', 'ENCODING', key)
        found[encoding] = (found[encoding] or 0) + 1
      end
      return cjson.encode(found)`
    const found = JSON.parse(await server.cli('EVAL', encodings, '0'))
    expect(found).toEqual({ intset: expect.any(Number) })
    expect(found.intset).toBeGreaterThan(1_000)
  })

  async function usedBytes(): Promise<number> {
    const found = /^used_memory:(\d+)/m.exec(await server.cli('INFO', 'memory'))
    return Number(found?.[1])
  }
})
