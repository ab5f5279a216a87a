import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { openHealthCheck } from '../../../src/parts/dedupe/redis/health.ts'
import type { OpenedDedupe } from '../../support/dedupe/redis-dedupe.ts'
import { knownOf, openOn, redisOf, runOf, spread } from '../../support/dedupe/redis-dedupe.ts'
import { quiet } from '../../support/runtime/logger.ts'
import { describeWith } from '../../support/servers/describe-with.ts'
import type { TestRedisCluster, TestRedisSentinel } from '../../support/servers/redis.ts'
import {
  redisMissing,
  startRedis,
  startRedisCluster,
  startRedisSentinel,
} from '../../support/servers/redis.ts'
import { redisCli } from '../../support/servers/redis-process.ts'
import { until } from '../../support/servers/until.ts'

describeWith(redisMissing, 'the dedupe when Sentinels make another master', () => {
  let servers: TestRedisSentinel
  let opened: OpenedDedupe
  beforeEach(async () => {
    servers = await startRedisSentinel()
    opened = await openOn(servers)
    await opened.dedupe.reset(0, 'a', 0)
    await opened.dedupe.mark(0, 'a', runOf(0, spread(0, 3_000)))
    await servers.cli('WAIT', '1', '0')
  })
  afterEach(async () => {
    await opened.close()
    await servers.stop()
  })

  it('says from where marks are lost, and takes them again', async () => {
    const { dedupe } = opened
    // The replica hears no more of what happens.
    await servers.cli('ACL', 'SETUSER', 'default', '-psync', '-sync')
    await servers.cli('CLIENT', 'KILL', 'TYPE', 'replica')
    expect(await dedupe.mark(0, 'a', runOf(1, spread(3_000, 3_000)))).toBe(true)
    await servers.killMaster()
    await until('an answer', () => answers(opened))
    expect(await dedupe.check(0, 'a', 2, spread(0, 1))).toEqual({ kind: 'stale', synced: 1 })
    expect(await dedupe.mark(0, 'a', runOf(1, spread(3_000, 3_000)))).toBe(true)
    expect(await knownOf(dedupe, 2, spread(0, 10_000))).toBe(6_000)
    const looked = async () => (await opened.filter.known(0, 'a', spread(5_999, 2)))[0] === 1
    await until('a look', looked)
  })

  it('moves on when the master freezes, and back in it changes nothing', async () => {
    const { dedupe } = opened
    const thaw = await servers.freezeMaster()
    await until('an answer', () => answers(opened))
    expect(await dedupe.mark(0, 'a', runOf(1, spread(3_000, 10)))).toBe(true)
    await thaw()
    for (let start = 2; start < 30; start += 1) {
      await until('a mark', () => marked(opened, start))
    }
    expect(await knownOf(dedupe, 30, spread(0, 4_000))).toBe(3_290)
  })
})

describeWith(redisMissing, 'the dedupe when a cluster changes', () => {
  let cluster: TestRedisCluster
  let opened: OpenedDedupe
  beforeAll(async () => {
    cluster = await startRedisCluster({ replicas: 1 })
    opened = await openOn(cluster, { partitions: 16 })
    for (let partition = 0; partition < 16; partition += 1) {
      await opened.dedupe.reset(partition, 'a', 0)
      await opened.dedupe.mark(partition, 'a', runOf(0, spread(0, 3_000)))
    }
  })
  afterAll(async () => {
    await opened.close()
    await cluster.stop()
  })

  it('refuses while a slot moves, and answers the same when it has', async () => {
    const { dedupe } = opened
    const { slot, from, to, node } = await movable(cluster)
    const others = { from: await idOf(from), to: await idOf(to) }
    await node(to, 'CLUSTER', 'SETSLOT', slot, 'IMPORTING', others.from)
    await node(from, 'CLUSTER', 'SETSLOT', slot, 'MIGRATING', others.to)
    const keys = (await node(from, 'CLUSTER', 'GETKEYSINSLOT', slot, '1000')).split('\n')
    expect(keys.length).toBeGreaterThan(10)
    const [host, port] = to.split(':')
    const move = (some: readonly string[]) =>
      node(from, 'MIGRATE', `${host}`, `${port}`, '', '0', '5000', 'KEYS', ...some)
    for (const half of [keys.slice(0, 5), keys.slice(5)]) {
      const refused = expect.objectContaining({ code: 'UNAVAILABLE' })
      await expect(dedupe.check(0, 'a', 1, spread(0, 10))).rejects.toEqual(refused)
      await expect(dedupe.mark(0, 'a', runOf(1, spread(5_000, 10)))).rejects.toEqual(refused)
      await move(half)
    }
    await node(to, 'CLUSTER', 'SETSLOT', slot, 'NODE', others.to)
    await node(from, 'CLUSTER', 'SETSLOT', slot, 'NODE', others.to)
    expect(await knownOf(dedupe, 1, spread(0, 6_000))).toBe(3_000)
    expect(await dedupe.mark(0, 'a', runOf(1, spread(5_000, 10)))).toBe(true)
    expect(await knownOf(dedupe, 2, spread(0, 6_000))).toBe(3_010)

    function idOf(address: string): Promise<string> {
      return node(address, 'CLUSTER', 'MYID')
    }
  })

  it('goes on when a master dies', async () => {
    const { dedupe } = opened
    await cluster.cli('WAIT', '1', '0')
    await cluster.kill(1)
    await cluster.whole()
    await until('an answer', () => answers(opened))
    for (let partition = 1; partition < 16; partition += 1) {
      const answer = await dedupe.check(partition, 'a', 1, spread(0, 10))
      if (answer.kind === 'answer') expect(answer.known).toEqual(new Uint8Array(10).fill(1))
      else expect(answer.synced ?? 0).toBe(0)
    }
    const check = openHealthCheck({ redis: redisOf(cluster), logger: quiet })
    await until('a fit cluster', async () => (await check.ask()) === 'up')
    check.close()
  })
})

