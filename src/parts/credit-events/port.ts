import type { Mode } from '../../rules/meter/meter.ts'

/** A webhook envelope on its way to the topic `credit.events`. [interfaces, Topics] */
export interface CreditEvent {
  /** The customer's id: what is told of one customer stays in order. */
  readonly key: string
  /** The envelope, byte for byte as endpoints get it. */
  readonly value: Uint8Array
  readonly mode: Mode
  /** The id that endpoints see. */
  readonly webhookId: string
}

/** Tells facts to whoever reads the topic. At least once: a failed call may have told some. */
export interface CreditEvents {
  /** Answers when all are durable. Throws the fault UNAVAILABLE. */
  publish(events: readonly CreditEvent[]): Promise<void>
  close(): Promise<void>
}
