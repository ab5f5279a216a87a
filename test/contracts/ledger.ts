import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountIdOf } from '../../src/operations/accounts/account-id.ts'
import { changeAccounts } from '../../src/operations/accounts/change-accounts.ts'
import type { GrantStatus } from '../../src/parts/store/ledger.ts'
import type { Scope } from '../../src/parts/store/scope.ts'
import { noCause } from '../../src/rules/accounts/cause.ts'
import type { AccountChange, AccountCommand } from '../../src/rules/accounts/change.ts'
import { changeOf } from '../../src/rules/accounts/change.ts'
import { timeOf } from '../../src/rules/accounts/command-time.ts'
import { debit, grant } from '../../src/rules/accounts/commands.ts'
import { credits, parseCredits } from '../../src/rules/accounts/credits.ts'
import type { AccountKey } from '../../src/rules/accounts/view.ts'
import type { Subscription } from '../../src/rules/commerce/subscriptions/subscription.ts'
import type { Instant } from '../../src/std/instant.ts'
import { after, day, instantOf } from '../../src/std/instant.ts'
import type { ScratchStore } from '../support/store/scratch-store.ts'
import { atMoment, instantAt } from '../support/store/scratch-store.ts'
import { subscriptionOf } from '../support/store/subscription.ts'
import type { StoreDriver } from './accounts.ts'

const noon = instantAt('2026-01-15T12:00:00.000001Z')
const page = { limit: 100, offset: 0 }
const everything = { type: null, from: null, to: null }

/**
 * What every store promises about lists of grants and entries, and about activating subscriptions.
 */
