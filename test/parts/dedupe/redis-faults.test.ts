import { afterEach, beforeEach, expect, it } from 'vitest'
import { openRedisDedupe } from '../../../src/parts/dedupe/redis/dedupe.ts'
import { openHealthCheck } from '../../../src/parts/dedupe/redis/health.ts'
import { hour } from '../../../src/std/instant.ts'
import type { OpenedDedupe } from '../../support/dedupe/redis-dedupe.ts'
import { knownOf, noon, openOn, redisOf, runOf, spread } from '../../support/dedupe/redis-dedupe.ts'
import { quiet, rememberingLogger } from '../../support/runtime/logger.ts'
import { describeWith } from '../../support/servers/describe-with.ts'
import type { TestRedis } from '../../support/servers/redis.ts'
import { redisMissing, startRedis } from '../../support/servers/redis.ts'
import { until } from '../../support/servers/until.ts'

const unavailable = { name: 'Fault', code: 'UNAVAILABLE' }

describeWith(redisMissing, 'the dedupe while Redis fails', () => {
  let server: TestRedis
  let opened: OpenedDedupe
  beforeEach(async () => {
    server = await startRedis()
    opened = await openOn(server)
    await opened.dedupe.reset(0, 'a', 0)
    await opened.dedupe.mark(0, 'a', runOf(0, spread(0, 100)))
  })
  afterEach(async () => {
    await opened.close()
    await server.stop()
  })

  it('throws and lets through while Redis is gone, and is stale once it is back empty', async () => {
    const { dedupe, filter, skipped } = opened
    await server.kill()
    await expect(dedupe.check(0, 'a', 1, spread(0, 3))).rejects.toMatchObject(unavailable)
    await expect(dedupe.mark(0, 'a', runOf(1, spread(0, 3)))).rejects.toMatchObject(unavailable)
    await expect(dedupe.reset(0, 'b', 0)).rejects.toMatchObject(unavailable)
    await expect(dedupe.size()).rejects.toMatchObject(unavailable)
    expect(await filter.known(0, 'a', spread(0, 3))).toEqual(new Uint8Array(3))
    expect(skipped()).toBe(3)
    await server.start()
    await until('an answer', () => answers(opened))
    expect(await dedupe.check(0, 'a', 1, spread(0, 3))).toEqual({ kind: 'stale', synced: null })
    expect(await dedupe.mark(0, 'a', runOf(1, spread(0, 3)))).toBe(false)
    await dedupe.reset(0, 'a', 1)
    expect(await dedupe.mark(0, 'a', runOf(1, spread(0, 3)))).toBe(true)
    await until(
      'a filter that looks',
      async () => sum(await filter.known(0, 'a', spread(0, 3))) === 3,
    )
  })

  it('opens while Redis is gone, and works when it comes', async () => {
    await server.kill()
    const early = await openOn(server)
    await expect(early.dedupe.check(0, 'a', 1, spread(0, 1))).rejects.toMatchObject(unavailable)
    expect(await early.filter.known(0, 'a', spread(0, 2))).toEqual(new Uint8Array(2))
    expect(early.skipped()).toBe(2)
    await server.start()
    await until('an answer', () => answers(early))
    await early.close()
  })

  it('answers nobody known in time when Redis is frozen, queues nothing, and thaws', async () => {
    const { dedupe, filter, skipped } = opened
    await server.freeze()
    const asked = Array.from({ length: 500 }, (_, at) => filter.known(0, 'a', spread(at, 1)))
    expect(sum((await Promise.all(asked)).map(sum))).toBe(0)
    for (let at = 0; at < 500; at += 1) await filter.known(0, 'a', spread(at, 1))
    expect(skipped()).toBe(1_000)
    await expect(dedupe.check(0, 'a', 1, spread(0, 1))).rejects.toMatchObject(unavailable)
    await server.thaw()
    await until(
      'a filter that looks',
      async () => sum(await filter.known(0, 'a', spread(0, 9))) === 9,
    )
    await until('an answer', () => answers(opened))
    expect(await knownOf(dedupe, 1, spread(0, 100))).toBe(100)
  })

  it('is stale after FLUSHALL, and knows its scripts again after SCRIPT FLUSH', async () => {
    const { dedupe, filter } = opened
    await server.cli('SCRIPT', 'FLUSH')
    expect(await knownOf(dedupe, 1, spread(50, 100))).toBe(50)
    await server.cli('FLUSHALL')
    expect(await dedupe.check(0, 'a', 1, spread(0, 1))).toEqual({ kind: 'stale', synced: null })
    expect(sum(await filter.known(0, 'a', spread(0, 1)))).toBe(0)
  })

  it('marks nothing when memory is used up, and can be asked all the same', async () => {
    const { dedupe } = opened
    await server.cli('CONFIG', 'SET', 'maxmemory', '1')
    const run = runOf(1, spread(200, 5_000))
    await expect(dedupe.mark(0, 'a', run)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: 'Redis has no memory left for the dedupe (maxmemory).',
    })
    expect(await knownOf(dedupe, 1, spread(0, 5_200))).toBe(100)
    expect(await dedupe.size()).toBe(100)
    const check = openHealthCheck({ redis: redisOf(server), logger: quiet })
    await until('the reason', async () => (await check.ask()).includes('maxmemory'))
    check.close()
    // What has grown too old is dropped first, and so makes room.
    const later = runOf(1, spread(200, 50), noon + 100 * hour)
    expect(await dedupe.mark(0, 'a', later)).toBe(true)
    expect(await dedupe.size()).toBe(50)
  })

  it('does not use a Redis that evicts, says so, and distrusts what it held', async () => {
    await server.cli('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-random')
    const logger = rememberingLogger()
    const other = await openOn(server, { logger })
    const reason = expect.stringContaining('maxmemory-policy of Redis is allkeys-random')
    await expect(other.dedupe.check(0, 'a', 1, spread(0, 1))).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: reason,
    })
    expect(logger.told.filter(({ level }) => level === 'error')).toEqual([
      { level: 'error', fields: {}, message: reason },
    ])
    const check = openHealthCheck({ redis: redisOf(server), logger: quiet })
    await until('the reason', async () => (await check.ask()).includes('allkeys-random'))
    await server.cli('CONFIG', 'SET', 'maxmemory', '2mb')
    await until('an eviction', async () => {
      await server.cli('SET', `filling ${Math.random()}`, 'x'.repeat(100_000))
      return !(await server.cli('INFO', 'stats')).includes('evicted_keys:0')
    })
    await server.cli('CONFIG', 'SET', 'maxmemory', '0')
    await server.cli('CONFIG', 'SET', 'maxmemory-policy', 'noeviction')
    await until('a fit Redis', async () => (await check.ask()) === 'up')
    check.close()
    const stale = { kind: 'stale', synced: null }
    expect(await other.dedupe.check(0, 'a', 1, spread(0, 1))).toEqual(stale)
    await other.dedupe.reset(0, 'a', 1)
    expect(await other.dedupe.mark(0, 'a', runOf(1, spread(0, 10)))).toBe(true)
    expect(await knownOf(other.dedupe, 2, spread(0, 20))).toBe(10)
    await other.close()
  })

  it('says stale from where an older snapshot is synced', async () => {
    const { dedupe } = opened
    await server.cli('SAVE')
    await server.cli('CONFIG', 'SET', 'save', '')
    expect(await dedupe.mark(0, 'a', runOf(1, spread(100, 100)))).toBe(true)
    await server.kill()
    await server.start()
    await until('an answer', () => answers(opened))
    expect(await dedupe.check(0, 'a', 2, spread(0, 1))).toEqual({ kind: 'stale', synced: 1 })
    expect(await dedupe.mark(0, 'a', runOf(1, spread(100, 100)))).toBe(true)
    expect(await knownOf(dedupe, 2, spread(0, 300))).toBe(200)
  })

  it('never takes a mark for whole of which a step was lost', async () => {
    const { dedupe } = opened
    const tag = await hashKey(server)
    // As after a failover between the first step and the second: synced, and the ids gone.
    await server.cli('HSET', tag, 'open', '2:1')
    expect(await dedupe.check(0, 'a', 1, spread(0, 1))).toEqual({ kind: 'stale', synced: null })
    expect(await dedupe.check(0, 'a', 2, spread(0, 1))).toEqual({ kind: 'stale', synced: 1 })
    expect(await dedupe.mark(0, 'a', runOf(1, spread(100, 5_000)))).toBe(true)
    expect(await knownOf(dedupe, 2, spread(0, 5_200))).toBe(5_100)
  })

  it('unlinks what has been dropped, little by little', async () => {
    const { dedupe } = opened
    await dedupe.mark(0, 'a', runOf(1, spread(0, 60_000)))
    expect(Number(await server.cli('DBSIZE'))).toBeGreaterThan(250)
    for (let start = 2; start < 5; start += 1) {
      await dedupe.mark(0, 'a', runOf(start, spread(0, 5), noon + start * 24 * hour))
    }
    // The hash, what sieves are told, and the buckets of five ids in two generations.
    expect(Number(await server.cli('DBSIZE'))).toBeLessThan(13)
    await dedupe.reset(0, 'b', 0)
    expect(Number(await server.cli('DBSIZE'))).toBe(1)
    expect(await dedupe.size()).toBe(0)
  })

  it('keeps installations apart', async () => {
    const stranger = await openStranger(server)
    expect(await stranger.check(0, 'a', 1, spread(0, 1))).toEqual({ kind: 'stale', synced: null })
    await stranger.reset(0, 'a', 1)
    expect(await knownOf(stranger, 1, spread(0, 100))).toBe(0)
    expect(await knownOf(opened.dedupe, 1, spread(0, 100))).toBe(100)
    await stranger.close()
  })
})

function openStranger(server: TestRedis) {
  const options = { redis: redisOf(server), partitions: 4, windowUs: 24 * hour, logger: quiet }
  return openRedisDedupe({ ...options, installation: 'stranger' })
}

const sum = (values: Iterable<number>): number => [...values].reduce((all, one) => all + one, 0)

const answers = ({ dedupe }: OpenedDedupe): Promise<boolean> =>
  dedupe.size().then(
    () => true,
    () => false,
  )

async function hashKey(server: TestRedis): Promise<string> {
  const keys = (await server.cli('KEYS', '*')).split('\n')
  return keys.sort((a, b) => a.length - b.length)[0] ?? ''
}
