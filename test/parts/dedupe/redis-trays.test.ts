import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { dedupeKeys } from '../../../src/parts/dedupe/redis/keys.ts'
import { pourScript } from '../../../src/parts/dedupe/redis/scripts.ts'
import { openSieveIds } from '../../../src/parts/dedupe/redis/sieve/ids.ts'
import { roomOfProcess } from '../../../src/parts/dedupe/redis/sieve/layers.ts'
import { pourAll } from '../../../src/parts/dedupe/redis/sieve/loading.ts'
import { openRedis } from '../../../src/parts/redis.ts'
import { hour } from '../../../src/std/instant.ts'
import type { OpenedDedupe } from '../../support/dedupe/redis-dedupe.ts'
import { knownOf, noon, openOn, redisOf, runOf, spread } from '../../support/dedupe/redis-dedupe.ts'
import { quiet } from '../../support/runtime/logger.ts'
import { describeWith } from '../../support/servers/describe-with.ts'
import type { TestRedis } from '../../support/servers/redis.ts'
import { redisMissing, startRedis } from '../../support/servers/redis.ts'

describeWith(redisMissing, 'trays of new ids in Redis', () => {
  let server: TestRedis
  let opened: OpenedDedupe
  beforeAll(async () => {
    server = await startRedis()
  })
  beforeEach(async () => {
    await server.cli('FLUSHALL')
    opened = await openOn(server)
    await opened.dedupe.reset(0, 'a', 0)
  })
  afterEach(() => opened.close())
  afterAll(() => server.stop())

  const mark = (start: number, first: number, count: number, at = noon) =>
    opened.dedupe.mark(0, 'a', runOf(start, spread(first, count), at))

  it('count ids once that came again, at once among few and later among many', async () => {
    await mark(0, 0, 100)
    await mark(1, 50, 100)
    expect(await opened.dedupe.size()).toBe(150)
    await mark(2, 0, 40_000)
    for (let start = 3; start < 10; start += 1) await mark(start, 0, 8_000)
    // A generation later all trays of this one are emptied.
    await mark(10, 50_000, 3_000, noon + 12 * hour)
    expect(await traysOf(noon)).toHaveLength(0)
    expect(await opened.dedupe.size()).toBe(43_000)
    expect(await knownOf(opened.dedupe, 11, spread(0, 40_000))).toBe(40_000)
    expect(await knownOf(opened.dedupe, 11, spread(40_000, 10_000))).toBe(0)
  })

  it('are unlinked with their generation', async () => {
    await mark(0, 0, 300)
    expect((await traysOf(noon)).length).toBeGreaterThan(0)
    await mark(1, 300, 5, noon + 72 * hour)
    expect(await traysOf(noon)).toHaveLength(0)
  })

  it('take over what a release without them has left', async () => {
    await mark(0, 0, 30_000)
    await asWithoutTrays()
    const known = await knownOf(opened.dedupe, 1, spread(0, 30_000))
    expect(known).toBeGreaterThan(20_000)
    expect(await mark(1, 30_000, 30_000)).toBe(true)
    expect((await traysOf(noon)).length).toBeGreaterThan(0)
    expect(await knownOf(opened.dedupe, 2, spread(0, 30_000))).toBe(known)
    expect(await knownOf(opened.dedupe, 2, spread(30_000, 30_000))).toBe(30_000)
  })

  it('leave a release without them nothing that it could take for whole', async () => {
    await mark(0, 0, 100)
    // It compares the whole field with half of its window.
    expect(await field('half')).not.toBe(String(12 * hour))
    await mark(1, 100, 5_000)
    expect(await field('half')).not.toBe(String(12 * hour))
  })

  it('are swept where a release without them began again and forgot them', async () => {
    await mark(0, 0, 3_000)
    await server.cli('HSET', await tag(), 'filling', 'another', 'half', String(12 * hour))
    await server.cli('HSET', await tag(), 'n0', '0', 'n1', '0', 'n2', '0', 'newest', '')
    expect(await knownOf(opened.dedupe, 1, spread(0, 3_000))).toBe(0)
    expect(await mark(1, 3_000, 600)).toBe(true)
    expect((await traysOf(noon)).every((key) => key.includes(':another:'))).toBe(true)
    expect(await knownOf(opened.dedupe, 2, spread(0, 3_600))).toBe(600)
  })

  it('are read before the buckets, so that nothing is missed that is emptied meanwhile', async () => {
    const connection = openRedis({ settings: redisOf(server), logger: quiet, name: 'reader' })
    await connection.settled(1_000)
    const keys = dedupeKeys('test', false)
    for (let emptiedAt = 0; emptiedAt < 20; emptiedAt += 1) {
      await opened.dedupe.reset(0, 'a', 0)
      await mark(0, 0, 5_000)
      for (let start = 1; start < 9; start += 1) await mark(start, 4_950 + start * 50, 50)
      const [filling, waited] = [await field('filling'), await traysOf(noon)]
      expect(waited.length).toBeGreaterThan(8)
      const into = openSieveIds(0, roomOfProcess())
      let read = 0
      const run: typeof connection.run = async (...asked) => {
        if (asked[0] === pourScript && read++ === emptiedAt) await mark(9, 100_000, 20_000)
        return connection.run(...asked)
      }
      const newest = Math.floor(noon / (12 * hour))
      const of = { partition: 0, into, filling, synced: 9, newest, isWanted: () => true }
      expect(await pourAll({ connection: { ...connection, run }, keys }, of)).toBe(true)
      expect(into.doubted(spread(0, 5_400))).toHaveLength(5_400)
      into.drop()
    }
    connection.close()
  })

  /** Takes the trays away, with what waits in them. */
  async function asWithoutTrays(): Promise<void> {
    for (const key of await traysOf(noon)) await server.cli('UNLINK', key)
    await server.cli('HDEL', await tag(), 'w0', 'w1', 'w2')
    await server.cli('HSET', await tag(), 'half', String(12 * hour))
  }

  async function traysOf(at: number): Promise<readonly string[]> {
    const generation = Math.floor(at / (12 * hour)).toString(16)
    return (await server.cli('KEYS', `*:${generation}:tray:*`)).split('\n').filter(Boolean)
  }

  async function field(name: string): Promise<string> {
    return (await server.cli('HGET', await tag(), name)).trim()
  }

  async function tag(): Promise<string> {
    return (await server.cli('KEYS', 'sluice:{*:0}')).trim()
  }
})
