import type { ToldFact } from '../../rules/facts/fact.ts'
import type { Mode } from '../../rules/meter/meter.ts'
import type { Instant } from '../../std/instant.ts'

/** A committed fact that waits to be told. It was written in the transaction that made it true. */
export interface WaitingFact {
  readonly id: number
  readonly messageId: string
  readonly businessId: string
  readonly mode: Mode
  readonly type: string
  readonly at: Instant
  /** Whether an endpoint wants it now, or a stream is kept that it belongs to. */
  readonly wanted: boolean
  /** Null where the entry is gone, or where this version of the server does not know the type. */
  readonly told: ToldFact | null
}

/** `body` null: nobody wants it. `customerId` null: it is not published on the topic. */
export interface FactBody {
  readonly id: number
  /** Says that it is the same fact: an older copy of the database gives an id once more. */
  readonly messageId: string
  readonly body: string | null
  readonly customerId: string | null
}

export interface Outbox {
  /**
   * The oldest facts, in the order of their ids. Takes no lock, so other processes may get the same
   * ones.
   */
  waiting(limit: number): Promise<readonly WaitingFact[]>

  /**
   * Takes these facts out, each by its id and message, and in the same statement stores their
   * bodies, numbered where their stream is kept, a delivery due at `at` for each endpoint that
   * wants one, and an announcement for the topic. Facts that another process has taken, or is just
   * taking, are left alone, so each is told once. Answers how many facts were taken, and how many
   * deliveries were made.
   */
  relay(
    bodies: readonly FactBody[],
    at: Instant,
  ): Promise<{ readonly facts: number; readonly deliveries: number }>
}
