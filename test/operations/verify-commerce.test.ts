import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyBooks } from '../../src/operations/verify/verify-books.ts'
import { adjustWallet } from '../../src/operations/wallets/adjust-wallet.ts'
import { audit } from '../../src/parts/store/postgres/audit/audit.ts'
import { customers } from '../../src/parts/store/postgres/catalog/customers.ts'
import { wallets } from '../../src/parts/store/postgres/catalog/wallets.ts'
import type { Db } from '../../src/parts/store/postgres/connection/client.ts'
import { day, instantOf } from '../../src/std/instant.ts'
import { decidedAt as at, changeWith } from '../support/store/decided.ts'
import { discountRowWith } from '../support/store/rows.ts'
import type { ScratchStore } from '../support/store/scratch-store.ts'
import { scratchStore } from '../support/store/scratch-store.ts'

describe('verify, of wallets and discounts', () => {
  let store: ScratchStore
  let businessId: string
  let customerId: string
  let discountId: string

  beforeAll(async () => {
    store = await scratchStore()
    const scope = await store.business()
    customerId = await store.customer(scope)
    businessId = scope.businessId
    const needs = { ...store, customers: customers(store.db), wallets: wallets(store.db) }
    const key = { ...scope, customerId }
    for (const [n, amount] of [500, 200, 300].entries()) {
      const adjustment = {
        amount,
        currency: 'USD',
        isCredit: n !== 1,
        reason: null,
        idempotencyKey: null,
      } as const
      await adjustWallet(needs, key, { adjustment, at: instantOf(at + n) })
    }
    const row = { ...discountRowWith(store.newId('dsc'), at), usageLimit: 2 }
    discountId = row.discountId
    const used = { discountId, usedFor: 'spc_1', customerId, usedAt: at }
    for (const change of [
      { noun: 'discount', expected: null, row } as const,
      { noun: 'discount_use', expected: null, row: used, held: false, discountAsOf: at } as const,
    ]) {
      const committed = { ...changeWith(scope, { rows: [change] }), clockAhead: null }
      expect(await store.changes.commit(committed)).toBe('committed')
    }
  })
  afterAll(() => store.drop())

  async function sentences(db: Db, of: string | null): Promise<readonly string[]> {
    const found: string[] = []
    const needs = { audit: audit(db), log: null, window: day }
    for await (const { sentence } of verifyBooks(needs, { businessId: of })) found.push(sentence)
    return found
  }

  /** What verify says after some SQL, all of which is undone. */
  async function sentencesAfter(text: string, of: string | null = null) {
    const back = new Error('back to right books')
    let found: readonly string[] = []
    await store.db
      .transaction(async (tx) => {
        await tx.query({ text, values: [] })
        found = await sentences(tx, of)
        throw back
      })
      .catch((error: unknown) => {
        if (error !== back) throw error
      })
    return found
  }

  test('finds nothing in right books', async () => {
    expect(await sentences(store.db, null)).toEqual([])
    expect(await sentences(store.db, businessId)).toEqual([])
  })

  test.each([
    [
      'update wallets set balance = balance + 1',
      ['its USD wallet holds 601 after 3 entries, but its entries end at 600 with number 3'],
    ],
    [
      'update wallets set entries = 4',
      ['its USD wallet holds 600 after 4 entries, but its entries end at 600 with number 3'],
    ],
    [
      'delete from wallet_entries where number = 3',
      ['its USD wallet holds 600 after 3 entries, but its entries end at 300 with number 2'],
    ],
    [
      'set local session_replication_role = replica; delete from wallets',
      ['its USD wallet holds 0 after 0 entries, but its entries end at 600 with number 3'],
    ],
    ['delete from wallet_entries where number = 2', ['entry 3 of its USD wallet follows a gap']],
    [
      'update wallet_entries set balance_before = 499, balance_after = 299 where number = 2',
      [
        'entry 2 of its USD wallet begins with 499, but the one before it left 500',
        'entry 3 of its USD wallet begins with 300, but the one before it left 299',
      ],
    ],
    [
      'update wallet_entries set amount = 201 where number = 2',
      ['entry 2 of its USD wallet leaves 300 of 500'],
    ],
    [
      'update wallet_entries set is_credit = true where number = 2',
      ['entry 2 of its USD wallet leaves 300 of 500'],
    ],
    [
      "update wallet_entries set created_at = created_at - interval '1 s' where number = 2",
      ['entry 2 of its USD wallet is older than the one before it'],
    ],
  ])('%s: it says so', async (text, expected) => {
    const said = expected.map((what) => `Customer ${customerId}: ${what}.`)
    expect(await sentencesAfter(text)).toEqual(said)
    expect(await sentencesAfter(text, businessId)).toEqual(said)
    expect(await sentencesAfter(text, 'bus_other')).toEqual([])
  })

  test.each([
    ['update discounts set times_used = 2', 'it counts 2 uses, but has 1'],
    ['update discounts set held = 1', 'it counts 1 held uses, but has 0'],
    ['delete from discount_uses', 'it counts 1 uses, but has 0'],
  ])('%s: it says so', async (text, what) => {
    expect(await sentencesAfter(text)).toEqual([`Discount ${discountId}: ${what}.`])
    expect(await sentencesAfter(text, 'bus_other')).toEqual([])
  })
})
