import { Fault } from '../../../faults.ts'
import { KafkaAway } from '../../kafka/errors.ts'

/**
 * Whether Kafka is only not there (yet). Waiting does not help where a password or a certificate
 * was refused.
 */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof KafkaAway &&
  !(
    error.cause instanceof Error &&
    /authenticat|certificate|sasl|ssl|tls/i.test(error.cause.message)
  )

/** Does `work`. Where Kafka is not there, throws the fault UNAVAILABLE in place of the error. */
export async function asUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isUnreachable(error)) throw error
    throw new Fault('UNAVAILABLE', (error as Error).message, { cause: error })
  }
}
