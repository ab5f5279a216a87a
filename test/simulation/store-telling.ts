import type {
  AttemptRecord,
  ClaimedDelivery,
  ClaimOptions,
} from '../../src/parts/store/deliveries.ts'
import type { FactBody, WaitingFact } from '../../src/parts/store/outbox.ts'
import { formatCredits } from '../../src/rules/accounts/credits.ts'
import type { ToldFact } from '../../src/rules/facts/fact.ts'
import { keptFact } from '../../src/rules/facts/fact.ts'
import type { RecordedEntry } from '../../src/rules/facts/recorded-entry.ts'
import type { Instant } from '../../src/std/instant.ts'
import { after, instantOf, millisecond } from '../../src/std/instant.ts'
import { precision, webhookId } from './shop.ts'
import { entryAt } from './store-accounts.ts'
import type { DeliveryRow, OutboxRow, Tables } from './tables.ts'

// What the statements of outbox and deliveries do, each in one moment. One endpoint wants all.

export function waitingFacts(tables: Tables, limit: number): readonly WaitingFact[] {
  return [...tables.outbox.values()].slice(0, limit).map((row) => ({
    id: row.id,
    messageId: row.messageId,
    businessId: row.key.businessId,
    mode: row.key.mode,
    type: row.type,
    at: row.at,
    wanted: true,
    told: toldOf(tables, row),
  }))
}

function toldOf(tables: Tables, row: OutboxRow): ToldFact | null {
  if (row.data !== null) return keptFact(row.type, row.data)
  const entry = recordedOf(tables, row)
  return entry === null ? null : { type: row.type, entry }
}

function recordedOf(tables: Tables, row: OutboxRow): RecordedEntry | null {
  const entry = entryAt(tables, row.accountId, row.entryNumber)
  if (entry === undefined) return null
  const text = (amount: typeof entry.amount): string => formatCredits(amount, precision)
  return {
    entryId: entry.entryId,
    businessId: row.key.businessId,
    brandId: entry.brandId,
    customerId: row.key.customerId,
    entitlementId: row.key.entitlementId,
    transactionType: entry.type,
    isCredit: entry.isCredit,
    amount: text(entry.amount),
    balanceBefore: text(entry.balanceBefore),
    balanceAfter: text(entry.balanceAfter),
    overageBefore: text(entry.overageBefore),
    overageAfter: text(entry.overageAfter),
    grantId: entry.grantId,
    referenceType: entry.cause.referenceType,
    referenceId: entry.cause.referenceId,
    description: entry.cause.description,
    metadata: entry.cause.metadata,
    createdAt: entry.at,
  }
}

export function relayFacts(tables: Tables, bodies: readonly FactBody[], at: Instant) {
  const taken = takenFacts(tables, bodies)
  return { facts: taken.length, deliveries: keepDeliveries(tables, taken, at) }
}

export interface TakenFact {
  readonly row: OutboxRow
  readonly body: string | null
}

export function takenFacts(tables: Tables, bodies: readonly FactBody[]): readonly TakenFact[] {
  return bodies.flatMap(({ id, messageId, body }) => {
    const row = tables.outbox.get(id)
    if (row?.messageId !== messageId) return []
    tables.outbox.delete(id)
    return [{ row, body }]
  })
}

export function keepDeliveries(tables: Tables, taken: readonly TakenFact[], at: Instant): number {
  const wanted = taken.filter(({ body }) => body !== null)
  wanted.forEach(({ row: { messageId }, body }, index) => {
    tables.deliveries.set(messageId, {
      messageId,
      webhookId,
      body: body ?? '',
      attempts: 0,
      nextAt: instantOf(at - (wanted.length - index)),
      claimedUntil: null,
      outcome: null,
    })
  })
  return wanted.length
}

export function claimDeliveries(
  tables: Tables,
  { at, limit, perEndpoint, underWay, leaseMs }: ClaimOptions,
  now: Instant,
): readonly ClaimedDelivery[] {
  const room = Math.min(limit, perEndpoint - (underWay.get(webhookId) ?? 0))
  const isDue = ({ nextAt, claimedUntil }: DeliveryRow): boolean =>
    nextAt !== null && nextAt <= at && (claimedUntil === null || claimedUntil <= now)
  const due = [...tables.deliveries.values()].filter(isDue)
  return due.slice(0, Math.max(0, room)).map((row) => {
    const claimedUntil = after(now, leaseMs * millisecond)
    tables.deliveries.set(row.messageId, { ...row, claimedUntil })
    return {
      messageId: row.messageId,
      webhookId,
      mode: 'test',
      attempt: row.attempts + 1,
      scheduleStart: 0,
      test: false,
      sequence: null,
      previous: null,
      waitMs: 0,
      body: row.body,
      url: 'https://receiver.example/',
      secret: new Uint8Array(32),
      formerSecrets: [],
      headers: {},
    }
  })
}

export function recordAttempts(tables: Tables, records: readonly AttemptRecord[]): void {
  for (const record of records) {
    const row = tables.deliveries.get(record.messageId)
    if (row === undefined || row.attempts !== record.attempt - 1) continue
    tables.deliveries.set(record.messageId, {
      ...row,
      attempts: record.attempt,
      claimedUntil: null,
      nextAt: row.nextAt === null ? null : record.nextAt,
      outcome: record.outcome === 'delivered' ? record.outcome : (row.outcome ?? record.outcome),
    })
  }
}

export function releaseDeliveries(
  tables: Tables,
  claims: readonly Pick<ClaimedDelivery, 'messageId' | 'attempt'>[],
): void {
  for (const { messageId, attempt } of claims) {
    const row = tables.deliveries.get(messageId)
    if (row?.attempts !== attempt - 1) continue
    tables.deliveries.set(messageId, { ...row, claimedUntil: null })
  }
}
