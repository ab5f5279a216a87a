import type { Instant } from '../../std/instant.ts'
import type { RecordedInputs } from '../accounts/cause.ts'
import type { RecordedGrant } from '../accounts/recorded-grant.ts'
import type { RecordedEntry } from '../facts/recorded-entry.ts'
import type { Mode } from '../meter/meter.ts'
import type { Positions } from '../meter/place.ts'

/** A ledger entry with everything that the books hold about it. */
export interface EntryOfAccount extends RecordedEntry {
  readonly mode: Mode
  readonly accountId: string
  /** 1, 2, 3 … within the account. */
  readonly number: number
  /** The name of the rule that made it, and what the rule was given. */
  readonly inputs: RecordedInputs | null
}

/** What settling was given to make an entry of usage; null: it is none. */
export function usageInputs(entry: Pick<EntryOfAccount, 'inputs'> | undefined) {
  const inputs = entry?.inputs ?? null
  if (inputs?.rule === 'usage_deducted' || inputs?.rule === 'usage_returned') return inputs
  return null
}

export interface GrantOfAccount extends RecordedGrant {
  readonly businessId: string
  readonly mode: Mode
  readonly customerId: string
  readonly entitlementId: string
  readonly accountId: string
  /** Position in the order of consumption, from 1. */
  readonly number: number
  /** The grant that it rolled over into; null when it did not. */
  readonly rolledInto: string | null
}

/** The entries that one settling made for one cycle's usage of one meter. */
export interface Settling {
  /** In the order of their numbers; at least one. */
  readonly entries: readonly EntryOfAccount[]
  /**
   * Up to where the charge's previous entries had seen the log; null: these entries are the first.
   */
  readonly since: Positions | null
  /** When the previous entries were made. */
  readonly sinceAt: Instant | null
  /** Up to where these entries had seen the log. */
  readonly upTo: Positions
}

/** How telling an entry went. */
export interface Told {
  /** Types of the facts that are still in the outbox. */
  readonly waiting: readonly string[]
  readonly deliveries: readonly ToldEndpoint[]
}

/** One fact at one endpoint. */
export interface ToldEndpoint {
  readonly messageId: string
  readonly type: string
  readonly webhookId: string
  /** `delivered`, `given_up`, `stopped`, `held_back`; null: another attempt will be made. */
  readonly outcome: string | null
  readonly nextAt: Instant | null
  readonly attempts: readonly ToldAttempt[]
}

export interface ToldAttempt {
  readonly number: number
  readonly at: Instant
  /** Null where callers are not shown it. */
  readonly durationMs: number | null
  readonly status: number | null
  readonly error: string | null
}
