import type { GrantSource } from '../../rules/accounts/account.ts'
import type { RecordedInputs } from '../../rules/accounts/cause.ts'
import type { AccountKey, AccountView } from '../../rules/accounts/view.ts'
import type { CreditTransactionType } from '../../rules/facts/ledger-facts.ts'
import type { AggregationType } from '../../rules/meter/meter.ts'
import type { UsageKey } from '../../rules/meter/usage-delta.ts'
import type { Instant } from '../../std/instant.ts'
import type { Offset, Partition } from '../event-log/port.ts'
import type { AuditCommerce, BentRow } from './audit-commerce.ts'
import type { AuditEndings } from './audit-endings.ts'
import type { Checkpoint, StoredBatch } from './measuring.ts'
import type { UsageSource } from './voids.ts'

/**
 * Everything that an audit reads, in pages, so that a million accounts never lie in memory
 * together. Nothing is locked: whatever the audit compares comes out of one snapshot, or is
 * append-only.
 */
export interface Audit extends AuditCommerce, AuditEndings {
  /**
   * All accounts of a business (null: of all businesses) in a fixed order; the accounts of a page
   * are of one moment.
   */
  accounts(businessId: string | null): AsyncIterable<readonly AuditedAccount[]>

  /**
   * The entries of these accounts up to `entriesTo`, account by account, in the order of numbers.
   */
  entries(accounts: readonly AuditedAccount[]): AsyncIterable<AuditedEntry>

  /** Accounts with usage that is neither settled nor queued for settling. */
  forgotten(businessId: string | null): AsyncIterable<AccountKey>

  /** Usage that no events make, and voids that wait for other rows of it than there are. */
  bentUsage(businessId: string | null): AsyncIterable<BentRow>

  /**
   * Sources of usage that is not sealed, `most` rows of it by chance: to count all of it again takes
   * as long as it took to measure.
   */
  countedSources(businessId: string | null, most: number): Promise<readonly UsageSource[]>

  /** From when on the archive has every event; null: it has all there ever were. */
  archivedSince(): Promise<Instant | null>

  /**
   * The rows that the sources' events went to, all of one moment and in one order. `since`: as
   * `archivedSince` says.
   */
  countedRows(
    sources: readonly UsageSource[],
    since: Instant | null,
  ): Promise<readonly CountedRow[]>

  /**
   * Facts and idempotency keys that refer to an entry that does not exist, and facts that tell of
   * one what it is not, as sentences.
   */
  dangling(businessId: string | null): AsyncIterable<string>

  checkpoints(): Promise<readonly AuditedCheckpoint[]>

  /** The kept batches of a partition that end at or before `to`, in order. */
  batches(partition: Partition, to: Offset): AsyncIterable<AuditedBatch>

  /** The same batches with their ids. A batch that is merged meanwhile may come again in part. */
  countings(partition: Partition, to: Offset): AsyncIterable<StoredBatch>

  /** What does not add up in the archive of a partition, in sentences without a subject. */
  bentArchive(partition: Partition): Promise<readonly string[]>
}

/** A row of usage as it stands. */
export interface CountedRow extends UsageKey {
  readonly eventName: string
  readonly aggregation: AggregationType
  readonly events: number
  /** Decimal text. */
  readonly value: string
  /**
   * Whether its events alone say what it must be: not where a void is still to be folded, where the
   * row is sealed, or where some of its events may be older than what the archive has.
   */
  readonly isWhole: boolean
  /** Whether its customer has, or had, a subscription. */
  readonly isRouted: boolean
}

export interface AuditedAccount {
  readonly accountId: string
  readonly key: AccountKey
  /** Null: the account cannot even be read, for the reason in `unreadable`. */
  readonly view: AccountView | null
  readonly unreadable: string | null
  /** Decimal text, since the view has only the sum of the live grants. */
  readonly balance: string
  /** Number of the newest ledger entry at that moment; 0 without one. */
  readonly entriesTo: number
  /** All grants by number, ended ones too; amounts are decimal text. */
  readonly grants: readonly AuditedGrant[]
}

export interface AuditedGrant {
  readonly grantId: string
  readonly number: number
  readonly sourceType: GrantSource
  readonly parentGrantId: string | null
  readonly rolloverCount: number
  readonly rolledOver: boolean
  readonly createdAt: Instant
  readonly endedAt: Instant | null
  readonly initial: string
  readonly remaining: string
  readonly drawn: string
}

/** Amounts are decimal text. */
export interface AuditedEntry {
  readonly accountId: string
  readonly number: number
  readonly type: CreditTransactionType
  readonly isCredit: boolean
  readonly amount: string
  readonly balanceBefore: string
  readonly balanceAfter: string
  readonly overageBefore: string
  readonly overageAfter: string
  readonly grantId: string | null
  readonly referenceType: string | null
  readonly referenceId: string | null
  readonly createdAt: Instant
  /** The rule that made it; null: its release kept none. */
  readonly rule: string | null
  /** For usage alone: the meter. */
  readonly meterId: string | null
  /** For a rollover alone: they name the grant that the credits came from. */
  readonly inputs: RecordedInputs | null
}

export interface AuditedCheckpoint extends Checkpoint {
  /** How many events lie in records in quarantine. */
  readonly eventsInQuarantine: number
}

export interface AuditedBatch {
  readonly start: Offset
  readonly end: Offset
  readonly logAt: Instant
  /** Bytes of fingerprints: 12 per event. */
  readonly fingerprintBytes: number
  readonly verdicts: Uint8Array
}
