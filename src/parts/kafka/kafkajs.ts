// kafkajs: this is the only import of it. Three things of it are used, none of which does I/O:
// - the names of Kafka's error codes (what is done about them is ours: errors.ts),
// - SASL: what the mechanisms PLAIN and SCRAM say, message by message,
// - the partition that the default partitioner of every client gives a key.
//
// Its connections, producer and consumer are not used. After any answer a connection's timer arms
// itself again with a negative delay, for ever (its issue 1556); its encoder copies every byte
// three times; the torn rest of an answer outlives a reconnect. Producer and consumer retry and
// reset positions behind the caller's back, and answer for a whole request where Kafka answers for
// each partition.
//
// The version is pinned, because some of what is used lies below its public surface.
import { createRequire } from 'node:module'
import type { KafkaSettings } from './settings.ts'

const load = createRequire(import.meta.url)

export const { errorCodes } = load('kafkajs/src/protocol/error.js') as {
  readonly errorCodes: readonly {
    /** Kafka's name for the error. */
    readonly type: string
    readonly code: number
    readonly message: string
  }[]
}

/**
 * The partition that the default partitioner of every client gives a key: the same key, the same
 * partition.
 */
export function partitionOfKey(key: string, partitions: number): number {
  return (murmur2(key) & 0x7fffffff) % partitions
}

const murmur2 = load('kafkajs/src/producer/partitioners/default/murmur2.js') as (
  key: string,
) => number

/**
 * Logs in to a broker. `send` takes a message of the mechanism to the broker and answers with what
 * came back. Throws the reason where the broker refuses us, or cannot prove who it is.
 */
export async function authenticate(
  sasl: SaslAccess,
  send: (message: Buffer) => Promise<Buffer>,
): Promise<void> {
  // A copy, because kafkajs's type is not read-only.
  const mechanism = mechanisms[sasl.mechanism]({ ...sasl })
  const exchange = mechanism({
    logger: { debug: () => undefined, error: () => undefined },
    async saslAuthenticate({ request, response }) {
      const answer = await send(withoutSize(await request.encode()))
      return await response.parse(await response.decode(withSize(answer)))
    },
  })
  await exchange.authenticate()
}

/**
 * kafkajs puts a message's size in front of it; newer versions of the request carry the size
 * themselves.
 */
const withoutSize = (message: Buffer): Buffer => message.subarray(4)

function withSize(answer: Buffer): Buffer {
  const size = Buffer.alloc(4)
  size.writeInt32BE(answer.length)
  return Buffer.concat([size, answer])
}

interface SaslMessage {
  readonly request: { encode(): Promise<Buffer> }
  readonly response: {
    decode(answer: Buffer): Promise<unknown>
    parse(decoded: unknown): Promise<unknown>
  }
}

interface SaslNeeds {
  readonly logger: Readonly<Record<'debug' | 'error', () => void>>
  saslAuthenticate(message: SaslMessage): Promise<unknown>
}

type SaslAccess = NonNullable<KafkaSettings['sasl']>

/** One of kafkajs' mechanisms, by its file. */
const mechanismOf = (file: string) =>
  load(`kafkajs/src/broker/saslAuthenticator/${file}.js`) as (
    sasl: SaslAccess,
  ) => (needs: SaslNeeds) => { authenticate(): Promise<void> }

const mechanisms = {
  plain: mechanismOf('plain'),
  'scram-sha-256': mechanismOf('scram256'),
  'scram-sha-512': mechanismOf('scram512'),
}
