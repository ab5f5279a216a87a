import type { ToldEndpoint } from '../../rules/explain/account-records.ts'
import type { FormerSecret, SealedHeaders } from '../../rules/facts/webhook-endpoint.ts'
import type { Mode } from '../../rules/meter/meter.ts'
import type { Instant } from '../../std/instant.ts'

/**
 * A delivery that this process may attempt until its lease ends, with all that an attempt needs.
 */
export interface ClaimedDelivery {
  readonly messageId: string
  readonly webhookId: string
  readonly mode: Mode
  /** The number of the attempt to make: 1 is the first. */
  readonly attempt: number
  /**
   * Attempts that were made before the schedule that this one belongs to. Null: it belongs to none,
   * as a test does that nobody has asked for again.
   */
  readonly scheduleStart: number | null
  /** Of a test: it is tried once each time that somebody asks for it, and no attempt follows. */
  readonly test: boolean
  /** The number of this delivery at its endpoint, and of the one before; null: it has none. */
  readonly sequence: number | null
  readonly previous: number | null
  /** How long to wait before the attempt, so that the endpoint's rate limit holds. */
  readonly waitMs: number
  readonly body: string
  readonly url: string
  readonly secret: Uint8Array
  readonly formerSecrets: readonly FormerSecret[]
  readonly headers: SealedHeaders
}

export interface ClaimOptions {
  /** Deliveries that are due at this moment are claimed. */
  readonly at: Instant
  readonly limit: number
  readonly perEndpoint: number
  /** Attempts that the caller has under way, by endpoint; they count towards `perEndpoint`. */
  readonly underWay: ReadonlyMap<string, number>
  readonly leaseMs: number
}

/** One attempt that was made. `nextAt` null: the delivery is over, as `outcome` says. */
export interface AttemptRecord {
  readonly messageId: string
  readonly webhookId: string
  readonly attempt: number
  /** As it was claimed: where somebody asked for it again meanwhile, it stays due. */
  readonly scheduleStart: number | null
  readonly at: Instant
  readonly durationMs: number
  readonly status: number | null
  readonly error: string | null
  /** The beginning of what was answered; null: nothing was. */
  readonly answer: string | null
  readonly nextAt: Instant | null
  readonly outcome: 'delivered' | 'given_up' | null
}

/** What waits to be delivered: all of it, and that of the endpoint with the most. */
export interface Pending {
  readonly deliveries: number
  readonly backlog: number
  /** Endpoints whose backlog has just become full. */
  readonly filled: readonly string[]
}

/**
 * How many rows were deleted: messages, with them their deliveries, and with these their attempts.
 */
export interface Forgotten {
  readonly messages: number
  readonly deliveries: number
  readonly attempts: number
}

export interface Deliveries {
  /**
   * Claims due deliveries of live endpoints, the oldest of each, never one that is already claimed.
   * A backlog of one endpoint does not hold up the others. Leases run by the store's clock, since
   * processes share it.
   */
  claim(options: ClaimOptions): Promise<readonly ClaimedDelivery[]>

  /**
   * Writes attempts down and frees their deliveries: all or none. A delivery whose lease had ended
   * and that another process attempted meanwhile stays as that process wrote it; one that was
   * stopped meanwhile stays stopped; one that somebody asked for again meanwhile stays due.
   */
  record(attempts: readonly AttemptRecord[]): Promise<void>

  /** Frees deliveries that were claimed but not attempted: they are due at once. */
  release(
    claims: readonly Pick<ClaimedDelivery, 'messageId' | 'webhookId' | 'attempt'>[],
  ): Promise<void>

  /**
   * Stops what is pending for endpoints that are disabled or deleted (a fact that is relayed at
   * that very moment slips past their own sweep), marks the endpoints for which `backlogMax` or
   * more are pending, so that the relay adds no more to them, and answers how many are pending. A
   * delivery that was put off by a clock that ran ahead, of `at` and of the store's time, waits
   * from now on for as long as it would have waited then. [guarantees#clocks, webhooks#backlog]
   */
  tidy(at: Instant, backlogMax: number): Promise<Pending>

  /**
   * When the oldest of the messages that are over was made, which need not be delivered any more;
   * null: there is none.
   */
  oldestOver(): Promise<Instant | null>

  /**
   * Deletes up to `rowsMax` messages made before `before`, with their deliveries and attempts, but
   * none with a delivery that is still due. Answers how many rows of all three were deleted.
   */
  forget(before: Instant, rowsMax: number): Promise<Forgotten>

  /** For explanations: which endpoints were told of a ledger entry, and how that went. */
  ofEntry(accountId: string, entryNumber: number): Promise<readonly ToldEndpoint[]>
}