describeWith(redisMissing, 'the dedupe when a whole cluster is started again', () => {
  it('is away meanwhile, then stale, and takes marks again by itself', async () => {
    const cluster = await startRedisCluster()
    const opened = await openOn(cluster)
    await opened.dedupe.reset(0, 'a', 0)
    expect(await opened.dedupe.mark(0, 'a', runOf(0, spread(0, 1)))).toBe(true)
    await Promise.all([0, 1, 2].map((index) => cluster.kill(index)))
    const check = opened.dedupe.check(0, 'a', 1, spread(0, 1))
    await expect(check).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await Promise.all([0, 1, 2].map((index) => cluster.start(index)))
    await until('an answer', () => answers(opened))
    const stale = { kind: 'stale', synced: null }
    expect(await opened.dedupe.check(0, 'a', 1, spread(0, 1))).toEqual(stale)
    await opened.dedupe.reset(0, 'a', 0)
    expect(await opened.dedupe.mark(0, 'a', runOf(0, spread(0, 10)))).toBe(true)
    const looked = async () => (await opened.filter.known(0, 'a', spread(9, 2)))[0] === 1
    await until('a look', looked)
    await opened.close()
    await cluster.stop()
  })
})

describeWith(redisMissing, 'the dedupe behind a password and TLS', () => {
  const security = { password: 'Correct/horse@battery:staple %', tls: true }
  for (const [name, start] of Object.entries({
    'one Redis': () => startRedis(security),
    Sentinels: () => startRedisSentinel(security),
    'a cluster': () => startRedisCluster(security),
  })) {
    it(`of ${name}`, async () => {
      const server = await start()
      const { dedupe, filter, close } = await openOn(server)
      await dedupe.reset(0, 'a', 0)
      expect(await dedupe.mark(0, 'a', runOf(0, spread(0, 10)))).toBe(true)
      // The first handshakes may take longer than the filter waits.
      await until('a look', async () => (await filter.known(0, 'a', spread(9, 2)))[0] === 1)
      await close()
      await server.stop()
    })
  }
})

const answers = ({ dedupe }: OpenedDedupe): Promise<boolean> =>
  dedupe.size().then(
    () => true,
    () => false,
  )

/** A mark whose answer was lost may have been made. */
async function marked({ dedupe }: OpenedDedupe, start: number): Promise<boolean> {
  try {
    if (await dedupe.mark(0, 'a', runOf(start, spread(3_000 + start * 10, 10)))) return true
    return (await dedupe.check(0, 'a', start + 1, spread(0, 0))).kind === 'answer'
  } catch {
    return false
  }
}

/** Partition 0's slot, who has it, and another master. */
async function movable(cluster: TestRedisCluster) {
  const node = (address: string, ...args: string[]): Promise<string> =>
    redisCli({ port: Number(address.split(':')[1]) }, args)
  for (const from of cluster.nodes) {
    const keys = (await node(from, 'KEYS', 'sluice:{????????:0}')).split('\n')
    const [key = ''] = keys
    if (key === '' || !(await node(from, 'ROLE')).startsWith('master')) continue
    const slot = await node(from, 'CLUSTER', 'KEYSLOT', key)
    for (const to of cluster.nodes) {
      if (to !== from && (await node(to, 'ROLE')).startsWith('master'))
        return { slot, from, to, node }
    }
  }
  throw new Error('Nobody has partition 0.')
}
