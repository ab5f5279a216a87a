import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { openContinuedGroup } from '../../src/parts/event-log/continued/group.ts'
import { continuedLog } from '../../src/parts/event-log/continued/log.ts'
import { continuedReader } from '../../src/parts/event-log/continued/reader.ts'
import { openLmdbEventLog } from '../../src/parts/event-log/lmdb/event-log.ts'
import { openLmdbLogGroup } from '../../src/parts/event-log/lmdb/group.ts'
import { openLmdbLogReader } from '../../src/parts/event-log/lmdb/reader.ts'
import { createSharedLog } from '../../src/parts/event-log/lmdb/shared.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import type { EventLogDriver } from '../contracts/event-log.ts'
import { testEventLog } from '../contracts/event-log.ts'
import { testLeftovers } from '../contracts/event-log-leftovers.ts'
import { kafkaLog } from '../support/event-log/kafka-log.ts'
import { quiet } from '../support/runtime/logger.ts'
import { describeWith } from '../support/servers/describe-with.ts'
import type { TestKafka } from '../support/servers/kafka.ts'
import { kafkaMissing, startKafka } from '../support/servers/kafka.ts'

const lmdb: EventLogDriver = {
  name: 'LMDB',
  partitions: 4,
  pollMs: 5_000,
  trims: true,
  async place() {
    const directory = await mkdtemp(join(tmpdir(), 'event-log-'))
    const shared = createSharedLog(4)
    return {
      openLog: () =>
        openLmdbEventLog({
          directory,
          partitions: 4,
          shared,
          budgetBytes: 1e9,
          diskReserveBytes: 0,
          clock: systemClock(),
          logger: quiet,
        }),
      openGroup: (handler) => openLmdbLogGroup({ directory, shared, handler }),
      openReader: () => openLmdbLogReader({ directory, shared }),
      destroy: () => rm(directory, { recursive: true }),
    }
  },
}

/** A log that others have written to before: nothing of that is the log's. */
const continued: EventLogDriver = {
  ...lmdb,
  name: 'LMDB that goes on for another log',
  async place() {
    const { openLog, openGroup, openReader, destroy } = await lmdb.place()
    const starts = Array.from({ length: 4 }, (_, partition) => ({ stored: partition, offset: 0 }))
    const origin = { starts, formerly: ['another'] }
    const before = starts.flatMap(({ stored }, partition) =>
      Array.from({ length: stored }, () => ({ partition, value: Buffer.from('x'), events: 1 })),
    )
    const log = await openLog()
    await log.append(before)
    await log.close()
    return {
      openLog: async () => continuedLog(await openLog(), origin),
      openGroup: (handler) => openContinuedGroup({ open: openGroup, origin, handler }),
      openReader: async () => continuedReader(await openReader(), origin),
      destroy,
    }
  },
}

const drivers = [lmdb, continued]

for (const driver of drivers) testEventLog(driver)

describeWith(kafkaMissing, 'Kafka', () => {
  let kafka: TestKafka
  beforeAll(async () => {
    kafka = await startKafka()
  })
  afterAll(() => kafka.stop())

  const driver: EventLogDriver = {
    name: 'Kafka',
    partitions: 4,
    pollMs: 5_000,
    trims: false,
    async place() {
      const { openLog, openGroup, openReader, remove } = await kafkaLog(kafka)
      return { openLog, openGroup, openReader, destroy: remove }
    },
  }
  testEventLog(driver)
  // It is 45, and 490 with those that wait in a `Set` (std/roster.ts). LMDB's library leaves 370.
  testLeftovers(driver, 150)
})
