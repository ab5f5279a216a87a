import assert from 'node:assert/strict'
import type { Accounts } from '../../parts/store/accounts.ts'
import type { LoneFact } from '../../parts/store/changes.ts'
import type { Customers } from '../../parts/store/customers.ts'
import type { Meters } from '../../parts/store/meters.ts'
import type { Scope } from '../../parts/store/scope.ts'
import { balanceAt, storedBalance } from '../../rules/accounts/account.ts'
import type { CartItem } from '../../rules/accounts/attached-credits.ts'
import type { AccountChange } from '../../rules/accounts/change.ts'
import { formatCredits } from '../../rules/accounts/credits.ts'
import type { Customer } from '../../rules/commerce/catalog/customer.ts'
import { isRecurring, metersOf } from '../../rules/commerce/catalog/price.ts'
import type { PurchasedObjects } from '../../rules/commerce/payments/purchase.ts'
import type { Subscription } from '../../rules/commerce/subscriptions/subscription.ts'
import { dunningFact } from '../../rules/facts/dunning-facts.ts'
import type { ToldCart } from '../../rules/facts/subscription-facts.ts'
import { subscriptionFacts, toldSubscription } from '../../rules/facts/subscription-facts.ts'
import type { Meter } from '../../rules/meter/meter.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { NewId } from '../../std/id.ts'
import type { Instant } from '../../std/instant.ts'
import type { AccountReading } from '../accounts/read-accounts.ts'
import { readAccounts } from '../accounts/read-accounts.ts'

export interface ToldNeeds {
  readonly accounts: Pick<Accounts, 'load'>
  readonly clock: Clock
  readonly customers: Pick<Customers, 'get'>
  readonly meters: Meters
  readonly newId: NewId
}

/** A change of a subscription, and what became of accounts with it. */
export interface ToldChange {
  /** Null: it is new. */
  readonly before: Subscription | null
  readonly after: Subscription
  readonly happened: Parameters<typeof subscriptionFacts>[2]
  readonly accounts: readonly AccountChange[]
  readonly at: Instant
}

/** Pure: the facts of a change, with everything that they tell. */
export type TellingOfSubscription = (change: ToldChange) => readonly LoneFact[]

/** What the subscription may come to carry besides what it has. */
export interface MayCarry {
  readonly cart: readonly CartItem[]
  readonly meterIds: readonly string[]
  /** The product that it may come to be of; absent: its own, or the one that is scheduled. */
  readonly productId?: string
}

/**
 * Loads what facts of a subscription tell besides it: its customer, balances and meters.
 * [webhooks#kinds]
 */
export async function tellingOf(
  needs: ToldNeeds,
  scope: Scope,
  of: { readonly subscription: Subscription; readonly mayCarry?: MayCarry | undefined },
): Promise<TellingOfSubscription> {
  const { subscription, mayCarry: more = { cart: [], meterIds: [] } } = of
  const { customerId, scheduled, stretches } = subscription
  const cart = [...subscription.cart, ...(scheduled?.plan.cart ?? []), ...more.cart]
  const links = [...stretches.flatMap((each) => each.links), ...(scheduled?.plan.links ?? [])]
  const customer = await needs.customers.get(scope, customerId)
  assert(customer !== null, 'the customer of a subscription is gone')
  return telling(needs, scope, {
    customer,
    entitlementIds: cart.map((item) => item.creditEntitlementId),
    meterIds: [...links.map((link) => link.meterId), ...more.meterIds],
  })
}

/** The same for a subscription that begins with a purchase of these. */
export function tellingOfNew(
  needs: ToldNeeds,
  scope: Scope,
  { customer, parts }: { readonly customer: Customer; readonly parts: PurchasedObjects },
): Promise<TellingOfSubscription> {
  const prices = [...parts.products.values()].map(({ price }) => price)
  return telling(needs, scope, {
    customer,
    entitlementIds: [...parts.entitlements.keys()],
    meterIds: prices.flatMap((price) =>
      isRecurring(price) ? metersOf(price).map(({ meterId }) => meterId) : [],
    ),
  })
}

async function telling(
  needs: ToldNeeds,
  scope: Scope,
  of: {
    readonly customer: Customer
    readonly entitlementIds: readonly string[]
    readonly meterIds: readonly string[]
  },
): Promise<TellingOfSubscription> {
  const { customer } = of
  const { customerId } = customer
  const entitlementIds = [...new Set(of.entitlementIds)]
  const meterIds = [...new Set(of.meterIds)]
  const [meters, readings] = await Promise.all([
    meterIds.length === 0 ? new Map<string, Meter>() : needs.meters.many(scope, meterIds),
    readAccounts(
      needs,
      entitlementIds.map((entitlementId) => ({ ...scope, customerId, entitlementId })),
    ),
  ])
  return ({ before, after, happened, accounts, at }) => {
    const data = {
      customerId,
      customer,
      ...toldSubscription(after, meters, at),
      carts: after.cart.map((item) => toldCart(item, { readings, accounts })),
    }
    const dunning = dunningFact(before, after, at)
    const facts = [
      ...subscriptionFacts(before, after, happened).map((type) => ({ type, data })),
      ...(dunning === null ? [] : [dunning]),
    ]
    return facts.map((fact) => ({ ...fact, messageId: needs.newId('msg'), at }))
  }
}

function toldCart(
  item: CartItem,
  of: {
    readonly readings: readonly AccountReading[]
    readonly accounts: readonly AccountChange[]
  },
): ToldCart {
  const id = item.creditEntitlementId
  const reading = of.readings.find(({ view }) => view.key.entitlementId === id)
  const changed = of.accounts.find(({ key }) => key.entitlementId === id)
  const read = reading?.read ?? null
  const account = changed?.account ?? read?.account ?? null
  const balance =
    changed === undefined && read !== null
      ? balanceAt(read.account, read.at)
      : account && storedBalance(account)
  return {
    item,
    name: reading?.view.entitlement?.name ?? '',
    unit: reading?.view.entitlement?.unit ?? '',
    balance: account === null || balance === null ? '0' : formatCredits(balance, account.precision),
    overage: account === null ? '0' : formatCredits(account.state.overage, account.precision),
  }
}