export function testLedger(driver: StoreDriver): void {
  describe(`the ledger in ${driver.name}`, () => {
    let store: ScratchStore
    let scope: Scope
    let key: AccountKey
    let accountId = ''

    beforeAll(async () => {
      store = await driver.open()
      scope = await store.business()
      const entitlementId = await store.entitlement(scope, { precision: 2 })
      key = { ...scope, customerId: await store.customer(scope), entitlementId }
      accountId = accountIdOf(key)
      await adjust('credit', '10', inDays(0), inDays(1))
      await adjust('credit', '5', inDays(0), null)
      await adjust('debit', '12.5', inDays(0.5), null)
      await adjust('credit', '4', inDays(2), null)
      await adjust('debit', '6.5', inDays(3), null)
      await adjust('credit', '1', inDays(4), null)
    })
    afterAll(() => store.drop())

    async function adjust(
      type: 'credit' | 'debit',
      text: string,
      at: Instant,
      expiresAt: Instant | null,
    ): Promise<void> {
      const amount = parseCredits(text, 2) ?? credits(0n)
      const metadata = { amount: text }
      const description = `${type} of ${text}`
      const cause = { ...noCause, referenceType: 'api', description, metadata }
      const command: AccountCommand = ({ account }) => {
        if (type === 'credit') {
          const given = { ...starting(store.newId('sub')), amount, expiresAt, metadata, cause }
          return grant(account, { ...given, entryType: 'manual_adjustment' }, at)
        }
        const decided = debit(account, { amount, cause }, at)
        return 'problem' in decided ? null : decided
      }
      await changeAccounts(atMoment(at, store), {
        operation: 'settle',
        customer: key,
        entitlementIds: [key.entitlementId],
        at: timeOf,
        decide: () => ({ commands: [command], answer: () => null }),
      })
    }

    test('lists entries newest first, with everything that was said', async () => {
      const entries = await store.ledger.entries(accountId, everything, page)
      expect(entries.map(({ balanceAfter }) => Number(balanceAfter))).toEqual([
        1, 0, 4, 6.5, 2.5, 5, 15, 10,
      ])
      expect(entries.at(-1)).toMatchObject({
        businessId: scope.businessId,
        brandId: scope.businessId,
        customerId: key.customerId,
        entitlementId: key.entitlementId,
        transactionType: 'manual_adjustment',
        isCredit: true,
        referenceType: 'api',
        description: 'credit of 10',
        metadata: { amount: '10' },
        createdAt: noon,
      })
      const rest = await store.ledger.entries(accountId, everything, { limit: 3, offset: 6 })
      expect(rest).toEqual(entries.slice(6))
      expect(await store.ledger.entries('cbl_none', everything, page)).toEqual([])
    })

    test('filters entries by type and by time, both ends inclusive', async () => {
      const count = async (filter: Partial<typeof everything | { from: Instant; to: Instant }>) =>
        (await store.ledger.entries(accountId, { ...everything, ...filter }, page)).length
      expect(await count({ from: inDays(2), to: inDays(3) })).toBe(3)
      expect(await count({ from: instantOf(inDays(2) + 1) })).toBe(3)
      expect(await count({ to: noon })).toBe(2)
      expect(await count({ to: instantOf(noon - 1) })).toBe(0)
      const typed = { ...everything, type: 'credit_deducted' as const }
      expect(await store.ledger.entries(accountId, typed, page)).toEqual([])
    })

    test('tells active, depleted and expired grants apart at a moment', async () => {
      const amounts = async (status: GrantStatus | null, at: Instant) =>
        (await store.ledger.grants(accountId, { status, at }, page)).map(({ initial }) =>
          Number(initial),
        )
      expect(await amounts(null, noon)).toEqual([1, 4, 5, 10])
      expect(await amounts('active', noon)).toEqual([1])
      expect(await amounts('depleted', noon)).toEqual([4, 5, 10])
      expect(await amounts('expired', noon)).toEqual([])
      expect(await amounts('expired', inDays(1))).toEqual([10])
      expect(await amounts('depleted', inDays(1))).toEqual([4, 5])
    })

    test('lists accounts of an entitlement, of a customer, only once they have entries', async () => {
      const other = { ...key, customerId: await store.customer(scope) }
      const [view] = await store.accounts.load([other])
      if (view === undefined) throw new Error('No view.')
      const empty = changeOf({ ...store, accountIdOf }, view, {
        at: noon,
        decide: () => null,
        idempotencyKey: null,
      })
      await store.changes.commitEach([empty])
      const { entitlementId, customerId } = key
      const list = (filter: { entitlementId: string | null; customerId: string | null }) =>
        store.ledger.accountsOf(scope, filter, page)
      expect(await list({ entitlementId, customerId: null })).toEqual([key])
      expect(await list({ entitlementId: null, customerId })).toEqual([key])
      expect(await list({ entitlementId, customerId: other.customerId })).toEqual([])
      expect(await list({ entitlementId: 'cde_none', customerId: null })).toEqual([])
      const live = { ...scope, mode: 'live' as const }
      const all = { entitlementId: null, customerId: null }
      expect(await store.ledger.accountsOf(live, all, page)).toEqual([])
    })

    test('sums up what entries since a moment have granted and used, of one business', async () => {
      const stranger = await store.business()
      const sums = (since: Instant, most = 100) => store.ledger.moved(scope, since, most)
      const { entitlementId } = key
      expect(await sums(noon)).toEqual([{ entitlementId, granted: '20', used: '19' }])
      expect(await sums(inDays(2))).toEqual([{ entitlementId, granted: '5', used: '6.5' }])
      expect(await sums(inDays(5))).toEqual([])
      expect(await store.ledger.moved(stranger, noon, 100)).toEqual([])
      const live = { ...scope, mode: 'live' as const }
      expect(await store.ledger.moved(live, noon, 100)).toEqual([])
      // The entries of all businesses are looked at, and count.
      expect(await sums(noon, 2)).toBeNull()
      expect(await store.ledger.moved(stranger, noon, 2)).toBeNull()
    })

    interface Activation {
      readonly accounts: readonly AccountChange[]
      readonly expected?: number | null
      readonly clockAhead?: number
    }

    describe('activating a subscription', () => {
      async function activation() {
        const customerId = await store.customer(scope)
        const own = { ...key, customerId }
        const subscription = subscriptionOf(store.newId('sub'), customerId, {
          of: key.entitlementId,
          at: noon,
        })
        const [view] = await store.accounts.load([own])
        if (view === undefined) throw new Error('No view.')
        const change = changeOf({ ...store, accountIdOf }, view, {
          at: noon,
          decide: ({ account }) => grant(account, starting(subscription.subscriptionId), noon),
          idempotencyKey: null,
        })
        return { own, subscription, change }
      }

      const activate = (
        row: Subscription,
        { expected = null, clockAhead = 0, accounts }: Activation,
      ) =>
        store.changes.commit({
          scope,
          clockAhead,
          accounts,
          facts: [],
          rows: [{ noun: 'subscription', expected, row, over: [] }],
        })

      test('writes it, its first credits and a new version of the routes, together', async () => {
        const { own, subscription, change } = await activation()
        expect(await activate(subscription, { accounts: [change] })).toBe('committed')
        const { subscriptionId, customerId } = subscription
        expect(await store.subscriptions.find(scope, subscriptionId)).toEqual(subscription)
        const [routed] = await store.measuring.routes([own])
        const { activatedAt, stretches } = subscription
        expect(routed).toMatchObject({ customerId, version: 2 })
        expect(routed?.routes).toEqual([
          { routeId: subscriptionId, activatedAt, ended: null, pauses: [], stretches },
        ])
        const [view] = await store.accounts.load([own])
        expect(view?.stored?.account).toEqual(change.account)
        expect(view?.subscriptions).toMatchObject([{ subscriptionId, status: 'active', stretches }])
      })

      test('writes nothing when the test clock has moved, accounts or not [subscriptions#the-time-of-a-command]', async () => {
        const { subscription, change } = await activation()
        const before = await store.contents()
        const late = { accounts: [], clockAhead: 1 }
        expect(await activate(subscription, { ...late, accounts: [change] })).toBe('moved')
        expect(await activate(subscription, late)).toBe('moved')
        expect(await store.contents()).toBe(before)
        expect(await activate(subscription, { accounts: [] })).toBe('committed')
        const next = { ...subscription, version: 2 }
        expect(await activate(next, { ...late, expected: 1 })).toBe('moved')
        expect(await activate(next, { accounts: [], expected: 1 })).toBe('committed')
      })

      test('writes nothing at all when one of its accounts lost a race', async () => {
        const { own, subscription, change } = await activation()
        await store.changes.commitEach([{ ...change, entries: [], facts: [] }])
        const before = await store.contents()
        expect(await activate(subscription, { accounts: [change] })).toBe('moved')
        expect(await store.contents()).toBe(before)
        expect(await store.measuring.routes([own])).toMatchObject([{ version: 1 }])
      })

      test('is not found in the other mode, and listed newest first by each filter', async () => {
        const { own, subscription, change } = await activation()
        await activate(subscription, { accounts: [change] })
        const live = { ...scope, mode: 'live' as const }
        expect(await store.subscriptions.find(live, subscription.subscriptionId)).toBeNull()
        const none = {
          brandId: null,
          customerId: null,
          productId: null,
          status: null,
          cancelling: null,
          createdFrom: null,
          createdTo: null,
        }
        const list = (filter: Partial<Parameters<typeof store.subscriptions.list>[1]>) =>
          store.subscriptions.list(scope, { ...none, ...filter }, page)
        const { customerId } = own
        expect(await list({ customerId })).toEqual([subscription])
        expect(await list({ customerId, status: 'active' })).toEqual([subscription])
        expect(await list({ customerId, status: 'cancelled' })).toEqual([])
        expect(await list({ customerId, productId: 'pdt_none' })).toEqual([])
        expect(await list({ customerId, createdFrom: noon, createdTo: noon })).toHaveLength(1)
        expect(await list({ customerId, createdFrom: instantOf(noon + 1) })).toEqual([])
        expect(await list({ brandId: scope.businessId })).toEqual([])
      })
    })
  })
}

const inDays = (days: number): Instant => after(noon, days * day)

const starting = (subscriptionId: string) => ({
  grantId: `cgr_of_${subscriptionId}`,
  amount: credits(10_000n),
  source: { type: 'subscription' as const, id: subscriptionId },
  cycleAt: noon,
  expiresAt: null,
  metadata: { plan: 'pro' },
  entryType: 'credit_added' as const,
  cause: noCause,
})
