import { setTimeout as sleep } from 'node:timers/promises'
import type { TestKafka } from '../../support/servers/kafka.ts'
import type { TestProxy } from '../../support/servers/proxy.ts'
import type { Random } from '../random.ts'
import type { Fault } from './faults.ts'

const brokerCount = 3

const kafkaFaults: readonly Fault[] = [
  {
    name: 'kill -9 of a broker',
    weight: 2,
    kills: true,
    strikes: 'kafka',
    async strike({ ground: { kafka }, random }) {
      const index = random.below(brokerCount)
      await kafka.kill(index)
      await sleep(random.between(0, 3_000))
      await kafka.start(index)
    },
  },
  {
    name: 'kill -9 of all brokers',
    weight: 1,
    kills: true,
    strikes: 'kafka',
    async strike({ ground: { kafka }, random }) {
      const all = Array.from({ length: brokerCount }, (_, index) => index)
      await Promise.all(all.map((index) => kafka.kill(index)))
      await sleep(random.between(0, 4_000))
      await Promise.all(all.map((index) => kafka.start(index)))
    },
  },
  {
    name: 'freeze of a broker',
    weight: 1,
    kills: false,
    strikes: 'kafka',
    async strike({ ground: { kafka }, random }) {
      const index = random.below(brokerCount)
      await kafka.freeze(index)
      // After four seconds it counts as dead.
      await sleep(random.between(500, 9_000))
      await kafka.thaw(index)
    },
  },
  {
    name: 'cut of connections to Kafka',
    weight: 3,
    kills: false,
    strikes: 'kafka',
    async strike({ ground: { kafka }, random }) {
      for (const proxy of proxiesFor(kafka, random)) proxy.cut()
    },
  },
  {
    name: 'refusal of connections to Kafka',
    weight: 1,
    kills: false,
    strikes: 'kafka',
    strike: ({ ground: { kafka }, random }) => refused(proxiesFor(kafka, random), random),
  },
  {
    name: 'stall of connections to Kafka',
    weight: 2,
    kills: false,
    strikes: 'kafka',
    strike: ({ ground: { kafka }, random }) => stalled(proxiesFor(kafka, random), random),
  },
]

const redisFaults: readonly Fault[] = [
  {
    name: 'flush of Redis',
    weight: 3,
    kills: false,
    strikes: 'redis',
    strike: ({ ground: { redis } }) => redis.flush(),
  },
  {
    name: 'kill -9 of Redis, keys lost',
    weight: 3,
    kills: true,
    strikes: 'redis',
    strike: ({ ground: { redis } }) => redis.lose(),
  },
  {
    name: 'freeze of Redis',
    weight: 2,
    kills: false,
    strikes: 'redis',
    strike: ({ ground: { redis }, random }) => redis.freeze(random.between(300, 5_000)),
  },
  {
    name: 'cut of connections to Redis',
    weight: 3,
    kills: false,
    strikes: 'redis',
    strike: ({ ground: { redis } }) => redis.cut(),
  },
  {
    name: 'stall of connections to Redis',
    weight: 2,
    kills: false,
    strikes: 'redis',
    strike: ({ ground: { redis }, random }) => redis.stall(random.between(300, 4_000)),
  },
]

const postgresFaults: readonly Fault[] = [
  {
    name: 'kill -9 of PostgreSQL',
    weight: 3,
    kills: true,
    strikes: 'postgres',
    async strike({ ground: { postgres }, random }) {
      await postgres.kill()
      await sleep(random.between(0, 3_000))
      await postgres.start()
    },
  },
  {
    name: 'freeze of PostgreSQL',
    weight: 1,
    kills: false,
    strikes: 'postgres',
    async strike({ ground: { postgres }, random }) {
      await postgres.freeze()
      await sleep(random.between(300, 4_000))
      await postgres.thaw()
    },
  },
  {
    name: 'cut of connections to PostgreSQL',
    weight: 4,
    kills: false,
    strikes: 'postgres',
    async strike({ ground: { postgresProxy } }) {
      postgresProxy.cut()
    },
  },
  {
    name: 'refusal of connections to PostgreSQL',
    weight: 1,
    kills: false,
    strikes: 'postgres',
    strike: ({ ground: { postgresProxy }, random }) => refused([postgresProxy], random),
  },
  {
    name: 'stall of connections to PostgreSQL',
    weight: 2,
    kills: false,
    strikes: 'postgres',
    strike: ({ ground: { postgresProxy }, random }) => stalled([postgresProxy], random),
  },
]

/** What can happen to the servers that Sluice uses. */
export const serverFaults: readonly Fault[] = [...kafkaFaults, ...redisFaults, ...postgresFaults]

/** The proxies of one broker, or of all. */
const proxiesFor = ({ proxies }: TestKafka, random: Random): readonly TestProxy[] =>
  random.chance(0.5) ? proxies : [random.pick(proxies)]

async function refused(proxies: readonly TestProxy[], random: Random): Promise<void> {
  for (const proxy of proxies) proxy.refuse(true)
  for (const proxy of proxies) proxy.cut()
  await sleep(random.between(300, 4_000))
  for (const proxy of proxies) proxy.refuse(false)
}

async function stalled(proxies: readonly TestProxy[], random: Random): Promise<void> {
  for (const proxy of proxies) proxy.stall(true)
  await sleep(random.between(300, 5_000))
  for (const proxy of proxies) proxy.stall(false)
  // Half the time the connections are gone afterwards, too.
  if (random.chance(0.5)) for (const proxy of proxies) proxy.cut()
}
