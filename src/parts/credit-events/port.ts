import type { Mode } from '../../rules/meter/meter.ts'

/** A fact on its way to those who read the topic: the envelope that webhook endpoints see. */
export interface CreditEvent {
  /** The customer's id: what is told of one customer stays in order. */
  readonly key: string
  /** The envelope, byte for byte as endpoints get it. */
  readonly value: Uint8Array
  readonly mode: Mode
  /** The one that endpoints see, to know repeats by. */
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
