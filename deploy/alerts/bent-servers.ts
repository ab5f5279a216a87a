import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Kafka, logLevel } from 'kafkajs'
import type { Site } from '../../bench/harness/site.ts'
import { sql } from '../../src/parts/store/postgres/connection/sql.ts'
import type { TestRedis } from '../../test/support/servers/redis.ts'
import { haltedFor, inBooks, resumed } from './bent-books.ts'
import type { Fault } from './fault.ts'

/** The servers of a site that is on a Kafka and a Redis. */
export interface Servers {
  readonly brokers: readonly string[]
  readonly redis: Pick<TestRedis, 'freeze' | 'thaw' | 'cli'>
  /** The file that says by how many seconds the clock of the broker is wrong. */
  readonly clock: string
}

const daySeconds = 86_400
/** The watch of the log's retention looks once a minute. */
const seenAfterMs = 75_000

/** What can be broken of them, and is mended again. */
export function bentServers(site: Site, servers: Servers): readonly Fault[] {
  const { redis, clock } = servers
  return [
    {
      name: 'Redis stands still',
      alerts: ['SluiceDedupeFilterSkipped'],
      async strike() {
        await redis.freeze()
        await sleep(20_000)
        await redis.thaw()
      },
    },
    {
      name: 'Redis has lost everything, and has little time for us',
      alerts: ['SluiceDedupeHealing'],
      strike: () => slowlyHealed(redis),
    },
    {
      name: 'another program writes to the topic of usage',
      alerts: ['SluiceEventsQuarantined'],
      strike: () => foreignRecords(servers.brokers),
    },
    {
      name: 'the clock of the broker is five minutes ahead',
      alerts: ['SluiceLogClockSkewed'],
      async strike() {
        writeFileSync(clock, '300')
        await sleep(15_000)
        writeFileSync(clock, '0')
      },
    },
    {
      // Days pass for the log alone: records come in that are five days old.
      name: 'nobody reads a partition for five of the seven days that Kafka keeps it',
      alerts: ['SluiceRetentionOverdue'],
      async strike() {
        writeFileSync(clock, `${-5 * daySeconds}`)
        // What is measured last is of these days, too.
        await sleep(10_000)
        await haltedFor(site, { ms: seenAfterMs, also: unmeasuredForDays })
        writeFileSync(clock, '0')
      },
    },
  ].map((fault) => ({
    ...fault,
    strike: () => fault.strike().finally(() => mended(site, servers)),
  }))
}

const unmeasuredForDays = sql`
  update checkpoints set log_at = now() - interval '6 days', idle_at = now() - interval '6 days'
  where partition = (select min(partition) from checkpoints)
`

/** A fault that fails must not spoil the next one. */
async function mended(site: Site, { clock }: Servers): Promise<void> {
  writeFileSync(clock, '0')
  await inBooks(site, (db) => db.query(resumed))
}

/**
 * It stands still most of the time, but never for so long that it counts as gone. How much time it
 * needs so that it heals, and slowly, depends on the machine: it is given more and more.
 */
async function slowlyHealed(redis: Servers['redis']): Promise<void> {
  await redis.cli('flushall')
  for (const thawedMs of [20, 40, 80, 160, 320]) {
    const until = performance.now() + 8_000
    while (performance.now() < until) {
      await redis.freeze()
      await sleep(400)
      await redis.thaw()
      await sleep(thawedMs)
    }
  }
}

async function foreignRecords(brokers: readonly string[]): Promise<void> {
  const kafka = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING })
  const producer = kafka.producer()
  await producer.connect()
  for (let second = 0; second < 12; second += 1) {
    await producer.send({ topic: 'usage.events', messages: [{ value: 'This is no usage.' }] })
    await sleep(1_000)
  }
  await producer.disconnect()
}
