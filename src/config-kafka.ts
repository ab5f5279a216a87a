import type { Read } from './config-values.ts'
import { addressesOf, ConfigError, choiceOf, pemOf, wholeOf } from './config-values.ts'
import type { KafkaSettings } from './parts/kafka/settings.ts'
import { saslMechanisms } from './parts/kafka/settings.ts'

/** The Kafka cluster that the settings name; null: they name none. */
export function kafkaOf(read: Read): KafkaSettings | null {
  const replication = { min: 1, max: 100 }
  const settings = {
    clientId: 'sluice',
    tls: kafkaTlsOf(read),
    sasl: kafkaSaslOf(read),
    replication: wholeOf('KAFKA_REPLICATION', read('KAFKA_REPLICATION') ?? '3', replication),
  }
  const brokers = addressesOf('KAFKA_BROKERS', read)
  if (brokers !== null) return { brokers, ...settings }
  const secured = settings.tls === null ? settings.sasl && 'KAFKA_SASL' : 'KAFKA_TLS'
  if (secured === null) return null
  throw new ConfigError(`${secured} is set, but KAFKA_BROKERS is not: no Kafka would be used.`)
}

function kafkaTlsOf(read: Read): KafkaSettings['tls'] {
  const tls = {
    ca: pemOf('KAFKA_TLS_CA', read),
    cert: pemOf('KAFKA_TLS_CERT', read),
    key: pemOf('KAFKA_TLS_KEY', read),
  }
  if ((tls.cert === null) !== (tls.key === null)) {
    throw new ConfigError('KAFKA_TLS_CERT and KAFKA_TLS_KEY go together: set both or neither.')
  }
  const on = choiceOf('KAFKA_TLS', read('KAFKA_TLS') ?? 'off', ['on', 'off']) === 'on'
  return on || tls.ca !== null || tls.cert !== null ? tls : null
}

function kafkaSaslOf(read: Read): KafkaSettings['sasl'] {
  const text = read('KAFKA_SASL')
  const [username, password] = [read('KAFKA_USERNAME'), read('KAFKA_PASSWORD')]
  if (text === null) {
    if (username === null && password === null) return null
    throw new ConfigError('KAFKA_USERNAME and KAFKA_PASSWORD need KAFKA_SASL: name the mechanism.')
  }
  const mechanism = choiceOf('KAFKA_SASL', text, saslMechanisms)
  if (username === null || password === null) {
    throw new ConfigError('KAFKA_SASL needs KAFKA_USERNAME and KAFKA_PASSWORD: set both.')
  }
  return { mechanism, username, password }
}
