import type { Mode } from '../../rules/meter/meter.ts'

/** A fact for the readers of the topic: the same envelope that webhook endpoints get. */
export interface CreditEvent {
  /** The customer's id, so that the facts of one customer stay in order. */
  readonly key: string
  /** The envelope, byte for byte as endpoints get it. */
  readonly value: Uint8Array
  readonly mode: Mode
  /** The same id that endpoints get; readers recognize repeats by it. */
  readonly webhookId: string
}

/** The topic of facts, for systems that read a log rather than receive webhooks. */
export interface CreditEvents {
  /**
   * Answers when all records are durable: acked by all in-sync replicas. When it throws, any of
   * them may or may not be there; publishing again repeats their `webhookId`. Throws the fault
   * UNAVAILABLE when the log is away, REQUEST_TOO_LARGE for a record that it will never take.
   */
  publish(records: readonly CreditEvent[]): Promise<void>

  close(): Promise<void>
}
