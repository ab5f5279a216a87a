import type { ToldEndpoint } from '../../rules/explain/account-records.ts'
import type { SealedHeaders } from '../../rules/facts/webhook-endpoint.ts'
import type { Mode } from '../../rules/meter/meter.ts'
import type { Instant } from '../../std/instant.ts'

/** A delivery that is ours to attempt until its lease ends, with all that an attempt needs. */
export interface ClaimedDelivery {
  readonly messageId: string
  readonly webhookId: string
  readonly mode: Mode
  /** The number of the attempt to make: 1 is the first. */
  readonly attempt: number
  /** How long to wait before it, so that the endpoint's rate limit holds. */
  readonly waitMs: number
  readonly body: string
  readonly url: string
  readonly secret: Uint8Array
  readonly headers: SealedHeaders
}

export interface ClaimOptions {
  /** What is due at this moment. */
  readonly at: Instant
  readonly limit: number
  readonly perEndpoint: number
  /** Attempts that the caller has under way, by endpoint: they count into `perEndpoint`. */
  readonly underWay: ReadonlyMap<string, number>
  readonly leaseMs: number
}

/** `nextAt` null: over, as `outcome` says. */
export interface AttemptRecord {
  readonly messageId: string
  readonly webhookId: string
  readonly attempt: number
  readonly at: Instant
  readonly durationMs: number
  readonly status: number | null
  readonly error: string | null
  readonly nextAt: Instant | null
  readonly outcome: 'delivered' | 'given_up' | null
}

/** What went: with messages go their deliveries, and with these their attempts. */
export interface Forgotten {
  readonly messages: number
  readonly deliveries: number
  readonly attempts: number
}

export interface Deliveries {
  /**
   * Due deliveries of live endpoints, the oldest of each, never one that is claimed. An endpoint's
   * backlog does not stand before others. Leases run by the store's clock: processes share it.
   */
  claim(options: ClaimOptions): Promise<readonly ClaimedDelivery[]>

  /**
   * Writes attempts down and frees their deliveries, all or none. One whose lease ended and that
   * another process attempted meanwhile is left as that process wrote it; one that was stopped
   * meanwhile stays stopped.
   */
  record(attempts: readonly AttemptRecord[]): Promise<void>

  /** Frees deliveries that were claimed and not attempted: they are due at once. */
  release(
    claims: readonly Pick<ClaimedDelivery, 'messageId' | 'webhookId' | 'attempt'>[],
  ): Promise<void>

  /**
   * Stops what is pending for endpoints that are disabled or deleted (a fact relayed at that very
   * moment slips past their own sweep), and answers how many deliveries are pending. What was put
   * off by a clock that was ahead of `at` and of the store's waits from now on, as long as it would
   * have waited then. [guarantees#clocks]
   */
  tidy(at: Instant): Promise<number>

  /** When the oldest message was made that nobody has to be told any more; null: there is none. */
  oldestOver(): Promise<Instant | null>

  /**
   * Forgets up to `rowsMax` messages made before `before`, with their deliveries and attempts;
   * never one of which a delivery is still due. Answers how many rows of all three went.
   */
  forget(before: Instant, rowsMax: number): Promise<Forgotten>

  /** For explanations: who was told of a ledger entry, and how that went. */
  ofEntry(accountId: string, entryNumber: number): Promise<readonly ToldEndpoint[]>
}
