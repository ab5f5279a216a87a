import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { openDb } from '../../../src/parts/store/postgres/connection/client.ts'
import { startChild } from '../process/child.ts'
import { processesNaming } from '../process/server.ts'
import { describeWith } from './describe-with.ts'
import { kafkaMissing } from './kafka.ts'
import { postgresMissing, startPostgres } from './postgres.ts'
import { redisMissing, startRedis, startRedisCluster, startRedisSentinel } from './redis.ts'
import { serversMissing, startServers } from './servers.ts'
import { until } from './until.ts'

const secured = { password: 'a "secret\\ of: tests', tls: true }

/** What is to be stopped at the end, even where a test fails. */
const started: { stop(): Promise<void>; readonly directory: string }[] = []

async function noted<T extends (typeof started)[number]>(starting: Promise<T>): Promise<T> {
  const server = await starting
  started.push(server)
  return server
}

afterEach(async () => {
  for (const server of started.splice(0)) {
    await server.stop()
    expect(processesNaming(server.directory)).toEqual([])
    expect(existsSync(server.directory)).toBe(false)
  }
})

/** Whether no answer comes within a while. */
const isSilent = async (answer: Promise<unknown>): Promise<boolean> =>
  (await Promise.race([answer.then(() => 'answered'), sleep(300)])) === undefined

describeWith(redisMissing, 'a Redis for tests', () => {
  it('comes back empty on its port after a kill', async () => {
    const redis = await noted(startRedis(secured))
    expect(redis.url).toMatch(/^rediss:\/\/:a%20/)
    expect(await redis.cli('set', 'a', '1')).toBe('OK')
    expect(await redis.cli('get', 'a')).toBe('1')
    expect(await redis.cli('config', 'get', 'maxmemory-policy')).toContain('noeviction')
    await redis.kill()
    await expect(redis.cli('ping')).rejects.toThrow()
    await redis.start()
    expect(await redis.cli('dbsize')).toBe('0')
  })

  it('keeps what its configuration says, and a command that is refused throws', async () => {
    const config = { appendonly: 'yes', appendfsync: 'always' }
    const redis = await noted(startRedis({ config }))
    await redis.cli('set', 'a', 'not a number')
    await redis.kill()
    await redis.start()
    expect(await redis.cli('get', 'a')).toBe('not a number')
    await expect(redis.cli('incr', 'a')).rejects.toThrow(/not an integer/)
  })

  it('is silent while it is frozen, and goes on', async () => {
    const redis = await noted(startRedis())
    await redis.freeze()
    const answer = redis.cli('ping')
    expect(await isSilent(answer)).toBe(true)
    await redis.thaw()
    expect(await answer).toBe('PONG')
  })

  it('fails over behind sentinels, when the master is killed and when it is frozen', async () => {
    const redis = await noted(startRedisSentinel(secured))
    expect(redis.sentinels).toHaveLength(3)
    const first = await redis.masterPort()
    await redis.cli('set', 'a', '1')
    expect(await redis.cli('wait', '1', '5000')).toBe('1')
    await redis.killMaster()
    expect(await redis.masterPort()).not.toBe(first)
    expect(await redis.cli('get', 'a')).toBe('1')
    await redis.restart()
    const thaw = await redis.freezeMaster()
    expect(await redis.masterPort()).toBe(first)
    expect(await redis.cli('get', 'a')).toBe('1')
    await thaw()
  })

  it('shares its keys in a cluster, where a replica follows a master that is killed', async () => {
    const redis = await noted(startRedisCluster({ ...secured, replicas: 1 }))
    expect(redis.nodes).toHaveLength(6)
    const keys = ['a', 'b', 'c', 'd', 'e', 'f']
    for (const key of keys) await redis.cli('set', key, key)
    const heldBy = async (node: string) =>
      Number(await redis.cli('-p', node.split(':')[1] ?? '', 'dbsize'))
    expect(await heldBy(redis.nodes[1] ?? '')).not.toBe(6)
    // A master answers before its replica has what it was told.
    await until('each key in a replica, too', async () => {
      const held = await Promise.all(redis.nodes.map(heldBy))
      return held.reduce((sum, keys) => sum + keys) === 2 * keys.length
    })
    await redis.kill(0)
    await redis.whole()
    for (const key of keys) expect(await redis.cli('get', key)).toBe(key)
    await redis.start(0)
  })
})

describeWith(postgresMissing, 'another PostgreSQL for tests', () => {
  for (const [how, options] of [
    ['plain', {}],
    ['with TLS and a password', secured],
  ] as const) {
    it(`recovers after a kill, ${how}`, async () => {
      const postgres = await noted(startPostgres(options))
      const db = openDb({ url: postgres.url, connectionsMax: 1, name: 'test' })
      const ask = (text: string) => db.query({ text, values: [] })
      const encrypted = 'select ssl from pg_stat_ssl where pid = pg_backend_pid()'
      expect(await ask(encrypted)).toEqual([{ ssl: how !== 'plain' }])
      await ask('create table kept as select 1 as one')
      await postgres.kill()
      await expect(ask('select 1')).rejects.toThrow()
      await postgres.start()
      expect(await ask('select one from kept')).toEqual([{ one: 1 }])
      await postgres.freeze()
      const answer = ask('select one from kept')
      expect(await isSilent(answer)).toBe(true)
      await postgres.thaw()
      expect(await answer).toEqual([{ one: 1 }])
      await db.close()
    })
  }
})

describe('servers of all kinds', () => {
  const kafka = kafkaMissing === null
  const postgres = postgresMissing === null

  describeWith(redisMissing, 'and their parent', () => {
    it('go with a parent that is killed with -9, and so do their files', async () => {
      const wanted = [...(kafka ? ['kafka'] : []), ...(postgres ? ['postgres'] : [])]
      const child = startChild('servers/servers-child', wanted)
      const line = await new Promise<string>((done, failed) => {
        child.stdout?.once('data', (bytes: Buffer) => done(bytes.toString()))
        child.once('exit', () => failed(new Error('It ended before it had started them.')))
      })
      const directories = JSON.parse(line) as readonly string[]
      expect(directories).toHaveLength(1 + wanted.length)
      const processes = () => directories.flatMap((directory) => processesNaming(directory))
      // Each server, and the process that removes its files.
      expect(processes().length).toBeGreaterThanOrEqual(2 * directories.length)
      child.kill('SIGKILL')
      await until('an end of all', async () => processes().length === 0)
      expect(directories.filter((directory) => existsSync(directory))).toEqual([])
    })
  })

  const whole = { kafka: 1, redis: 'single', postgres: true, secured: true } as const
  describeWith(serversMissing(whole), 'together', () => {
    it('start with one call that answers what makes Sluice use them', async () => {
      const servers = await startServers(whole)
      expect(Object.keys(servers.settings).sort()).toEqual([
        'DATABASE_ALLOW_OFF',
        'DATABASE_URL',
        'KAFKA_BROKERS',
        'KAFKA_PASSWORD',
        'KAFKA_REPLICATION',
        'KAFKA_SASL',
        'KAFKA_TLS',
        'KAFKA_TLS_CA',
        'KAFKA_USERNAME',
        'REDIS_TLS_CA',
        'REDIS_URL',
        'SECRETS_KEY',
      ])
      expect(await servers.redis?.cli('ping')).toBe('PONG')
      await servers.stop()
      for (const one of [servers.kafka, servers.redis, servers.postgres])
        expect(existsSync(one?.directory ?? '/')).toBe(false)
    })
  })
})
