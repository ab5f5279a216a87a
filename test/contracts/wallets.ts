import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { wallets } from '../../src/parts/store/postgres/catalog/wallets.ts'
import type { CustomerKey } from '../../src/parts/store/scope.ts'
import type { Wallet, WalletMove } from '../../src/rules/commerce/wallets/wallet.ts'
import { movedWallet } from '../../src/rules/commerce/wallets/wallet.ts'
import { after, second } from '../../src/std/instant.ts'
import { decidedAt as at, changeWith, loneFact } from '../support/store/decided.ts'
import type { ScratchStore } from '../support/store/scratch-store.ts'
import type { StoreDriver } from './accounts.ts'

/** What every store promises of wallets that a change moves [machines#writers]. */
export function testWallets(driver: StoreDriver): void {
  describe(`wallets in ${driver.name}`, () => {
    let store: ScratchStore
    let key: CustomerKey

    beforeAll(async () => {
      store = await driver.open()
    })
    afterAll(() => store.drop())
    beforeEach(async () => {
      const scope = await store.business()
      key = { ...scope, customerId: await store.customer(scope) }
    })

    function moving(was: Wallet | null, change: Partial<WalletMove> = {}) {
      const move: WalletMove = {
        customerId: key.customerId,
        currency: 'USD',
        eventType: 'refund',
        amount: 500,
        isCredit: true,
        reason: 'late',
        referenceId: 'pay_1',
        idempotencyKey: null,
        ...change,
      }
      const moved = movedWallet(was, move, { at, entryId: store.newId('wle') })
      if ('problem' in moved) throw new Error(moved.problem)
      const { wallet: row, entry } = moved
      return { noun: 'wallet', expected: was, row, entry } as const
    }

    const committing = (row: ReturnType<typeof moving>, changes = store.changes) =>
      changes.commit({
        ...changeWith(key, { rows: [row], facts: [loneFact(store.newId('msg'))] }),
        clockAhead: null,
      })

    test('are read as they were written, with their ledger', async () => {
      const first = moving(null, { idempotencyKey: 'one' })
      expect(await committing(first)).toBe('committed')
      const next = moving(first.row, { amount: 500, isCredit: false })
      expect(await committing(next)).toBe('committed')
      const { list, entries, keyed } = wallets(store.db)
      expect(await list(key)).toEqual([next.row])
      const page = { limit: 10, offset: 0 }
      expect(await entries(key, null, page)).toEqual([next.entry, first.entry])
      expect(await entries(key, 'INR', page)).toEqual([])
      expect(await entries(key, 'USD', { limit: 1, offset: 1 })).toEqual([first.entry])
      expect(await keyed(key, 'one')).toEqual(first.entry)
      expect(await keyed(key, 'two')).toBeNull()
    })

    test('stay as they are where they have moved, or a key was used', async () => {
      const first = moving(null, { idempotencyKey: 'one' })
      await committing(first)
      const before = await store.contents()
      for (const row of [
        moving(null),
        moving({ ...first.row, entries: 2 }),
        // A store that lost its last commits has as many entries again, and they are others.
        moving({ ...first.row, balance: 700 }),
        moving({ ...first.row, updatedAt: after(at, second) }),
        moving(first.row, { idempotencyKey: 'one' }),
        moving(null, { currency: 'INR', idempotencyKey: 'one' }),
      ]) {
        expect(await committing(row)).toBe('moved')
      }
      expect(await store.contents()).toBe(before)
    })

    test('of many that are decided on the same one is written, new or not', async () => {
      const others = [store, ...Array.from({ length: 7 }, () => store.another())]
      let was: Wallet | null = null
      for (let round = 0; round < 5; round += 1) {
        const rows = Array.from({ length: 16 }, () => moving(was))
        const outcomes = await Promise.all(
          rows.map((row, n) => committing(row, (others[n % others.length] ?? store).changes)),
        )
        expect(outcomes.filter((outcome) => outcome === 'committed')).toHaveLength(1)
        expect(outcomes.filter((outcome) => outcome === 'moved')).toHaveLength(15)
        const [now] = await wallets(store.db).list(key)
        expect(now).toMatchObject({ balance: 500 * (round + 1), entries: round + 1 })
        was = now ?? null
      }
    })
  })
}
