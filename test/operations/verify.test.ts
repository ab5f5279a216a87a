import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adjustBalance } from '../../src/operations/accounts/adjust-balance.ts'
import { settleAccount } from '../../src/operations/accounts/settle-accounts.ts'
import type { Difference } from '../../src/operations/verify/difference.ts'
import { verifyBooks } from '../../src/operations/verify/verify-books.ts'
import { audit } from '../../src/parts/store/postgres/audit/audit.ts'
import type { Db } from '../../src/parts/store/postgres/connection/client.ts'
import type { AccountKey } from '../../src/rules/accounts/view.ts'
import { after, day, hour } from '../../src/std/instant.ts'
import { holdPartition } from '../support/store/hold-partition.ts'
import type { ScratchStore } from '../support/store/scratch-store.ts'
import {
  atMoment,
  instantAt,
  january,
  measuredOf,
  scratchStore,
  sliceOf,
} from '../support/store/scratch-store.ts'
import { incrementOf } from '../support/store/usage.ts'

const at = instantAt('2026-01-15T12:00:00Z')

describe('verify', () => {
  let store: ScratchStore
  let busy: AccountKey
  let quiet: AccountKey
  let busyId = ''

  beforeAll(async () => {
    store = await scratchStore()
    const scope = await store.business()
    const entitlementId = await store.entitlement(scope, { precision: 2, overage: { limit: 50 } })
    busy = { ...scope, customerId: await store.customer(scope), entitlementId }
    quiet = { ...scope, customerId: await store.customer(scope), entitlementId }
    await holdPartition(store, 0, 'the log')
    for (const amount of ['10', '20.5']) busyId = (await adjust(busy, 'credit', amount)).accountId
    await use(0, '25.25')
    await adjust(busy, 'debit', '1.5')
    await use(1, '60')
    await settle(busy)
    await use(2, '-3')
    await settle(busy)
    await adjust(quiet, 'credit', '7')
  })
  afterAll(() => store.drop())

  const adjust = (key: AccountKey, type: 'credit' | 'debit', amount: string) =>
    adjustBalance(atMoment(at, store), {
      key,
      type,
      amount,
      reason: null,
      expiresAt: null,
      idempotencyKey: amount,
      metadata: null,
    })

  async function use(start: number, value: string): Promise<void> {
    const slice = sliceOf({
      start,
      logAt: hoursIn(2 * start),
      events: 3,
      billed: 1,
      unmatched: 1,
      duplicates: 1,
      verdicts: new Uint8Array([0, 1, 2]),
    })
    const usage = [incrementOf(busy, { value })]
    await store.measuring.commit(measuredOf({ slices: [slice], usage, accounts: [busy] }))
  }

  const settle = (key: AccountKey) => settleAccount(atMoment(at, store), key)

  async function differences(
    db: Db,
    businessId: string | null = null,
  ): Promise<readonly Difference[]> {
    const found: Difference[] = []
    const verification = verifyBooks({ audit: audit(db), log: null, window: day }, { businessId })
    for await (const difference of verification) found.push(difference)
    expect(verification.seen.differences).toBe(found.length)
    return found
  }

  /** What `verify` says after some SQL, which is then rolled back. */
  async function sentencesAfter(...statements: readonly string[]): Promise<readonly string[]> {
    const back = new Error('back to right books')
    let sentences: readonly string[] = []
    await store.db
      .transaction(async (tx) => {
        for (const text of statements) await tx.query({ text, values: [] })
        sentences = (await differences(tx)).map(({ sentence }) => sentence)
        throw back
      })
      .catch((error: unknown) => {
        if (error !== back) throw error
      })
    return sentences
  }

  test('finds nothing in right books, and says how much it looked at', async () => {
    const progress: number[] = []
    const needs = { audit: audit(store.db), log: null, window: day }
    const onProgress = ({ accounts }: { accounts: number }) => progress.push(accounts)
    const verification = verifyBooks(needs, { businessId: null, onProgress })
    for await (const { sentence } of verification) expect(sentence).toBeNull()
    expect(verification.seen).toMatchObject({
      accounts: 2,
      unsettled: 0,
      partitions: 1,
      differences: 0,
    })
    expect(verification.seen.entries).toBeGreaterThan(7)
    expect(progress.at(-1)).toBe(2)
  })

  test('usage that waits to be settled is right; it is only counted', async () => {
    const key = { ...busy, entitlementId: await store.entitlement(busy) }
    const slice = sliceOf({ start: 3, logAt: hoursIn(6), events: 1 })
    const usage = [incrementOf(key)]
    await store.measuring.commit(measuredOf({ slices: [slice], usage, accounts: [key] }))
    expect(await differences(store.db)).toEqual([])
    const waiting = [incrementOf(busy, { value: '2' })]
    const next = sliceOf({ start: 4, logAt: hoursIn(8) })
    await store.measuring.commit(measuredOf({ slices: [next], usage: waiting, accounts: [busy] }))
    const needs = { audit: audit(store.db), log: null, window: day }
    const verification = verifyBooks(needs, { businessId: null })
    for await (const { sentence } of verification) expect(sentence).toBeNull()
    expect(verification.seen.unsettled).toBe(1)
    await settle(busy)
  })

  test('looks at one business alone when asked to', async () => {
    const scope = await store.business()
    expect(await differences(store.db, scope.businessId)).toEqual([])
  })

  const mine = () => `account_id = '${busyId}'`

  /** Changes a table's rows of the busy account. */
  const put =
    (table: string, set: string, and = '') =>
    () =>
      `update ${table} set ${set} where ${mine()}${and}`

  describe('names what is wrong with an account:', () => {
    test.each(
      cases({
        'a balance': [
          put('accounts', 'balance = balance + 1'),
          /its balance is \d+(\.\d+)?, but its entries end at/,
        ],
        'an overage': [
          put('accounts', 'overage = overage + 1'),
          /its overage is .*, but its entries end at/,
        ],
        'a count of entries': [
          put('accounts', 'entries = entries + 1'),
          /it counts \d+ entries, but has \d+/,
        ],
        'a count of grants': [
          put('accounts', 'grants = grants + 1'),
          /it counts 3 grants, but has 2/,
        ],
        'an entry that was deleted': [
          () => `delete from ledger_entries where ${mine()} and number = 2`,
          /entries do not follow from each other: entry 3 follows 1/,
        ],
        'the newest entry deleted': [
          () =>
            `delete from ledger_entries where ${mine()} and number = (select entries from accounts where ${mine()})`,
          /it counts \d+ entries, but has \d+/,
        ],
        'an entry of another amount': [
          put('ledger_entries', 'amount = amount + 1', ' and number = 3'),
          /entry 3: the amount is not what balance and overage changed by/,
        ],
        'an entry that begins elsewhere': [
          put('ledger_entries', 'balance_before = 0, amount = balance_after', ' and number = 2'),
          /entry 2: balance_before is not the previous after/,
        ],
        'an entry finer than the precision': [
          put('ledger_entries', 'amount = amount + 0.001', ' and number = 1'),
          /entry 1: an amount is finer than the precision/,
        ],
        'an entry that says the wrong way': [
          put('ledger_entries', 'is_credit = not is_credit', ' and number = 1'),
          /entry 1: is_credit does not say which way it moves/,
        ],
        'an entry on no grant': [
          put('ledger_entries', 'grant_id = null', ' and number = 1'),
          /entry 1: it moves the balance, but names no grant/,
        ],
        "an entry on nobody's grant": [
          put('ledger_entries', "grant_id = 'cgr_none'", ' and number = 1'),
          /its entries name the grant cgr_none, which is not there/,
        ],
        "a grant's remaining": [
          put('grants', 'remaining = remaining + 0.01', ' and number = 1'),
          /its grant cgr_\S+ holds 0\.01, but its entries add up to 0/,
        ],
        "a grant's amount": [
          put('grants', 'initial = initial + 1', ' and number = 2'),
          /its grant cgr_\S+ was given 21\.5, but its entries add up to 20\.5/,
        ],
        'what usage drew from a grant': [
          put('grants', 'drawn = drawn + 1', ' and number = 2'),
          /its grant cgr_\S+ gave usage \S+, but its entries add up to/,
        ],
        'a grant that is finer than the precision': [
          put('grants', 'drawn = drawn + 0.001', ' and number = 2'),
          /it cannot be read: The store holds credits finer than their precision/,
        ],
        'the base of a grant': [
          put('grants', 'base_remaining = base_remaining + 1', ' and number = 2'),
          /its remaining\/drawn should be .* by placing .* on its base, but is/,
        ],
        'a base below nothing': [
          put('accounts', 'base_dropped = -5'),
          /its (base and what was settled since cannot be placed|dropped should be)/,
        ],
        dropped: [put('accounts', 'dropped = dropped + 1'), /its dropped should be .* by placing/],
        'unreturned, with its base': [
          put('accounts', 'unreturned = unreturned + 1, base_unreturned = base_unreturned + 1'),
          /its usage was charged \S+ in all, but .* is \S+/,
        ],
        'what was charged, with its base': [
          put('charged', 'charged = charged + 1, base = base + 1'),
          /of meter mtr_calls through \S+ was charged \S+, but its usage is worth/,
        ],
        'usage that changed unseen': [
          () => `update usage set value = value + 7 where meter_id = 'mtr_calls'`,
          /was charged \S+, but its usage is worth/,
        ],
        'usage that is gone': [() => `delete from usage`, /was charged \S+, but has no usage/],
        'terms that are gone': [
          () => `update credit_entitlements set stretches = '[]'`,
          /its usage cannot be settled: usage has lost its terms/,
        ],
        'an entitlement that is gone': [
          () => `delete from credit_entitlements`,
          /its credit entitlement does not exist/,
        ],
        'an account set aside': [
          put('accounts', "set_aside = 'no terms'"),
          /it was set aside and is not settled: no terms/,
        ],
        'a wake-up that was lost': [
          () => `delete from unsettled`,
          /has usage under \S+ that nobody is going to settle/,
        ],
      }),
    )('%s', async (_, [statement, sentence]) => {
      const sentences = await sentencesAfter(statement())
      expect(sentences.filter((each) => sentence.test(each))).not.toEqual([])
    })

    test('and only of that one: the others stay unnamed', async () => {
      const found = await sentencesAfter(`update accounts set balance = 1 where ${mine()}`)
      expect(found).toHaveLength(1)
      expect(found[0]).toMatch(new RegExp(`^Account ${busyId} of customer ${busy.customerId}: `))
      expect(await differences(store.db)).toEqual([])
    })
  })

  describe('names what refers to nothing:', () => {
    test.each(
      cases({
        'a fact in the outbox': [
          put('outbox', 'entry_number = 99'),
          /The fact msg_\S+ in the outbox refers to entry 99 of account \S+, which does not exist/,
        ],
        'a fact about nothing': [
          put('outbox', 'entry_number = null'),
          /The fact msg_\S+ in the outbox has neither an entry nor data/,
        ],
        'a message': [
          () => `insert into messages
            (message_id, business_id, mode, type, account_id, entry_number, body)
          values ('msg_1', 'bus_1', 'test', 'credit.added', '${busyId}', 99, '{}')`,
          /The message msg_1 refers to entry 99 of account \S+, which does not exist/,
        ],
        'an idempotency key': [
          put('adjustments', "entry_id = 'cle_none'"),
          /An idempotency key of account \S+ refers to entry cle_none, which does not exist/,
        ],
      }),
    )('%s', async (_, [statement, sentence]) => {
      const sentences = await sentencesAfter(statement())
      expect(sentences.filter((each) => sentence.test(each))).not.toEqual([])
    })
  })
})

/** Log times so far apart that `verify` takes no hole between them for a day that was dropped. */
const hoursIn = (hours: number) => after(january, hours * hour)

type Case = readonly [statement: () => string, sentence: RegExp]
const cases = (of: Readonly<Record<string, Case>>) => Object.entries(of)
