import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openKafkaEventLog } from '../../../src/parts/event-log/kafka/event-log.ts'
import { prepareTopics } from '../../../src/parts/event-log/kafka/prepare-topics.ts'
import { openKafkaLogReader } from '../../../src/parts/event-log/kafka/reader.ts'
import type { KafkaSettings } from '../../../src/parts/kafka/settings.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { partitions, settingsOf } from '../../support/event-log/kafka-log.ts'
import { quiet } from '../../support/runtime/logger.ts'
import { describeWith } from '../../support/servers/describe-with.ts'
import type { TestKafka } from '../../support/servers/kafka.ts'
import { kafkaMissing, kafkaUser, startKafka } from '../../support/servers/kafka.ts'
import { certificates } from '../../support/servers/tls.ts'

describeWith(kafkaMissing, 'Kafka behind TLS and a password', () => {
  describe.each(['plain', 'scram-sha-512'] as const)('of %s', (mechanism) => {
    let kafka: TestKafka
    let settings: KafkaSettings
    beforeAll(async () => {
      // A certificate of the client's own is asked for, besides.
      const config = { 'listener.name.client.ssl.client.auth': 'required' }
      kafka = await startKafka({ tls: true, sasl: mechanism, config })
      const files = await certificates()
      const text = (path: string) => readFileSync(path, 'utf8')
      const tls = { ca: text(files.ca), cert: text(files.cert), key: text(files.key) }
      settings = { ...settingsOf(kafka.brokers), tls, sasl: { mechanism, ...kafkaUser } }
    })
    afterAll(() => kafka.stop())

    it('is used', async () => {
      await prepareTopics({ kafka: settings, partitions, logger: quiet })
      const options = { kafka: settings, partitions, logger: quiet }
      const log = await openKafkaEventLog({ ...options, budgetBytes: 1e6, clock: systemClock() })
      const value = Buffer.from(`${mechanism}\n`)
      const [offset = -1] = await log.append([{ partition: 1, value, events: 1 }])
      const reader = await openKafkaLogReader(options)
      const [record] = await reader.read(1, offset, 1)
      expect(Buffer.from(record?.value ?? [])).toEqual(value)
      await reader.close()
      await log.close()
    })

    it('says why it does not let us in', async () => {
      const refusal = (kafka: KafkaSettings) =>
        prepareTopics({ kafka, partitions, logger: quiet, waitMs: 0 })
      const sasl = { mechanism, ...kafkaUser, password: 'wrong' }
      await expect(refusal({ ...settings, sasl })).rejects.toThrow(
        /KAFKA_BROKERS: .*[Aa]uthentication failed/,
      )
      const tls = { ca: null, cert: null, key: null }
      await expect(refusal({ ...settings, tls })).rejects.toThrow(/KAFKA_BROKERS: .*certificate/)
    })
  })
})
