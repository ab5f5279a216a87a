import type { Json } from './api.ts'
import type { Customer } from './catalogue.ts'
import { linked } from './catalogue.ts'
import { exact, plain } from './decimals.ts'
import type { AuditParts, Difference } from './differences.ts'
import { differing } from './differences.ts'
import type { ExpectedAccount } from './model.ts'

type Pair = readonly [what: string, expected: unknown, found: unknown]

/** Audits balances, ledgers, adjustments and webhooks of every account. */
export async function auditAccounts(parts: AuditParts): Promise<readonly Difference[]> {
  const { catalogue, model } = parts
  const pairs: Pair[] = []
  const entries: Json[] = []
  for (const customer of [...catalogue.customers, catalogue.solo]) {
    const plans = customer.plan === null ? [linked] : [customer.plan, linked]
    for (const plan of plans) {
      const expected = model.account(customer, plan)
      const ledger = await ledgerOf(parts, expected)
      entries.push(...ledger)
      pairs.push(...(await balancePairs(parts, expected)), ...chainPairs(expected, ledger))
    }
    pairs.push(...(await creditUsagePairs(parts, customer)))
  }
  pairs.push(...(await gapPairs(parts)), ...adjustmentPairs(parts, entries))
  return [...differing(pairs), ...auditWebhooks(parts, entries)]
}

async function balancePairs(
  { api, db }: AuditParts,
  expected: ExpectedAccount,
): Promise<readonly Pair[]> {
  const { customer, entitlementId, plan } = expected
  const name = `${plan.name} of ${customer.id}`
  const read = await api.got(`/credit-entitlements/${entitlementId}/balances/${customer.id}`)
  const [row] = await db.query<{ balance: string; overage: string; dropped: string }>({
    text: `select trim_scale(balance)::text as balance, trim_scale(overage)::text as overage,
      trim_scale(dropped)::text as dropped from accounts
      where customer_id = $1 and entitlement_id = $2`,
    values: [customer.id, entitlementId],
  })
  return [
    [`balance ${name}`, expected.balance, read['balance']],
    [`overage ${name}`, expected.overage, read['overage']],
    [`stored balance ${name}`, expected.balance, row?.balance],
    [`stored overage ${name}`, expected.overage, row?.overage],
    [`dropped ${name}`, expected.dropped, row?.dropped],
  ]
}

async function creditUsagePairs(
  { api, model }: AuditParts,
  customer: Customer,
): Promise<readonly Pair[]> {
  const { plan, subscriptionId } = customer
  if (plan === null) return []
  const { items } = await api.got(`/subscriptions/${subscriptionId}/credit-usage`)
  const [item] = items as readonly Json[]
  const { balance, overage } = model.account(customer, plan)
  return [
    [`credit usage of ${customer.id}: balance`, balance, item?.['balance']],
    [`credit usage of ${customer.id}: overage`, overage, item?.['overage']],
  ]
}

/** Oldest first. */
async function ledgerOf({ api }: AuditParts, expected: ExpectedAccount): Promise<readonly Json[]> {
  const path = `/credit-entitlements/${expected.entitlementId}/balances/${expected.customer.id}`
  const entries: Json[] = []
  for (let page = 0; ; page += 1) {
    const { items } = await api.got(`${path}/ledger?page_size=100&page_number=${page}`)
    const read = items as readonly Json[]
    entries.push(...read)
    if (read.length < 100) return entries.reverse()
  }
}

/** Each entry's "before" must be the previous entry's "after", from nothing to the balance. */
function chainPairs(expected: ExpectedAccount, ledger: readonly Json[]): readonly Pair[] {
  const { plan, customer } = expected
  const name = `${plan.name} of ${customer.id}`
  const links = ledger.flatMap((entry, index): Pair[] => {
    const before = ledger[index - 1]
    const at = `ledger entry ${entry['id']}`
    return [
      [`${at}: balance_before`, before?.['balance_after'] ?? '0', entry['balance_before']],
      [`${at}: overage_before`, before?.['overage_after'] ?? '0', entry['overage_before']],
      [`${at}: amount`, plain(moved(entry)), entry['amount']],
    ]
  })
  const last = ledger.at(-1)
  return [
    ...links,
    [`last entry of ${name}: balance`, expected.balance, last?.['balance_after']],
    [`last entry of ${name}: overage`, expected.overage, last?.['overage_after']],
  ]
}

const size = (value: bigint): bigint => (value < 0n ? -value : value)
const field = (entry: Json, name: string): bigint => exact(String(entry[name]))
const moved = (entry: Json): bigint =>
  size(field(entry, 'balance_after') - field(entry, 'balance_before')) +
  size(field(entry, 'overage_after') - field(entry, 'overage_before'))

/** Entries must be numbered without gaps, and nothing may wait or be set aside. */
async function gapPairs({ db }: AuditParts): Promise<readonly Pair[]> {
  const count = async (text: string): Promise<number | undefined> =>
    (await db.query<{ count: number }>({ text, values: [] }))[0]?.count
  return [
    [
      'accounts whose entries have gaps',
      0,
      await count(`select count(*) from accounts a where a.entries <> (
        select count(*) from ledger_entries e where e.account_id = a.account_id
        and e.number between 1 and a.entries)`),
    ],
    ['accounts set aside', 0, await count('select count(set_aside) from accounts')],
    [
      'accounts whose grants do not add up to the balance',
      0,
      await count(`select count(*) from accounts a where a.balance <> (
        select coalesce(sum(g.remaining), 0) from grants g
        where g.account_id = a.account_id and g.ended_at is null)`),
    ],
  ]
}

/** Each manual adjustment is in the ledger once, whole. */
function adjustmentPairs({ adjusted }: AuditParts, entries: readonly Json[]): readonly Pair[] {
  const amounts = new Map<unknown, bigint>()
  for (const entry of entries.filter((each) => each['transaction_type'] === 'manual_adjustment')) {
    const signed = entry['is_credit'] === true ? moved(entry) : -moved(entry)
    amounts.set(entry['description'], (amounts.get(entry['description']) ?? 0n) + signed)
  }
  amounts.delete('initial')
  const pairs = adjusted.map(({ key, amount, type }): Pair => {
    return [key, type === 'credit' ? amount : `-${amount}`, plain(amounts.get(key) ?? 0n)]
  })
  return [...pairs, ['adjustments in the ledger', adjusted.length, amounts.size]]
}

/** The webhooks that an entry must have. [webhooks#attempts, webhooks#kinds] */
function factsOf(entry: Json): readonly string[] {
  switch (entry['transaction_type']) {
    case 'credit_added':
      return ['credit.added']
    case 'credit_deducted':
      return ['credit.deducted']
    case 'manual_adjustment':
      return entry['is_credit'] === true
        ? ['credit.manual_adjustment']
        : ['credit.manual_adjustment', 'credit.deducted']
    default:
      return []
  }
}

/** Every fact must have been told under one id, and nothing else told. */
function auditWebhooks({ receiver }: AuditParts, entries: readonly Json[]): readonly Difference[] {
  const told = new Map<string, number>()
  for (const { type, entryId, times } of receiver.told.values()) {
    if (entryId === null || times === 0) continue
    const key = `${type} of ${entryId}`
    told.set(key, (told.get(key) ?? 0) + 1)
  }
  const expected = new Set(
    entries.flatMap((entry) => factsOf(entry).map((type) => `${type} of ${entry['id']}`)),
  )
  const keys = new Set([...expected, ...told.keys()])
  return differing(
    [...keys].map((key) => [`webhooks ${key}`, expected.has(key) ? 1 : 0, told.get(key) ?? 0]),
  )
}
