import { certificates } from './tls.ts'

export type SaslMechanism = 'plain' | 'scram-sha-256' | 'scram-sha-512'

/** How clients connect. */
export interface DoorOptions {
  /**
   * By TLS, with a certificate of `certificates()`. A client's own is looked at, and not required.
   */
  readonly tls?: boolean
  /** By a name and a password. */
  readonly sasl?: SaslMechanism
}

/** What both ends must be told. */
export interface Door {
  /** Broker properties. */
  readonly properties: Readonly<Record<string, string>>
  /** Sluice's settings, besides KAFKA_BROKERS. */
  readonly settings: Readonly<Record<string, string>>
}

/** The user that every broker with `sasl` knows. */
export const kafkaUser = { username: 'sluice', password: 'a-secret-of-tests' } as const

/** Makes brokers and clients that understand each other. */
export async function doorOf({ tls = false, sasl }: DoorOptions): Promise<Door> {
  const [transport, login] = [tls ? await encrypted() : plain, sasl ? asking(sasl) : plain]
  const protocol =
    sasl === undefined ? (tls ? 'SSL' : 'PLAINTEXT') : tls ? 'SASL_SSL' : 'SASL_PLAINTEXT'
  return {
    properties: {
      'listener.security.protocol.map': `CLIENT:${protocol},INTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT`,
      ...transport.properties,
      ...login.properties,
    },
    settings: { ...transport.settings, ...login.settings },
  }
}

const plain: Door = { properties: {}, settings: {} }

async function encrypted(): Promise<Door> {
  const { ca, both } = await certificates()
  return {
    properties: {
      'listener.name.client.ssl.keystore.type': 'PEM',
      'listener.name.client.ssl.keystore.location': both,
      'listener.name.client.ssl.truststore.type': 'PEM',
      'listener.name.client.ssl.truststore.location': ca,
      'listener.name.client.ssl.client.auth': 'requested',
    },
    settings: { KAFKA_TLS: 'on', KAFKA_TLS_CA: ca },
  }
}

function asking(mechanism: SaslMechanism): Door {
  const { username, password } = kafkaUser
  const login =
    mechanism === 'plain'
      ? `plain.PlainLoginModule required user_${username}="${password}";`
      : 'scram.ScramLoginModule required;'
  return {
    properties: {
      'sasl.enabled.mechanisms': mechanism.toUpperCase(),
      [`listener.name.client.${mechanism}.sasl.jaas.config`]: `org.apache.kafka.common.security.${login}`,
    },
    settings: { KAFKA_SASL: mechanism, KAFKA_USERNAME: username, KAFKA_PASSWORD: password },
  }
}
