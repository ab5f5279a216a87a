import assert from 'node:assert/strict'
import { orNotFound, refuse, unlessRefused } from '../../faults.ts'
import type { RowChange } from '../../parts/store/changes.ts'
import type { CreditEntitlements } from '../../parts/store/credit-entitlements.ts'
import type { Customers } from '../../parts/store/customers.ts'
import type { Products } from '../../parts/store/products.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Subscriptions } from '../../parts/store/subscriptions.ts'
import type { Customer } from '../../rules/commerce/catalog/customer.ts'
import { newCustomer } from '../../rules/commerce/catalog/customer.ts'
import { metadataRejection } from '../../rules/commerce/catalog/metadata.ts'
import type { Product } from '../../rules/commerce/catalog/product.ts'
import { archivedRejection } from '../../rules/commerce/catalog/product-change.ts'
import { attachableRejection } from '../../rules/commerce/subscriptions/attachable.ts'
import type { Subscribing } from '../../rules/commerce/subscriptions/new-subscription.ts'
import { newSubscription, startFree } from '../../rules/commerce/subscriptions/new-subscription.ts'
import type { SubscribeRequest } from '../../rules/commerce/subscriptions/subscribe-request.ts'
import type { Subscription } from '../../rules/commerce/subscriptions/subscription.ts'
import type { NewId } from '../../std/id.ts'
import type { Instant } from '../../std/instant.ts'
import { after } from '../../std/instant.ts'
import { commandAccounts } from '../boundaries/command-accounts.ts'
import type { DueFirstNeeds } from '../boundaries/due-first.ts'
import { knownCustomer } from '../customers/known-customer.ts'
import { entitlementsOf } from './entitlements-of.ts'

export interface SubscribingNeeds extends DueFirstNeeds {
  readonly customers: Customers
  readonly products: Products
  readonly creditEntitlements: CreditEntitlements
  readonly subscriptions: Subscriptions
}

/**
 * Subscribes a customer to a product whose first charge is 0: active at once, with its first
 * credits. Refuses: 404 an unknown customer or product; 410 an archived product, or one with a
 * deleted credit entitlement; 422 a quantity, trial or product that does not fit, a first charge
 * above 0, which needs a payment processor, or too many keys in metadata; 400 an integer in
 * metadata that is too large. [requests#refusals, subscriptions#cycles, subscriptions#endings,
 * credits#deleted-entitlements]
 */
export async function createSubscription(
  needs: SubscribingNeeds,
  scope: Scope,
  request: SubscribeRequest,
): Promise<{ readonly subscription: Subscription; readonly customer: Customer }> {
  const product = await productOf(needs, scope, request.productId)
  const known = await knownCustomer(needs.customers, scope, request.customer)
  const entitlements = await entitlementsOf(needs.creditEntitlements, scope, product)
  refuse(attachableRejection(product, entitlements))
  const subscribing: Subscribing = { product, entitlements, request }
  const now = after(needs.clock.now(), await needs.businesses.clockAhead(scope))
  unlessRefused(startFree(subscribing, now))
  refuse(metadataRejection(request.metadata))
  const customer = known ?? customerOf(needs.newId, request, now)
  const made = known === null ? [{ noun: 'customer', expected: null, row: customer } as const] : []
  const subscription = await activate(needs, scope, { subscribing, customer, made })
  return { subscription, customer }
}

async function productOf(
  { products }: SubscribingNeeds,
  scope: Scope,
  productId: string,
): Promise<Product> {
  const product = orNotFound(await products.get(scope, productId), 'product', productId)
  refuse(archivedRejection(product))
  return product
}

function customerOf(newId: NewId, { customer }: SubscribeRequest, at: Instant): Customer {
  assert('email' in customer)
  const { email, name, phoneNumber } = customer
  return newCustomer(newId('cus'), { email, name, phoneNumber, metadata: {} }, at)
}

/** The customer, where it is made, the subscription and its first credits: one transaction. */
function activate(
  needs: SubscribingNeeds,
  scope: Scope,
  {
    subscribing,
    customer,
    made,
  }: {
    readonly subscribing: Subscribing
    readonly customer: Customer
    readonly made: readonly RowChange[]
  },
): Promise<Subscription> {
  const entitlementIds = subscribing.product.creditEntitlements.map(
    (each) => each.creditEntitlementId,
  )
  const { customerId } = customer
  return commandAccounts(needs, {
    operation: 'subscribe',
    customer: { ...scope, customerId },
    entitlementIds,
    decide: (_, { at }) => {
      const { newId } = needs
      const { after: subscription, commands } = unlessRefused(
        newSubscription(subscribing, { customerId, at, newId }),
      )
      return {
        commands: entitlementIds.map((entitlementId) => commands.get(entitlementId) ?? null),
        rows: [...made, { noun: 'subscription', expected: null, row: subscription, over: [] }],
        answer: () => subscription,
      }
    },
  })
}
