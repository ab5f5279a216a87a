import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { openLmdbEventLog } from '../../src/parts/event-log/lmdb/event-log.ts'
import { openLmdbLogGroup } from '../../src/parts/event-log/lmdb/group.ts'
import { openLmdbLogReader } from '../../src/parts/event-log/lmdb/reader.ts'
import { createSharedLog } from '../../src/parts/event-log/lmdb/shared.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import type { EventLogDriver } from '../contracts/event-log.ts'
import { testEventLog } from '../contracts/event-log.ts'
import { kafkaLog } from '../support/event-log/kafka-log.ts'
import { quiet } from '../support/runtime/logger.ts'
import { describeWith } from '../support/servers/describe-with.ts'
import type { TestKafka } from '../support/servers/kafka.ts'
import { kafkaMissing, startKafka } from '../support/servers/kafka.ts'

const drivers: readonly EventLogDriver[] = [
  {
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
  },
]

for (const driver of drivers) testEventLog(driver)

describeWith(kafkaMissing, 'Kafka', () => {
  let kafka: TestKafka
  beforeAll(async () => {
    kafka = await startKafka()
  })
  afterAll(() => kafka.stop())

  testEventLog({
    name: 'Kafka',
    partitions: 4,
    pollMs: 5_000,
    trims: false,
    async place() {
      const { openLog, openGroup, openReader, remove } = await kafkaLog(kafka)
      return { openLog, openGroup, openReader, destroy: remove }
    },
  })
})
