import assert from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type DodoPayments from 'dodopayments'
import { expect, it } from 'vitest'
import { attachPostgres } from '../../src/parts/store/embedded/postgres.ts'
import { openDb } from '../../src/parts/store/postgres/connection/client.ts'
import type { Answer } from './asking.ts'
import type { Subscriber } from './plan.ts'
import { fresh, subscriber } from './plan.ts'
import { world } from './world.ts'

type Entry = DodoPayments.CreditEntitlements.CreditLedgerEntry

const at = world()
const clients = 64
const commandsEach = 8
const senders = 4

/** What a caller was answered, to be found again in the ledger. */
interface Told {
  readonly reason: string
  readonly amount: number
  readonly type: 'credit' | 'debit'
  readonly answer: Answer
}

it('64 clients change and read one account while usage streams in, and every answer is in its ledger', {
  timeout: 240_000,
}, async () => {
  const one = await subscriber(at, { meters: [{ aggregation: { type: 'sum', key: 'n' } }] })
  const told: Told[] = []
  const reads: Answer[] = []
  const first = await adjust(one, 'credit', 1_000_000)
  told.push(first)

  let streaming = true
  const streams = Array.from({ length: senders }, (_, sender) =>
    stream(one, sender, () => streaming),
  )
  await Promise.all(Array.from({ length: clients }, (_, client) => run(one, client, told, reads)))
  streaming = false
  const sent = (await Promise.all(streams)).flat()
  const used = sent.reduce((sum, { used }) => sum + used, 0)
  // A position covers only the events of its request, so all positions together cover all events.
  for (let from = 0; from < sent.length; from += 20) {
    const some = sent.slice(from, from + 20).map(({ positions }) => positions)
    await one.balance(some.join(','))
  }

  expect(reads.map(({ status }) => status).filter((status) => status !== 200)).toEqual([])
  const done = told.filter(({ answer }) => answer.status === 201)
  const refused = told.filter(({ answer }) => answer.status !== 201)
  expect(refused.map(({ answer }) => answer.body.code)).toEqual(
    refused.map(({ type }) => (type === 'debit' ? 'INSUFFICIENT_BALANCE' : 'never')),
  )
  expect(refused).toHaveLength(clients)
  expect(done).toHaveLength(1 + clients * 5)

  const ledger = await wholeLedger(one)
  expectChain(ledger)
  for (const one of done) expectTold(one, ledger)
  const reasons = new Set(done.map(({ reason }) => reason))
  const manual = ledger.filter((entry) => entry.transaction_type === 'manual_adjustment')
  expect(manual.filter((entry) => !reasons.has(entry.description ?? ''))).toEqual([])

  const changed = done.reduce((sum, { type, amount }) => sum + signed(type, amount), 0)
  const taken = ledger.filter((entry) => entry.transaction_type === 'credit_deducted')
  expect(taken.reduce((sum, entry) => sum + Number(entry.amount), 0)).toBe(used)
  const { balance } = await one.balance()
  expect(Number(balance)).toBe(100 + changed - used)
  expect(ledger[0]?.balance_after).toBe(balance)

  expect(await at.sluice('verify')).toMatchObject({ ok: true })
  const books = await at.sluice('verify', '--business', at.businessId)
  expect(books).toMatchObject({ ok: true, entries: ledger.length })
  const gaps = `select account_id from ledger_entries group by account_id
    having (min(number), max(number)) <> (1, count(*))`
  expect(await database(gaps)).toEqual([])
  const deadlocks = 'select deadlocks from pg_stat_database where datname = current_database()'
  expect(await database(deadlocks)).toEqual([{ deadlocks: 0 }])
})

const signed = (type: Told['type'], amount: number): number =>
  type === 'credit' ? amount : -amount

