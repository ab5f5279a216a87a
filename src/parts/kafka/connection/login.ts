import { errorOf } from '../errors.ts'
import { authenticate } from '../kafkajs.ts'
import { saslAuthenticateRequest, saslHandshakeRequest } from '../protocol/sasl.ts'
import type { KafkaSettings } from '../settings.ts'
import type { Connection } from './connection.ts'

/** How long each answer of the broker may take. */
interface LoginOptions {
  readonly sasl: NonNullable<KafkaSettings['sasl']>
  readonly answerMs: number
}

/**
 * Logs in to the broker. Answers when to do it again, by the monotonic clock in ms: brokers may let
 * a login end (`connections.max.reauth.ms`), and close connections that go on after it.
 */
export async function logIn(
  connection: Connection,
  { sasl, answerMs }: LoginOptions,
): Promise<number> {
  let sessionMs = 0
  await connection.request(saslHandshakeRequest(sasl.mechanism.toUpperCase()), answerMs)
  await authenticate(sasl, async (message) => {
    const answer = await connection.request(saslAuthenticateRequest(message), answerMs)
    if (answer.code !== 0) {
      throw answer.message === null ? errorOf(answer.code) : new Error(answer.message)
    }
    sessionMs = answer.sessionMs
    return answer.bytes
  })
  if (sessionMs === 0) return Number.POSITIVE_INFINITY
  return performance.now() + sessionMs - Math.min(earlierMs, sessionMs / 2)
}

const earlierMs = 10_000
