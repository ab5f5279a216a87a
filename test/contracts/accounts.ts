import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountIdOf } from '../../src/operations/accounts/account-id.ts'
import { adjustBalance } from '../../src/operations/accounts/adjust-balance.ts'
import { settleAccount } from '../../src/operations/accounts/settle-accounts.ts'
import { changeOf } from '../../src/rules/accounts/change.ts'
import { credits } from '../../src/rules/accounts/credits.ts'
import type { AccountKey, AccountView } from '../../src/rules/accounts/view.ts'
import { instantOf } from '../../src/std/instant.ts'
import { holdPartition } from '../support/store/hold-partition.ts'
import type { EntitlementOptions, ScratchStore } from '../support/store/scratch-store.ts'
import { atMoment, instantAt, measuredOf, sliceOf } from '../support/store/scratch-store.ts'
import { incrementOf } from '../support/store/usage.ts'

export interface StoreDriver {
  readonly name: string
  open(): Promise<ScratchStore>
}

const at = instantAt('2026-01-15T12:00:00.123456Z')

/** What every store promises about accounts [machines#writers]. */
export function testAccounts(driver: StoreDriver): void {
  describe(`accounts in ${driver.name}`, () => {
    let store: ScratchStore
    let nextOffset = 0

    beforeAll(async () => {
      store = await driver.open()
      await holdPartition(store, 0)
    })
    afterAll(() => store.drop())

    async function account(options: EntitlementOptions = {}): Promise<AccountKey> {
      const scope = await store.business()
      const customerId = await store.customer(scope)
      return { ...scope, customerId, entitlementId: await store.entitlement(scope, options) }
    }

    async function use(key: AccountKey, value: string): Promise<void> {
      const slice = sliceOf({ start: nextOffset })
      const answer = await store.measuring.commit(
        measuredOf({ slices: [slice], usage: [incrementOf(key, { value })], accounts: [key] }),
      )
      expect(answer).toEqual({ kind: 'committed' })
      nextOffset = slice.end
    }

    const adjust = (
      key: AccountKey,
      type: 'credit' | 'debit',
      amount: string,
      idempotencyKey: string | null = null,
    ) =>
      adjustBalance(atMoment(at, store), {
        key,
        type,
        amount,
        reason: 'because',
        expiresAt: null,
        idempotencyKey,
        metadata: { from: 'test' },
      })

    async function view(key: AccountKey): Promise<AccountView> {
      const [found] = await store.accounts.load([key])
      if (found === undefined) throw new Error('No view.')
      return found
    }

    const settled = (of: AccountView) =>
      changeOf({ ...store, accountIdOf }, of, { at, decide: () => null, idempotencyKey: null })

    describe('loading', () => {
      test('answers every key in its order, with null for what is not there', async () => {
        const known = await account()
        const unknown = { ...known, customerId: 'cus_none', entitlementId: 'cde_none' }
        const [first, second, third] = await store.accounts.load([unknown, known, unknown])
        expect(first).toMatchObject({ key: unknown, customerExists: false, entitlement: null })
        expect(first).toMatchObject({ stored: null, usage: [], unsettled: [], subscriptions: [] })
        expect(second).toMatchObject({ key: known, customerExists: true, stored: null })
        expect(second?.entitlement?.precision).toBe(0)
        expect(third).toEqual(first)
        expect(await store.accounts.load([])).toEqual([])
      })

      test('the two modes of a business never meet', async () => {
        const key = await account()
        await adjust(key, 'credit', '5')
        const [other] = await store.accounts.load([{ ...key, mode: 'live' }])
        expect(other).toMatchObject({ stored: null, customerExists: false, entitlement: null })
      })

      test('gives back exactly what was saved, to the last digit', async () => {
        const key = await account({ precision: 10, overage: { limit: 2_000_000_000 } })
        await adjust(key, 'credit', '9999999999.0123456789')
        await adjust(key, 'credit', '0.0000000001')
        await use(key, '10000000000.5')
        const change = settled(await view(key))
        expect(await store.changes.commitEach([change])).toEqual(new Set([change.accountId]))
        const { stored } = await view(key)
        expect(stored?.account).toEqual(change.account)
        expect(stored).toMatchObject({ version: 3, createdAt: at, updatedAt: at, setAside: null })
        expect(stored?.lastTransactionAt).toBe(at)
        expect(stored?.account.state.overage).toBe(credits(14_876_543_210n))
      })

      test('a customer of a test clock sees how far it runs ahead', async () => {
        const key = await account()
        await store.db.query({
          text: 'update business_modes set clock_ahead_us = 86400000000 where business_id = $1',
          values: [key.businessId],
        })
        expect((await view(key)).clockAhead).toBe(86_400_000_000)
      })
    })

    describe('saving', () => {
      test('of two that loaded the same version one wins, the other writes nothing', async () => {
        const key = await account()
        await adjust(key, 'credit', '10')
        await use(key, '3')
        const [first, second] = [settled(await view(key)), settled(await view(key))]
        expect((await store.changes.commitEach([first])).size).toBe(1)
        const before = await store.contents()
        expect((await store.changes.commitEach([second])).size).toBe(0)
        expect(await store.contents()).toBe(before)
      })

      test('of two that make the same account one wins, the other writes nothing', async () => {
        const key = await account({ overage: { limit: null } })
        await use(key, '3')
        const [first, second] = [settled(await view(key)), settled(await view(key))]
        expect((await store.changes.commitEach([first])).size).toBe(1)
        const before = await store.contents()
        expect((await store.changes.commitEach([second])).size).toBe(0)
        expect(await store.contents()).toBe(before)
      })

      test('of several, those that lost a race are left out and the rest is written', async () => {
        const keys = [await account(), await account(), await account()]
        for (const key of keys) await adjust(key, 'credit', '10')
        for (const key of keys) await use(key, '4')
        const views = await store.accounts.load(keys)
        const [lost] = keys
        if (lost !== undefined) await adjust(lost, 'credit', '1')
        const changes = views.map(settled)
        const saved = await store.changes.commitEach(changes)
        expect(saved).toEqual(new Set(changes.slice(1).map((change) => change.accountId)))
        const after = await store.accounts.load(keys)
        expect(after.map((each) => each.stored?.account.entries)).toEqual([3, 2, 2])
        expect(after.map((each) => each.stored?.version)).toEqual([2, 2, 2])
      })

      test('what was decided under another test clock is refused [subscriptions#the-time-of-a-command]', async () => {
        const change = settled(await view(await account()))
        const before = await store.contents()
        const late = { ...change, clockAhead: change.clockAhead + 1 }
        expect((await store.changes.commitEach([late])).size).toBe(0)
        expect(await store.contents()).toBe(before)
        expect((await store.changes.commitEach([change])).size).toBe(1)
      })

      test('deletes only the unsettled rows that its load saw: no wake-up is lost', async () => {
        const key = await account()
        await use(key, '1')
        const change = settled(await view(key))
        await use(key, '1')
        await store.changes.commitEach([change])
        expect((await view(key)).unsettled).toHaveLength(1)
        expect(await store.accounts.due(100, 0, null)).toContainEqual(key)
        await store.changes.commitEach([settled(await view(key))])
        expect((await view(key)).unsettled).toHaveLength(0)
        expect(await store.accounts.due(100, 0, null)).not.toContainEqual(key)
      })

      test('refuses an account of an unknown customer, and writes nothing', async () => {
        const key = { ...(await account()), customerId: 'cus_none' }
        const change = settled(await view(key))
        const before = await store.contents()
        await expect(store.changes.commitEach([change])).rejects.toThrow(/foreign key/)
        expect(await store.contents()).toBe(before)
      })

      test('an idempotency key counts once an account, whoever uses it next', async () => {
        const key = await account()
        const { accountId } = await adjust(key, 'credit', '10', 'once')
        expect(await store.accounts.adjusted(accountId, 'once')).toBe(true)
        expect(await store.accounts.adjusted(accountId, 'other')).toBe(false)
        const change = { ...settled(await view(key)), idempotencyKey: 'once' }
        const before = await store.contents()
        const entries = [{ ...(await adjustment(key)), entryId: store.newId('cle') }]
        expect((await store.changes.commitEach([{ ...change, entries }])).size).toBe(0)
        expect(await store.contents()).toBe(before)
        await expect(adjust(key, 'credit', '10', 'once')).rejects.toMatchObject({
          code: 'IDEMPOTENCY_KEY_REUSED',
        })
      })

      async function adjustment(key: AccountKey) {
        const change = settled(await view(key))
        const entry = {
          number: 2,
          type: 'manual_adjustment' as const,
          isCredit: true,
          amount: credits(1n),
          balanceBefore: credits(10n),
          balanceAfter: credits(11n),
          overageBefore: credits(0n),
          overageAfter: credits(0n),
          grantId: null,
          at,
          brandId: key.businessId,
          cause: {
            referenceType: null,
            referenceId: null,
            description: null,
            metadata: {},
            inputs: null,
          },
        }
        return { ...entry, accountId: change.accountId }
      }
    })

    describe('many at once', () => {
      test('two processes debit one account: each debit happens once, the chain holds', async () => {
        const key = await account()
        await adjust(key, 'credit', '100')
        const other = { ...store, ...store.another() }
        const amounts = Array.from({ length: 24 }, (_, index) => index)
        const desks = amounts.map((index) => (index % 2 === 0 ? store : other))
        await Promise.all(desks.map((desk) => debitOne(desk, key)))
        const { stored } = await view(key)
        const { accountId = '' } = stored ?? {}
        const page = { limit: 100, offset: 0 }
        const all = await store.ledger.entries(
          accountId,
          { type: null, from: null, to: null },
          page,
        )
        const balances = all.map((entry) => Number(entry.balanceAfter))
        expect(balances.toReversed()).toEqual([100, ...amounts.map((index) => 99 - index)])
        expect(stored?.version).toBe(25)
      })

      const debitOne = (desk: ScratchStore, key: AccountKey) =>
        adjustBalance(atMoment(at, desk), {
          key,
          type: 'debit',
          amount: '1',
          reason: null,
          expiresAt: null,
          idempotencyKey: null,
          metadata: null,
        })

      test('a debit and a settling that race over the last credits never both take them', async () => {
        for (let round = 0; round < 8; round += 1) {
          const key = await account()
          await adjust(key, 'credit', '10')
          await use(key, '6')
          const other = { ...store, ...store.another() }
          const [, debited] = await Promise.allSettled([
            settleAccount(atMoment(at, store), key),
            adjustBalance(atMoment(at, other), {
              key,
              type: 'debit',
              amount: '6',
              reason: null,
              expiresAt: null,
              idempotencyKey: null,
              metadata: null,
            }),
          ])
          expect(debited.status).toBe('rejected')
          const { stored } = await view(key)
          expect(stored?.account.state.holdings[0]?.remaining).toBe(4n)
        }
      })
    })

    test('instants survive with their microseconds', async () => {
      const key = await account()
      const expiresAt = instantOf(at + 86_400_000_001)
      await adjustBalance(atMoment(at, store), {
        key,
        type: 'credit',
        amount: '1',
        reason: null,
        expiresAt,
        idempotencyKey: null,
        metadata: null,
      })
      const grant = (await view(key)).stored?.account.grants[0]
      expect(grant).toMatchObject({ expiresAt, createdAt: at, cycleAt: null, metadata: null })
    })
  })
}
