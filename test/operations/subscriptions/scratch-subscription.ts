import { accountIdOf } from '../../../src/operations/accounts/account-id.ts'
import { applyBoundary } from '../../../src/operations/boundaries/apply-boundary.ts'
import { endSubscriptionCycle } from '../../../src/operations/boundaries/end-cycle.ts'
import { changePlan } from '../../../src/operations/subscriptions/change-plan.ts'
import { subscribe } from '../../../src/operations/subscriptions/subscribe.ts'
import { updateSubscription } from '../../../src/operations/subscriptions/update-subscription.ts'
import { rowAlone } from '../../../src/parts/store/changes.ts'
import { creditEntitlements } from '../../../src/parts/store/postgres/catalog/credit-entitlements.ts'
import { customers } from '../../../src/parts/store/postgres/catalog/customers.ts'
import { products } from '../../../src/parts/store/postgres/catalog/products.ts'
import type { Scope } from '../../../src/parts/store/scope.ts'
import type { CreditMapping, Product } from '../../../src/rules/commerce/catalog/product.ts'
import { inherited } from '../../../src/rules/commerce/catalog/product.ts'
import { noLicense } from '../../../src/rules/commerce/catalog/product-license.ts'
import type { Instant } from '../../../src/std/instant.ts'
import { subscriptionPatch } from '../../../src/wire/subscription-update.ts'
import { item } from '../../rules/commerce/payments/purchases.ts'
import { checkoutFor } from '../../support/payments/checkouts.ts'
import type { ScratchStore } from '../../support/store/scratch-store.ts'
import { atMoment, january } from '../../support/store/scratch-store.ts'

/**
 * In a real store, a customer who has subscribed in January to a plan of 100 credits each 30 days.
 */
export async function scratchSubscription(
  store: ScratchStore,
  mapping: Partial<CreditMapping> = {},
  trialPeriodDays: number | null = null,
) {
  const scope = await store.business()
  const customerId = await store.customer(scope)
  const entitlementId = await store.entitlement(scope, { precision: 2 })
  const plan = (rest: Partial<CreditMapping> | null) =>
    product(store, scope, rest === null ? null : { creditEntitlementId: entitlementId, ...rest })
  const bought = { ...item(await plan(mapping)), trialPeriodDays }
  const request = { ...checkoutFor([bought]), customer: { id: customerId } }
  const { subscription } = await subscribe(needsOf(store), scope, { request, linkTo: null })
  const { subscriptionId } = subscription
  const account = accountIdOf({ ...scope, customerId, entitlementId })
  return {
    scope,
    subscriptionId,
    entitlementId,
    plan,
    change: (productId: string, at: Instant, rest: object = {}, needs: object = {}) =>
      changePlan({ ...needsOf(store, at), ...needs }, scope, {
        subscriptionId,
        productId,
        quantity: 1,
        mode: 'prorated_immediately' as const,
        addons: [],
        discountCodes: null,
        waits: false,
        replaces: false,
        onFailure: null,
        metadata: null,
        ...rest,
      }),
    update: (body: object, at: Instant, nextBillingDate: Instant | null = null, needs = {}) =>
      updateSubscription({ ...needsOf(store, at), ...needs }, scope, {
        subscriptionId,
        patch: subscriptionPatch(body, nextBillingDate),
      }),
    expire: (grantId: string, at: Instant) => {
      const key = { ...scope, customerId, entitlementId }
      return applyBoundary(needsOf(store), { kind: 'expiry', at, key, grantId })
    },
    endCycle: (at: Instant) => endSubscriptionCycle(needsOf(store), scope, subscriptionId, at),
    find: async () => {
      const found = await store.subscriptions.find(scope, subscriptionId)
      if (found === null) throw new Error('It is gone.')
      return found
    },
    async ledger(): Promise<readonly string[]> {
      const filter = { type: null, from: null, to: null }
      const entries = await store.ledger.entries(account, filter, { limit: 100, offset: 0 })
      return entries
        .toReversed()
        .map(({ transactionType, amount, balanceAfter }) =>
          [transactionType, amount, balanceAfter].join(' '),
        )
    },
    grants: () =>
      store.ledger.grants(account, { status: null, at: january }, { limit: 100, offset: 0 }),
  }
}

const needsOf = (store: ScratchStore, now: Instant = january) => ({
  ...atMoment(now, store),
  customers: customers(store.db),
  products: products(store.db),
  creditEntitlements: creditEntitlements(store.db),
})

async function product(
  store: ScratchStore,
  scope: Scope,
  mapping: Partial<CreditMapping> | null,
): Promise<string> {
  const made: Product = {
    productId: store.newId('pdt'),
    brandId: scope.businessId,
    name: 'Plan',
    description: null,
    taxCategory: 'saas',
    addonIds: [],
    pricingMode: null,
    license: noLicense,
    entitlementIds: [],
    deliveryEntitlementId: null,
    imageId: null,
    collectionId: null,
    metadata: {},
    archivedAt: null,
    createdAt: january,
    updatedAt: january,
    price: {
      type: 'recurring_price',
      currency: 'USD',
      price: 0,
      discount: 0,
      purchasingPowerParity: false,
      taxInclusive: null,
      frequency: { count: 30, interval: 'Day' },
      period: { count: 1, interval: 'Year' },
      trialPeriodDays: 0,
      trialAmount: null,
      trialApplyDiscounts: false,
    },
    creditEntitlements: (mapping === null ? [] : [mapping]).map((own) => ({
      mappingId: store.newId('cem'),
      creditEntitlementId: '',
      creditsAmount: '100',
      ...inherited,
      ...own,
    })),
  }
  await store.changes.commit(rowAlone(scope, { noun: 'product', expected: null, row: made }))
  return made.productId
}
