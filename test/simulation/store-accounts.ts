import { limits } from '../../src/limits.ts'
import type { Share } from '../../src/parts/store/accounts.ts'
import type { Scope } from '../../src/parts/store/scope.ts'
import type { Account } from '../../src/rules/accounts/account.ts'
import { storedBalance } from '../../src/rules/accounts/account.ts'
import type { AccountChange, NewEntry } from '../../src/rules/accounts/change.ts'
import type {
  AccountKey,
  AccountView,
  UsageRow as UsageView,
} from '../../src/rules/accounts/view.ts'
import type { AggregationType } from '../../src/rules/meter/meter.ts'
import { formatDecimal } from '../../src/std/decimal.ts'
import type { Instant } from '../../src/std/instant.ts'
import { customers, entitlement } from './shop.ts'
import type { StoreMistakes } from './store-measuring.ts'
import type { Tables, UsageRow } from './tables.ts'
import { customerName, keyName, nextSerial, scopeName } from './tables.ts'

// What the store's SQL functions do for accounts, each in one moment.

const customerNames = new Set(customers.map(customerName))

export function loadAccounts(tables: Tables, keys: readonly AccountKey[]): readonly AccountView[] {
  const positions = [...tables.checkpoints.values()].map(
    ({ partition, nextOffset }): [string, number] => [String(partition), nextOffset],
  )
  const measured = Object.fromEntries(positions)
  return keys.map((key) => ({
    key,
    measured,
    customerExists: customerNames.has(customerName(key)),
    clockAhead: 0,
    entitlement,
    stored: rowOf(tables, key) ?? null,
    usage: [...tables.usage.values()].filter((row) => keyName(row) === keyName(key)).map(viewOf),
    subscriptions: [],
    unsettled: [...tables.unsettled].flatMap(([id, of]) =>
      keyName(of) === keyName(key) ? [id] : [],
    ),
  }))
}

const rowOf = ({ accounts }: Tables, key: AccountKey) =>
  [...accounts.values()].find((row) => keyName(row.key) === keyName(key))

const viewOf = (row: UsageRow): UsageView => ({
  routeId: row.routeId,
  meterId: row.meterId,
  cycleAt: row.cycleAt,
  segmentAt: row.segmentAt,
  aggregation: row.aggregation as AggregationType,
  events: row.events,
  value: formatDecimal(row.value, limits.usageScale),
  lastAt: row.lastAt,
  lastReceived: row.lastReceived,
  lastEventId: row.lastEventId,
})

export function saveAccounts(
  tables: Tables,
  changes: readonly AccountChange[],
  { mistakes, now }: { readonly mistakes: StoreMistakes; readonly now: Instant },
): ReadonlySet<string> {
  const winners = changes.filter(({ accountId, expected, expectedStamp }) => {
    const { version = null, stamp = null } = tables.accounts.get(accountId) ?? {}
    return (version === expected && stamp === expectedStamp) || mistakes.ignoresVersion === true
  })
  // All or nothing: a violated key takes the whole transaction back.
  for (const change of winners) {
    const { idempotencyKey: key, accountId } = change
    if (key !== null && tables.adjustments.has(`${accountId} ${key}`))
      throw new Error('duplicate key value violates unique constraint "adjustments_pkey"')
  }
  for (const change of winners) saveOne(tables, change, now)
  return new Set(winners.map(({ accountId }) => accountId))
}

function saveOne(tables: Tables, change: AccountChange, now: Instant): void {
  const { accountId, key, account, entries, at } = change
  const before = tables.accounts.get(accountId)
  tables.accounts.set(accountId, {
    accountId,
    key,
    version: (before?.version ?? 0) + 1,
    // Time goes on also where the tables are put back.
    stamp: now,
    account: { ...account, ended: [] },
    setAside: before?.setAside ?? null,
    ownCycleAt: change.ownCycleAt,
    createdAt: before?.createdAt ?? at,
    updatedAt: at,
    lastTransactionAt: entries.length > 0 ? at : (before?.lastTransactionAt ?? null),
    settledAt: now,
  })
  tables.entries.set(accountId, [...(tables.entries.get(accountId) ?? []), ...entries])
  for (const fact of change.facts) {
    const row = { ...fact, id: nextSerial(tables), key, accountId }
    tables.outbox.set(row.id, row)
    tables.facts.set(fact.messageId, row)
  }
  if (change.idempotencyKey !== null) {
    const [entry] = entries.slice(-1)
    tables.adjustments.set(`${accountId} ${change.idempotencyKey}`, entry?.entryId ?? '')
  }
  for (const id of change.unsettled) {
    const of = tables.unsettled.get(id)
    if (of !== undefined && keyName(of) === keyName(key)) tables.unsettled.delete(id)
  }
  if (change.announce) tables.unsettled.set(nextSerial(tables), key)
  const balances = [balanceOf(before?.account), balanceOf(account)] as const
  tables.saved.set(nextSerial(tables), { accountId, facts: change.facts, balances })
}

const balanceOf = (account: Account | undefined): bigint =>
  account === undefined ? 0n : storedBalance(account)

interface DueAccounts {
  readonly limit: number
  readonly before: number
  readonly share: Share | null
}

export function dueAccounts(
  tables: Tables,
  { limit, before, share }: DueAccounts,
): readonly AccountKey[] {
  const keys = new Map(
    [...tables.unsettled.values()]
      .filter((key) => share === null || share.slots.includes(slotOf(key, share.of)))
      .map((key) => [keyName(key), key]),
  )
  return [...keys.values()]
    .filter((key) => {
      const row = rowOf(tables, key)
      return row === undefined || (row.setAside === null && row.settledAt <= before)
    })
    .slice(0, limit)
}

/** The first of each business, then the second of each, and so on. */
export function dueOfEach(
  tables: Tables,
  { except, limit, ...whose }: DueAccounts & { readonly except: Scope },
): readonly AccountKey[] {
  const places = new Map<string, number>()
  return dueAccounts(tables, { ...whose, limit: Number.POSITIVE_INFINITY })
    .filter((key) => scopeName(key) !== scopeName(except))
    .map((key) => {
      const place = (places.get(scopeName(key)) ?? 0) + 1
      places.set(scopeName(key), place)
      return { key, place }
    })
    .toSorted((a, b) => a.place - b.place)
    .slice(0, limit)
    .map(({ key }) => key)
}

/** Any hash will do: customers are named by their last letter. */
const slotOf = ({ customerId }: AccountKey, of: number): number =>
  (customerId.codePointAt(customerId.length - 1) ?? 0) % of

export const entryAt = (
  { entries }: Tables,
  accountId: string,
  number: number | null,
): NewEntry | undefined => entries.get(accountId)?.find((entry) => entry.number === number)
