import assert from 'node:assert/strict'
import { Fault, orNotFound, refuse } from '../../faults.ts'
import type { CreditEntitlements } from '../../parts/store/credit-entitlements.ts'
import type { Customers } from '../../parts/store/customers.ts'
import type { Products } from '../../parts/store/products.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Subscriptions } from '../../parts/store/subscriptions.ts'
import { rebased } from '../../rules/accounts/account.ts'
import type { AccountCommand } from '../../rules/accounts/change.ts'
import { grant } from '../../rules/accounts/commands.ts'
import { credits, formatCredits } from '../../rules/accounts/credits.ts'
import type { CreditEntitlement } from '../../rules/commerce/catalog/credit-entitlement.ts'
import type { Customer } from '../../rules/commerce/catalog/customer.ts'
import { metadataRejection } from '../../rules/commerce/catalog/metadata.ts'
import type { Product } from '../../rules/commerce/catalog/product.ts'
import { attachableRejection } from '../../rules/commerce/subscriptions/attachable.ts'
import { cycleGrant } from '../../rules/commerce/subscriptions/cycle-grant.ts'
import type { Started, StartingGrant } from '../../rules/commerce/subscriptions/start.ts'
import { startSubscription } from '../../rules/commerce/subscriptions/start.ts'
import type { SubscribeRequest } from '../../rules/commerce/subscriptions/subscribe-request.ts'
import type { Subscription } from '../../rules/commerce/subscriptions/subscription.ts'
import { notCancelled } from '../../rules/commerce/subscriptions/subscription.ts'
import type { NewId } from '../../std/id.ts'
import type { Instant } from '../../std/instant.ts'
import { after } from '../../std/instant.ts'
import type { AccountDesk } from '../accounts/change-accounts.ts'
import { commandAccounts } from '../boundaries/command-accounts.ts'
import type { CommandDesk } from '../boundaries/due-first.ts'
import { entitlementsOf } from './entitlements-of.ts'

export interface SubscribingNeeds extends CommandDesk {
  readonly customers: Customers
  readonly products: Products
  readonly creditEntitlements: CreditEntitlements
  readonly subscriptions: Subscriptions
}

/**
 * Subscribes a customer to a product whose first charge is 0: active at once, with its first
 * credits. Refuses: 404 unknown customer or product; 410 archived product, or one with a deleted
 * credit entitlement; 422 a quantity, trial or product that does not fit, a first charge above 0,
 * which needs a processor, or too many keys of metadata; 400 an oversize integer in it.
 * [requests#refusals, subscriptions#cycles, subscriptions#endings, credits#deleted-entitlements]
 */
export async function createSubscription(
  needs: SubscribingNeeds,
  scope: Scope,
  request: SubscribeRequest,
): Promise<{ readonly subscription: Subscription; readonly customer: Customer }> {
  const product = await productOf(needs, scope, request.productId)
  const known = await knownCustomer(needs, scope, request)
  const entitlements = await entitlementsOf(needs.creditEntitlements, scope, product)
  refuse(attachableRejection(product, entitlements))
  const start: Starting = { product, entitlements, request }
  const now = after(needs.clock.now(), await needs.businesses.clockAhead(scope))
  // What cannot be is refused before a customer is made for it.
  startOf(start, now)
  refuse(metadataRejection(request.metadata))
  const customer = known ?? (await newCustomer(needs, scope, { request, now }))
  const subscription = await activate(needs, scope, { ...start, customer })
  return { subscription, customer }
}

/** A subscription with all that it names, before it has a time. */
interface Starting {
  readonly product: Product
  readonly entitlements: ReadonlyMap<string, CreditEntitlement>
  readonly request: SubscribeRequest
}

async function productOf(
  { products }: SubscribingNeeds,
  scope: Scope,
  productId: string,
): Promise<Product> {
  const product = orNotFound(await products.get(scope, productId), 'product', productId)
  if (product.archivedAt === null) return product
  throw new Fault('PRODUCT_IS_DELETED', `The product '${productId}' is archived; choose another.`)
}

