/** What a broker answered instead of doing it. */
export class KafkaError extends Error {
  override readonly name = 'KafkaError'
  /** Kafka's name of the error, such as NOT_LEADER_OR_FOLLOWER's older NOT_LEADER_FOR_PARTITION. */
  readonly code: string
  readonly retriable: boolean

  constructor(code: string, retriable: boolean, message: string) {
    super(`${code}: ${message}`)
    this.code = code
    this.retriable = retriable
  }
}

/** A broker that could not be reached, or did not answer in time: what it did is not known. */
export class KafkaAway extends Error {
  override readonly name = 'KafkaAway'
}

/** The code of a broker's answer; an empty text for every other error. */
export const codeOf = (error: unknown): string => (error instanceof KafkaError ? error.code : '')
