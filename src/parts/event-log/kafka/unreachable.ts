import { Fault } from '../../../faults.ts'
import { KafkaAway } from '../../kafka/errors.ts'

/**
 * Whether Kafka is only not there (yet). Who is refused by a password or a certificate is not
 * helped by waiting.
 */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof KafkaAway &&
  !(
    error.cause instanceof Error &&
    /authenticat|certificate|sasl|ssl|tls/i.test(error.cause.message)
  )

/** Does `work`, and throws UNAVAILABLE in place of the error of a Kafka that is not there. */
export async function asUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isUnreachable(error)) throw error
    throw new Fault('UNAVAILABLE', (error as Error).message, { cause: error })
  }
}