/** Eight commands of one client: five that succeed, one that is refused, and two reads. */
async function run(one: Subscriber, client: number, told: Told[], reads: Answer[]): Promise<void> {
  const steps: readonly (() => Promise<unknown>)[] = [
    async () => told.push(await adjust(one, 'debit', 1 + (client % 7))),
    async () => told.push(await adjust(one, 'credit', 0.25 + client)),
    async () => told.push(await adjust(one, 'debit', 2_000_000)),
    async () => reads.push(await at.call(`GET ${pathOf(one)}`)),
    async () => told.push(await adjust(one, 'debit', 0.75)),
    async () => reads.push(await at.call(`GET ${pathOf(one)}/ledger?page_size=20`)),
    async () => told.push(await adjust(one, 'debit', 11.5)),
    async () => told.push(await adjust(one, 'credit', 3)),
  ]
  assert.equal(steps.length, commandsEach)
  for (let step = 0; step < commandsEach; step += 1) {
    await steps[(client + step) % commandsEach]?.()
  }
}

const pathOf = ({ creditId, customerId }: Subscriber): `/${string}` =>
  `/credit-entitlements/${creditId}/balances/${customerId}`

async function adjust(one: Subscriber, type: Told['type'], amount: number): Promise<Told> {
  const reason = fresh('command')
  const body = { entry_type: type, amount: String(amount), reason }
  const answer = await at.call(`POST ${pathOf(one)}/ledger-entries`, { body })
  return { reason, amount, type, answer }
}

/** Usage until it is enough; what each request used, and where it lies. */
async function stream(one: Subscriber, sender: number, goesOn: () => boolean) {
  const sent: { readonly used: number; readonly positions: string }[] = []
  for (let turn = 0; goesOn(); turn += 1) {
    const quantities = Array.from({ length: 1 + ((turn + sender) % 9) }, (_, index) => 1 + index)
    const positions = await one.spend(...quantities.map((n) => ({ n })))
    // Usage is to come all the time, not to take the cores from the clients.
    await sleep(10)
    sent.push({ used: quantities.reduce((sum, n) => sum + n, 0), positions })
  }
  return sent
}

/** Newest first, as it is listed. */
async function wholeLedger(one: Subscriber): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  const { balances } = at.client().creditEntitlements
  for (let page_number = 0; ; page_number += 1) {
    const page = { credit_entitlement_id: one.creditId, page_size: 100, page_number }
    const { items } = await balances.listLedger(one.customerId, page)
    entries.push(...items)
    if (items.length < 100) return entries
  }
}

/** Each entry begins where the one before it ended, and moves by its amount. */
function expectChain(ledger: readonly Entry[]): void {
  expect(new Set(ledger.map(({ id }) => id)).size).toBe(ledger.length)
  for (const [index, entry] of ledger.entries()) {
    expect(entry.balance_before).toBe(ledger[index + 1]?.balance_after ?? '0')
    const moved = Number(entry.balance_after) - Number(entry.balance_before)
    expect(moved).toBe(entry.is_credit ? Number(entry.amount) : -Number(entry.amount))
    expect([entry.overage_before, entry.overage_after]).toEqual(['0', '0'])
  }
}

/** The entries of one command must stand together and say what its caller was answered. */
function expectTold({ reason, amount, type, answer }: Told, ledger: readonly Entry[]): void {
  const at = ledger.findIndex((entry) => entry.description === reason)
  const own = ledger.filter((entry) => entry.description === reason)
  expect(own).toEqual(ledger.slice(at, at + own.length))
  expect(own.reduce((sum, entry) => sum + Number(entry.amount), 0)).toBe(amount)
  expect(answer.body).toMatchObject({
    id: own.at(-1)?.id,
    entry_type: type,
    balance_before: own.at(-1)?.balance_before,
    balance_after: own[0]?.balance_after,
  })
}

async function database(text: string): Promise<readonly unknown[]> {
  const url = await attachPostgres(join(at.directory, 'postgres'))
  assert(url !== null, 'The server has a database.')
  const db = openDb({ url, connectionsMax: 1, name: 'test' })
  try {
    return await db.query({ text, values: [] })
  } finally {
    await db.close()
  }
}
