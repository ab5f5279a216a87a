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
import type { LicenseKey } from '../../rules/commerce/licenses/license-key.ts'
import { keysRejection } from '../../rules/commerce/licenses/license-key.ts'
import { attachableRejection } from '../../rules/commerce/subscriptions/attachable.ts'
import type { Subscribing } from '../../rules/commerce/subscriptions/new-subscription.ts'
import { newSubscription, startFree } from '../../rules/commerce/subscriptions/new-subscription.ts'
import type { Started } from '../../rules/commerce/subscriptions/start.ts'
import { startSubscription } from '../../rules/commerce/subscriptions/start.ts'
import type { SubscribeRequest } from '../../rules/commerce/subscriptions/subscribe-request.ts'
import type { Subscription } from '../../rules/commerce/subscriptions/subscription.ts'
import type { SubscriptionRejection } from '../../rules/commerce/subscriptions/subscription-rejection.ts'
import { licenseKeyFact } from '../../rules/facts/license-facts.ts'
import type { NewId } from '../../std/id.ts'
import type { Instant } from '../../std/instant.ts'
import { after } from '../../std/instant.ts'
import { commandAccounts } from '../boundaries/command-accounts.ts'
import type { DueFirstNeeds } from '../boundaries/due-first.ts'
import { knownCustomer } from '../customers/known-customer.ts'
import { grantingOfNew } from '../entitlements/grants-of-subscription.ts'
import { issuedKeys } from '../licenses/issued-keys.ts'
import { entitlementsOf } from './entitlements-of.ts'
import { tellingOfNew } from './telling.ts'

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
  refuse(attachableRejection(product, entitlements) ?? keysRejection(product, request.quantity))
  const named = { addons: [], discounts: [], onDemand: false }
  const subscribing: Subscribing = { product, entitlements, request, ...named }
  const now = after(needs.clock.now(), await needs.businesses.clockAhead(scope))
  unlessRefused(startFree(subscribing, now))
  refuse(metadataRejection(request.metadata))
  const customer = known ?? customerOf(needs.newId, request, now)
  const made = known === null ? [{ noun: 'customer', expected: null, row: customer } as const] : []
  const subscription = await activate(needs, scope, { subscribing, customer, made })
  return { subscription, customer }
}

/** What subscribing would charge at once. Refuses what createSubscription() refuses, but that. */
export async function firstChargeOf(
  needs: SubscribingNeeds,
  scope: Scope,
  { productId, quantity, trialPeriodDays }: SubscribeRequest,
): Promise<Started | SubscriptionRejection> {
  const product = await productOf(needs, scope, productId)
  const entitlements = await entitlementsOf(needs.creditEntitlements, scope, product)
  const at = after(needs.clock.now(), await needs.businesses.clockAhead(scope))
  return startSubscription({ addons: [], product, entitlements, quantity, trialPeriodDays, at })
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

/**
 * The keys of one that nothing is paid for, which begin with it, unless an entitlement brings some.
 * [licenses#license-keys]
 */
function keysOf(
  newId: NewId,
  { license }: Product,
  of: { readonly subscription: Subscription; readonly grants: readonly RowChange[] },
): readonly LicenseKey[] {
  if (!license.enabled || of.grants.some(isOfKeys)) return []
  const {
    brandId,
    createdAt: at,
    customerId,
    productId,
    quantity,
    subscriptionId,
  } = of.subscription
  const purchase = { brandId, customerId, productId, subscriptionId, terms: license }
  return issuedKeys(newId, { ...purchase, paymentId: null, grantId: null }, { at, quantity })
}

const isOfKeys = (change: RowChange): boolean =>
  change.noun === 'entitlement_grant' && change.row.integrationType === 'license_key'

/** The customer, where it is made, the subscription and its first credits: one transaction. */
async function activate(
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
  const { product, entitlements } = subscribing
  const parts = { products: new Map([[product.productId, product]]), entitlements }
  const telling = await tellingOfNew(needs, scope, { customer, parts })
  const granting = await grantingOfNew(needs, scope, product)
  return commandAccounts(needs, {
    operation: 'subscribe',
    customer: { ...scope, customerId },
    entitlementIds,
    decide: (_, { at }) => {
      const { newId } = needs
      const { after: subscription, commands } = unlessRefused(
        newSubscription(subscribing, { customerId, at, newId }),
      )
      const grants = granting(subscription, at)
      const keys = keysOf(newId, product, { subscription, grants: grants.rows })
      return {
        commands: entitlementIds.map((entitlementId) => commands.get(entitlementId) ?? null),
        rows: [
          ...made,
          { noun: 'subscription', expected: null, row: subscription, over: [] },
          ...grants.rows,
          ...keys.map((row) => ({ noun: 'license_key', expected: null, row }) as const),
        ],
        tell: (accounts) => [
          ...telling({ before: null, after: subscription, happened: [], accounts, at }),
          ...grants.facts,
          ...keys.map((key) => ({ ...licenseKeyFact(key), messageId: newId('msg'), at })),
        ],
        answer: () => subscription,
      }
    },
  })
}
