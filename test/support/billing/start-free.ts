import { orNotFound, refuse, unlessRefused } from '../../../src/faults.ts'
import { commandAccounts } from '../../../src/operations/boundaries/command-accounts.ts'
import { entitlementsOf } from '../../../src/operations/subscriptions/entitlements-of.ts'
import type { SubscribingNeeds } from '../../../src/operations/subscriptions/subscribe.ts'
import { tellingOfNew } from '../../../src/operations/subscriptions/telling.ts'
import type { Scope } from '../../../src/parts/store/scope.ts'
import { attachableRejection } from '../../../src/rules/commerce/subscriptions/attachable.ts'
import { subscriptionPaidBy } from '../../../src/rules/commerce/subscriptions/new-subscription.ts'
import { startSubscription } from '../../../src/rules/commerce/subscriptions/start.ts'
import type { Subscription } from '../../../src/rules/commerce/subscriptions/subscription.ts'

/** What a program subscribes its customer to. */
export interface StartingFree {
  readonly customerId: string
  readonly productId: string
  readonly trialPeriodDays: number | null
}

/**
 * What a payment of 0 brings of a subscription, for shelves that have no payments: it is active at
 * once, with its first credits.
 */
export async function startFree(
  needs: SubscribingNeeds,
  scope: Scope,
  { customerId, productId, trialPeriodDays }: StartingFree,
): Promise<Subscription> {
  const product = orNotFound(await needs.products.get(scope, productId), 'product', productId)
  const entitlements = await entitlementsOf(needs.creditEntitlements, scope, product)
  refuse(attachableRejection(product, entitlements))
  const customer = orNotFound(await needs.customers.get(scope, customerId), 'customer', customerId)
  const parts = { products: new Map([[productId, product]]), entitlements }
  const telling = await tellingOfNew(needs, scope, { customer, parts })
  const request = {
    customer: { id: customerId },
    productId,
    quantity: 1,
    trialPeriodDays,
    billing: { country: 'DE' as const, city: null, state: null, street: null, zipcode: null },
    metadata: {},
    taxId: null,
    customerBusinessName: null,
  }
  const bare = { addons: [], discounts: [], onDemand: false, customFields: [], unitPaid: 0 }
  // What a request cannot have is refused before anything that is due is applied.
  const start = { addons: [], product, entitlements, quantity: 1, trialPeriodDays }
  unlessRefused(startSubscription({ ...start, at: needs.clock.now() }))
  const entitlementIds = product.creditEntitlements.map((each) => each.creditEntitlementId)
  return commandAccounts(needs, {
    operation: 'subscribe',
    customer: { ...scope, customerId },
    entitlementIds,
    decide: (_, { at }) => {
      const { newId } = needs
      unlessRefused(startSubscription({ ...start, at }))
      const paid = { paymentId: newId('pay'), paymentMethodId: null, customerId }
      const subscribing = { ...bare, product, entitlements, request }
      const { after, commands } = subscriptionPaidBy(paid, subscribing, { at, newId })
      return {
        commands: entitlementIds.map((id) => commands.get(id) ?? null),
        rows: [{ noun: 'subscription', expected: null, row: after, over: [] }],
        tell: (accounts) => telling({ before: null, after, happened: [], accounts, at }),
        answer: () => after,
      }
    },
  })
}
