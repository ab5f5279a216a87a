import type { ToldFact } from '../../rules/facts/fact.ts'
import type { Mode } from '../../rules/meter/meter.ts'
import type { Instant } from '../../std/instant.ts'

/** A committed fact that waits to be told. Those who write it do so with their own transaction. */
export interface WaitingFact {
  readonly id: number
  readonly messageId: string
  readonly businessId: string
  readonly mode: Mode
  readonly type: string
  readonly at: Instant
  /** Whether an endpoint wants it at this moment. */
  readonly wanted: boolean
  /** Null where its entry has gone, or where this version does not know its type. */
  readonly told: ToldFact | null
}

/** `body` null: nobody wants it. `customerId` null: it is not told on the topic. */
export interface FactBody {
  readonly id: number
  readonly body: string | null
  readonly customerId: string | null
}

export interface Outbox {
  /**
   * The oldest facts, in the order of their ids. Takes no lock: others may be relaying the same.
   */
  waiting(limit: number): Promise<readonly WaitingFact[]>

  /**
   * Takes these facts out and, in the same statement, keeps the bodies, a delivery due at `at` for
   * each endpoint that wants one, and an announcement for the topic. Facts that another process has
   * taken or is just taking are left alone: each is told once. Answers how many were taken, and how
   * many deliveries came of them.
   */
  relay(
    bodies: readonly FactBody[],
    at: Instant,
  ): Promise<{ readonly facts: number; readonly deliveries: number }>
}
