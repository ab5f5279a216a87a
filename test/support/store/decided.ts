import { accountIdOf } from '../../../src/operations/accounts/account-id.ts'
import type { Change, LoneFact, RowChange } from '../../../src/parts/store/changes.ts'
import type { Scope } from '../../../src/parts/store/scope.ts'
import { noCause } from '../../../src/rules/accounts/cause.ts'
import type { AccountChange } from '../../../src/rules/accounts/change.ts'
import { changeOf } from '../../../src/rules/accounts/change.ts'
import { grant } from '../../../src/rules/accounts/commands.ts'
import { credits } from '../../../src/rules/accounts/credits.ts'
import type { AccountKey } from '../../../src/rules/accounts/view.ts'
import type { Subscription } from '../../../src/rules/commerce/subscriptions/subscription.ts'
import type { ScratchStore } from './scratch-store.ts'
import { instantAt } from './scratch-store.ts'

export const decidedAt = instantAt('2026-01-15T12:00:00.000001Z')

/** The key of an account of which nothing is stored yet: a new customer under a new entitlement. */
export async function newAccount(store: ScratchStore, scope: Scope): Promise<AccountKey> {
  const entitlementId = await store.entitlement(scope, { precision: 2 })
  return { ...scope, customerId: await store.customer(scope), entitlementId }
}

/** A change that grants 10 to the account as it is now. */
export async function granting(
  store: ScratchStore,
  key: AccountKey,
  idempotencyKey: string | null = null,
): Promise<AccountChange> {
  const [view] = await store.accounts.load([key])
  if (view === undefined) throw new Error('No view.')
  const given = {
    grantId: store.newId('cgr'),
    amount: credits(1_000n),
    source: { type: 'api' as const, id: null },
    cycleAt: null,
    expiresAt: null,
    metadata: null,
    entryType: 'manual_adjustment' as const,
    cause: noCause,
  }
  return changeOf({ newId: store.newId, accountIdOf }, view, {
    at: decidedAt,
    decide: ({ account }) => grant(account, given, decidedAt),
    idempotencyKey,
  })
}

export const subscribing = (row: Subscription, expected: number | null = null): RowChange => ({
  noun: 'subscription',
  expected,
  row,
  over: [],
})

/** A change with nothing in it that a test does not ask for, decided at the real time. */
export const changeWith = (scope: Scope, parts: Partial<Change>): Change => ({
  scope,
  clockAhead: 0,
  rows: [],
  accounts: [],
  facts: [],
  ...parts,
})

/** A fact that belongs to no account. */
export const loneFact = (messageId: string): LoneFact => ({
  messageId,
  at: decidedAt,
  type: 'credit.balance_low',
  data: {
    customerId: 'cus_1',
    entitlementId: 'cde_1',
    entitlementName: 'Calls',
    brandId: 'brn_1',
    subscriptionId: null,
    balance: '1.5',
    creditsAmount: '0',
    thresholdPercent: 0,
    thresholdAmount: '2',
  },
})
