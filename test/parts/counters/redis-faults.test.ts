import { afterEach, beforeEach, expect, it } from 'vitest'
import { memoryCounters } from '../../../src/parts/counters/memory/counters.ts'
import type { Counters, Subject } from '../../../src/parts/counters/port.ts'
import { openRedisCounters } from '../../../src/parts/counters/redis/counters.ts'
import { redisOf } from '../../support/dedupe/redis-dedupe.ts'
import { quiet } from '../../support/runtime/logger.ts'
import { describeWith } from '../../support/servers/describe-with.ts'
import type { TestRedis } from '../../support/servers/redis.ts'
import { redisMissing, startRedis } from '../../support/servers/redis.ts'

const tier = { burst: 20, sustained: 20 }
const business: Subject = { scope: 'business', name: 'bus_1' }

describeWith(redisMissing, 'the counters while Redis fails', () => {
  let server: TestRedis
  const opened: Counters[] = []
  beforeEach(async () => {
    server = await startRedis()
  })
  afterEach(async () => {
    for (const counters of opened.splice(0)) await counters.close()
    await server.stop()
  })

  async function open(): Promise<Counters> {
    const nowMs = () => Math.floor(performance.now())
    const own = { installation: 'test', logger: quiet, alone: memoryCounters({ nowMs }), nowMs }
    const counters = await openRedisCounters({ redis: redisOf(server), ...own })
    opened.push(counters)
    return counters
  }

  const rush = async (counters: Counters, count: number, subject = business): Promise<number> => {
    const asked = Array.from({ length: count }, () => counters.take(subject, tier))
    return (await Promise.all(asked)).filter(({ passed }) => passed).length
  }

  it('go on process by process from what each let pass, and together when it is back', async () => {
    const [one, another] = [await open(), await open()]
    expect(await rush(one, 5)).toBe(5)
    await server.kill()
    expect(await rush(one, 30)).toBe(15)
    expect(await rush(another, 30)).toBe(20)
    await server.start()
    const later = { scope: 'business', name: 'bus_2' } as const
    // Together again once what one counts is seen by the other.
    await expect
      .poll(async () => {
        const subject = { ...later, name: `bus_${performance.now()}` }
        return (await rush(one, 20, subject)) + (await rush(another, 20, subject))
      })
      .toBe(20)
  })

  it('answer all the same while it hangs', async () => {
    const one = await open()
    await server.freeze()
    expect(await rush(one, 30)).toBe(20)
    expect(await rush(one, 5)).toBe(0)
    await server.thaw()
  })

  it('answer when they were opened without it', async () => {
    await server.kill()
    const one = await open()
    expect(await rush(one, 30)).toBe(20)
  })

  it('begin anew where a window would last longer than a whole one: the clock was set back', async () => {
    const one = await open()
    await rush(one, 1)
    const key = await server.cli('--scan', '--pattern', 'sluice:*:b:bus_1')
    const far = '9000000000000'
    await server.cli('set', key, `20 ${far} 20 ${far}`)
    expect(await rush(one, 30)).toBe(20)
  })

  it('ask about few of those that come to a wide window, and put back what they did not use', async () => {
    const one = await open()
    const asked = async () =>
      Number(/evalsha:calls=(\d+)/.exec(await server.cli('info', 'commandstats'))?.[1] ?? 0)
    const before = await asked()
    const wide = { burst: 100_000, sustained: 100_000 }
    for (let time = 0; time < 2_000; time += 1) await one.take(business, wide)
    expect((await asked()) - before).toBeLessThan(400)
    const key = await server.cli('--scan', '--pattern', 'sluice:*:b:bus_1')
    await expect.poll(async () => (await server.cli('get', key)).split(' ')[2]).toBe('2000')
  })

  it('leave nothing behind that does not end by itself', async () => {
    const one = await open()
    await rush(one, 3)
    const key = await server.cli('--scan', '--pattern', 'sluice:*:b:bus_1')
    const left = Number(await server.cli('pttl', key))
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThanOrEqual(60_000)
  })

  it('do not fill it up with strangers, however many come', async () => {
    const one = await open()
    for (let wave = 0; wave < 30; wave += 1) {
      await Promise.all(
        Array.from({ length: 1_000 }, (_, index) =>
          one.take({ scope: 'address', name: `${wave} ${index}` }, tier),
        ),
      )
    }
    expect(Number(await server.cli('dbsize'))).toBeLessThanOrEqual(20_000)
    expect(await rush(one, 30)).toBe(20)
    expect(await rush(one, 30, { scope: 'address', name: 'one more' })).toBe(20)
  })
})
