export const saslMechanisms = ['plain', 'scram-sha-256', 'scram-sha-512'] as const

/** How to reach a Kafka cluster: plain data that can be sent to a thread. */
export interface KafkaSettings {
  /** `host:port`; any one of them is enough to find the others. */
  readonly brokers: readonly string[]
  readonly clientId: string
  /** PEM texts; null: no TLS. */
  readonly tls: {
    readonly ca: string | null
    readonly cert: string | null
    readonly key: string | null
  } | null
  readonly sasl: {
    readonly mechanism: (typeof saslMechanisms)[number]
    readonly username: string
    readonly password: string
  } | null
  /** Replicas of the topics that we create. */
  readonly replication: number
}

/** Accepted usage events: NDJSON micro-batches. */
export const usageTopic = 'usage.events'
/** The same envelopes that webhook endpoints get. */
export const creditTopic = 'credit.events'
