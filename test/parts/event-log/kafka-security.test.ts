import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openKafkaEventLog } from '../../../src/parts/event-log/kafka/event-log.ts'
import { openKafkaLogReader } from '../../../src/parts/event-log/kafka/reader.ts'
import type { KafkaSettings } from '../../../src/parts/event-log/kafka/settings.ts'
import { prepareTopics } from '../../../src/parts/event-log/kafka/topics.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import type { Certificates } from '../../support/certificates.ts'
import { certificates } from '../../support/certificates.ts'
import { partitions, settingsOf } from '../../support/kafka-log.ts'
import { quiet } from '../../support/logger.ts'
import { describeWith } from '../../support/servers/describe-with.ts'
import type { TestKafka } from '../../support/servers/kafka.ts'
import { kafkaMissing, startKafka } from '../../support/servers/kafka.ts'
import { onPath, run } from '../../support/servers/programs.ts'

const opensslMissing = onPath('openssl') === null ? 'openssl on PATH' : null

describeWith(kafkaMissing ?? opensslMissing, 'Kafka behind TLS and SASL', () => {
  let files: Certificates
  let kafka: TestKafka
  beforeAll(async () => {
    files = await certificates()
    kafka = await startKafka({ config: secured(files) })
    await addScramUser()
  })
  afterAll(async () => {
    await kafka.stop()
    await files.remove()
  })

  it.each(['plain', 'scram-sha-512'] as const)('is used with %s', async (mechanism) => {
    const settings = secure({ mechanism, username: 'alice', password: 'open sesame' })
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

  it('says why it does not get in', async () => {
    const settings = secure({ mechanism: 'plain', username: 'alice', password: 'wrong' })
    const refusal = prepareTopics({ kafka: settings, partitions, logger: quiet, waitMs: 0 })
    await expect(refusal).rejects.toThrow(/KAFKA_BROKERS: .*Authentication failed/)
    const stranger = { ...settings, tls: { ca: null, cert: null, key: null } }
    const distrust = prepareTopics({ kafka: stranger, partitions, logger: quiet, waitMs: 0 })
    await expect(distrust).rejects.toThrow(/KAFKA_BROKERS: .*certificate/)
  })

  const secure = (sasl: KafkaSettings['sasl']): KafkaSettings => ({
    ...settingsOf(kafka.brokers),
    tls: { ca: files.ca, ...files.client },
    sasl,
  })

  /** With Kafka's own tool, which knows how a password is salted. */
  async function addScramUser(): Promise<void> {
    const config = join(files.directory, 'tool.properties')
    const login = 'org.apache.kafka.common.security.plain.PlainLoginModule required'
    await writeFile(
      config,
      [
        'security.protocol=SASL_SSL',
        'sasl.mechanism=PLAIN',
        `sasl.jaas.config=${login} username="alice" password="open sesame";`,
        'ssl.truststore.type=PEM',
        `ssl.truststore.location=${files.caFile}`,
        'ssl.keystore.type=PEM',
        `ssl.keystore.location=${files.serverFile}`,
      ].join('\n'),
    )
    await run([
      ...['java', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xmx64m'],
      ...['-cp', join(process.env['TEST_KAFKA_JARS'] ?? '', '*'), 'kafka.admin.ConfigCommand'],
      ...['--bootstrap-server', kafka.brokers.join(), '--command-config', config, '--alter'],
      ...['--entity-type', 'users', '--entity-name', 'alice'],
      ...['--add-config', 'SCRAM-SHA-512=[password=open sesame]'],
    ])
  }
})

const secured = ({ serverFile, caFile }: Certificates): Readonly<Record<string, string>> => ({
  'listener.security.protocol.map': 'CLIENT:SASL_SSL,INTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT',
  ...forClients({
    'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-512',
    'plain.sasl.jaas.config':
      'org.apache.kafka.common.security.plain.PlainLoginModule required user_alice="open sesame";',
    'scram-sha-512.sasl.jaas.config':
      'org.apache.kafka.common.security.scram.ScramLoginModule required;',
    'ssl.keystore.type': 'PEM',
    'ssl.keystore.location': serverFile,
    'ssl.truststore.type': 'PEM',
    'ssl.truststore.location': caFile,
    'ssl.client.auth': 'required',
  }),
})

const forClients = (values: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [`listener.name.client.${name}`, value]),
  )
