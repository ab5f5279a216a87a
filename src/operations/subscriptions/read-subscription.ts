import { orNotFound } from '../../faults.ts'
import type { Meters } from '../../parts/store/meters.ts'
import type { Page, Scope } from '../../parts/store/scope.ts'
import type { SubscriptionFilter } from '../../parts/store/subscriptions.ts'
import type { Customer } from '../../rules/commerce/catalog/customer.ts'
import type {
  ReadCart,
  ReadSubscription,
} from '../../rules/commerce/subscriptions/read-subscription.ts'
import type { Subscription } from '../../rules/commerce/subscriptions/subscription.ts'
import type { Meter } from '../../rules/meter/meter.ts'
import type { Instant } from '../../std/instant.ts'
import { readAccounts } from '../accounts/read-accounts.ts'
import type { SubscribingNeeds } from './subscribe.ts'

export interface ReadingNeeds extends SubscribingNeeds {
  readonly meters: Meters
}

/** A subscription, with what its view shows of other objects. 404 when there is none. */
export async function readSubscription(
  needs: ReadingNeeds,
  scope: Scope,
  wanted: { readonly subscriptionId: string; readonly at: Instant },
): Promise<ReadWhole> {
  const { subscriptionId, at } = wanted
  const subscription = orNotFound(
    await needs.subscriptions.find(scope, subscriptionId),
    'subscription',
    subscriptionId,
  )
  return readWhole(needs, { scope, subscription, at })
}

export interface ReadWhole {
  readonly read: ReadSubscription
  readonly carts: readonly ReadCart[]
  readonly meters: ReadonlyMap<string, Meter>
}

/** What the view of a subscription shows; the subscription need not be the stored one. */
export async function readWhole(
  needs: ReadingNeeds,
  of: { readonly scope: Scope; readonly subscription: Subscription; readonly at: Instant },
): Promise<ReadWhole> {
  const { scope, subscription, at } = of
  const customer = present(await needs.customers.get(scope, subscription.customerId))
  const meterIds = subscription.stretches.flatMap(({ links }) => links.map((link) => link.meterId))
  return {
    read: { businessId: scope.businessId, subscription, customer, productName: null, at },
    carts: await readCarts(needs, scope, { subscription }),
    meters: await needs.meters.many(scope, [...new Set(meterIds)]),
  }
}

function present(customer: Customer | null | undefined): Customer {
  if (customer == null) throw new Error('A subscription without its customer.')
  return customer
}

/** Each entitlement of the cart, with the customer's balance under it. */
async function readCarts(
  needs: SubscribingNeeds,
  scope: Scope,
  { subscription }: { readonly subscription: Subscription },
): Promise<readonly ReadCart[]> {
  const { cart, customerId } = subscription
  const keys = cart.map((item) => ({
    ...scope,
    customerId,
    entitlementId: item.creditEntitlementId,
  }))
  const readings = await readAccounts(needs, keys)
  return cart.map((item, index) => {
    const { view, read: account = null } = readings[index] ?? {}
    return {
      item,
      name: view?.entitlement?.name ?? '',
      unit: view?.entitlement?.unit ?? '',
      account,
    }
  })
}

/** Newest first, each with its customer and the name of its product. */
export async function listSubscriptions(
  needs: ReadingNeeds,
  scope: Scope,
  filter: SubscriptionFilter,
  page: Page & { readonly at: Instant },
): Promise<readonly ReadSubscription[]> {
  const found = await needs.subscriptions.list(scope, filter, page)
  const [customers, products] = await Promise.all([
    needs.customers.many(scope, [...new Set(found.map(({ customerId }) => customerId))]),
    needs.products.many(scope, [...new Set(found.map(({ productId }) => productId))]),
  ])
  return found.map((subscription) => ({
    businessId: scope.businessId,
    subscription,
    customer: present(customers.get(subscription.customerId)),
    productName: products.get(subscription.productId)?.name ?? null,
    at: page.at,
  }))
}