function startOf({ product, entitlements, request }: Starting, at: Instant): Started {
  const { quantity, trialPeriodDays } = request
  const started = startSubscription({ product, entitlements, quantity, trialPeriodDays, at })
  if ('refused' in started) throw new Fault(started.refused, started.problem)
  if (started.firstCharge === 0) return started
  throw new Fault(
    'UNSUPPORTED_ACTION',
    'The first charge of this product is above 0, and no payment processor is set up: use a product that charges 0 at the start.',
  )
}

/** An e-mail alone names the newest customer who has exactly it. */
async function knownCustomer(
  { customers }: SubscribingNeeds,
  scope: Scope,
  { customer }: SubscribeRequest,
): Promise<Customer | null> {
  if (!('id' in customer)) return customers.newestWith(scope, customer.email)
  return orNotFound(await customers.get(scope, customer.id), 'customer', customer.id)
}

async function newCustomer(
  { customers, newId }: SubscribingNeeds,
  scope: Scope,
  { request, now }: { readonly request: SubscribeRequest; readonly now: Instant },
): Promise<Customer> {
  const { customer } = request
  assert('email' in customer)
  const { email, name, phoneNumber } = customer
  const made: Customer = {
    customerId: newId('cus'),
    email,
    name,
    phoneNumber,
    metadata: {},
    createdAt: now,
    updatedAt: now,
  }
  await customers.insert(scope, made)
  return made
}

interface Subscribing extends Starting {
  readonly customer: Customer
}

function subscriptionOf(
  newId: NewId,
  { product, customer, request }: Subscribing,
  { started, at }: { readonly started: Started; readonly at: Instant },
): Subscription {
  return {
    subscriptionId: newId('sub'),
    customerId: customer.customerId,
    productId: product.productId,
    brandId: product.brandId,
    status: 'active',
    quantity: request.quantity,
    currency: started.currency,
    recurringPreTaxAmount: started.recurringPreTaxAmount,
    taxInclusive: started.taxInclusive,
    frequency: started.frequency,
    period: started.period,
    paymentId: newId('pay'),
    billing: request.billing,
    metadata: request.metadata,
    stretches: started.stretches,
    cart: started.cart,
    leaving: [],
    scheduled: null,
    cancellation: notCancelled,
    taxId: request.taxId,
    customerBusinessName: request.customerBusinessName,
    customerName: null,
    trialPeriodDays: started.trialPeriodDays,
    activatedAt: at,
    ended: null,
    pauses: [],
    pausedAt: null,
    owed: 0,
    previousBillingDate: at,
    nextBillingDate: started.nextBillingDate,
    expiresAt: started.expiresAt,
    cancelledAt: null,
    version: 1,
    createdAt: at,
    updatedAt: at,
  }
}

/** The subscription, its customer's routes and its first credits: one transaction. */
function activate(
  needs: SubscribingNeeds,
  scope: Scope,
  subscribing: Subscribing,
): Promise<Subscription> {
  const { product, customer } = subscribing
  // Accounts without first credits are settled too: from here on other terms hold for them.
  const entitlementIds = product.creditEntitlements.map((each) => each.creditEntitlementId)
  const { customerId } = customer
  return commandAccounts(needs, {
    operation: 'subscribe',
    customer: { ...scope, customerId },
    entitlementIds,
    decide: (_, { at }) => {
      const started = startOf(subscribing, at)
      const subscription = subscriptionOf(needs.newId, subscribing, { started, at })
      return {
        commands: entitlementIds.map((entitlementId) => {
          const starting = started.grants.find((each) => each.entitlementId === entitlementId)
          return starting === undefined ? rebasing : granting(needs, subscription, starting)
        }),
        rows: [{ noun: 'subscription', expected: null, row: subscription }],
        answer: () => subscription,
      }
    },
  })
}

/** A command that gives nothing is a command all the same. [machines#settling] */
const rebasing: AccountCommand = ({ account }) => ({ account: rebased(account), entries: [] })

function granting(
  { newId }: Pick<AccountDesk, 'newId'>,
  subscription: Subscription,
  starting: StartingGrant,
): AccountCommand {
  const { amount, cycleAt, expiresAt } = starting
  return (projected) => {
    const each = credits(amount / BigInt(subscription.quantity))
    const creditsAmount = formatCredits(each, projected.precision)
    const issued = { amount, creditsAmount, cycleAt, expiresAt }
    return grant(projected.account, cycleGrant(newId, subscription, issued), subscription.createdAt)
  }
}
