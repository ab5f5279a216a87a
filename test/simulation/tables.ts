import type { Offset, Partition } from '../../src/parts/event-log/port.ts'
import type {
  Checkpoint,
  Quarantined,
  StoredBatch,
  UsageIncrement,
} from '../../src/parts/store/measuring.ts'
import type { CustomerKey, Scope } from '../../src/parts/store/scope.ts'
import type { NewEntry } from '../../src/rules/accounts/change.ts'
import type { AccountKey, StoredAccount } from '../../src/rules/accounts/view.ts'
import type { NewFact } from '../../src/rules/facts/fact.ts'
import type { Instant } from '../../src/std/instant.ts'

export interface CheckpointRow extends Checkpoint {
  readonly idleAt: Instant
}

export interface BatchRow extends StoredBatch {
  readonly partition: Partition
}

/** As an increment, but the value is a count of 10^-18. */
export interface UsageRow extends Omit<UsageIncrement, 'value'> {
  readonly value: bigint
}

export interface AccountRow extends StoredAccount {
  readonly key: AccountKey
  readonly settledAt: Instant
}

export type OutboxRow = NewFact & {
  readonly id: number
  readonly key: AccountKey
  readonly accountId: string
}

export interface DeliveryRow {
  readonly messageId: string
  readonly webhookId: string
  readonly body: string
  readonly attempts: number
  readonly nextAt: Instant | null
  readonly claimedUntil: Instant | null
  readonly outcome: string | null
}

/** One write of an account, for the audit: what it was, and what it became. */
export interface SavedRow {
  readonly accountId: string
  readonly facts: readonly NewFact[]
  readonly balances: readonly [before: bigint, after: bigint]
}

/**
 * All that the store keeps. Rows are replaced, never changed, so a copy of the tables is a copy of
 * the store.
 */
export interface Tables {
  readonly checkpoints: Map<Partition, CheckpointRow>
  readonly batches: Map<Partition, readonly BatchRow[]>
  readonly quarantine: Map<string, Quarantined>
  readonly usage: Map<string, UsageRow>
  readonly unsettled: Map<number, AccountKey>
  readonly accounts: Map<string, AccountRow>
  readonly entries: Map<string, readonly NewEntry[]>
  readonly adjustments: Map<string, string>
  readonly outbox: Map<number, OutboxRow>
  /** Each fact that was ever written, by its message's id. */
  readonly facts: Map<string, OutboxRow>
  readonly deliveries: Map<string, DeliveryRow>
  readonly saved: Map<number, SavedRow>
  readonly catalogVersions: Map<string, number>
  readonly routesVersions: Map<string, number>
  readonly serials: Map<'serial', number>
}

export const emptyTables = (): Tables => ({
  checkpoints: new Map(),
  batches: new Map(),
  quarantine: new Map(),
  usage: new Map(),
  unsettled: new Map(),
  accounts: new Map(),
  entries: new Map(),
  adjustments: new Map(),
  outbox: new Map(),
  facts: new Map(),
  deliveries: new Map(),
  saved: new Map(),
  catalogVersions: new Map(),
  routesVersions: new Map(),
  serials: new Map(),
})

export function copyOf(tables: Tables): Tables {
  const copies = Object.entries(tables).map(([name, rows]) => [name, new Map(rows)])
  return Object.fromEntries(copies) as Tables
}

export function nextSerial({ serials }: Tables): number {
  const next = (serials.get('serial') ?? 0) + 1
  serials.set('serial', next)
  return next
}

export const scopeName = ({ businessId, mode }: Scope): string => `${mode} ${businessId}`

export const customerName = (key: CustomerKey): string => `${scopeName(key)} ${key.customerId}`

export const keyName = (key: AccountKey): string => `${customerName(key)} ${key.entitlementId}`

export const recordName = (partition: Partition, offset: Offset): string => `${partition} ${offset}`
