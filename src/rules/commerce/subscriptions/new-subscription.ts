import assert from 'node:assert/strict'
import type { NewId } from '../../../std/id.ts'
import type { Instant } from '../../../std/instant.ts'
import { rebased } from '../../accounts/account.ts'
import type { AccountCommand } from '../../accounts/change.ts'
import { grant } from '../../accounts/commands.ts'
import { credits, formatCredits } from '../../accounts/credits.ts'
import type { CarriedAddon } from '../catalog/addon.ts'
import type { CreditEntitlement } from '../catalog/credit-entitlement.ts'
import type { Product } from '../catalog/product.ts'
import type { CustomFieldResponse } from '../custom-field-response.ts'
import type { KeptDiscount } from '../discounts/discount.ts'
import { cycleGrant } from './cycle-grant.ts'
import type { Started, StartingGrant } from './start.ts'
import { costsInTrial, startSubscription } from './start.ts'
import type { SubscribeRequest } from './subscribe-request.ts'
import type { Subscription } from './subscription.ts'
import { notCancelled } from './subscription.ts'
import type { SubscriptionChange } from './subscription-change.ts'
import { isRejection } from './subscription-rejection.ts'

/** A subscription with all objects that it names, before its time is known. */
export interface Subscribing {
  readonly product: Product
  /** Every entitlement that the product maps. */
  readonly entitlements: ReadonlyMap<string, CreditEntitlement>
  readonly request: SubscribeRequest
  readonly addons: readonly CarriedAddon[]
  /** Codes that lower the payments after its first. */
  readonly discounts: readonly KeptDiscount[]
  /** Whether its business charges it when it wants. [subscriptions#on-demand] */
  readonly onDemand: boolean
  /** What the buyer answered on the page of its first payment. */
  readonly customFields: readonly CustomFieldResponse[]
  /** What the first payment charges for a unit, before taxes that come on top. */
  readonly unitPaid: number
}

/**
 * A subscription whose first charge was paid: active at once, with its first credits. Accounts
 * without first credits are settled too, because other terms hold for them from here on. Only what
 * could start may be paid for. [subscriptions#cycles, credits#grants]
 */
export function subscriptionPaidBy(
  { paymentId, paymentMethodId, customerId }: Paid & { readonly customerId: string },
  subscribing: Subscribing,
  { at, newId }: { readonly at: Instant; readonly newId: NewId },
): SubscriptionChange {
  const { addons, product, entitlements, request } = subscribing
  const { quantity, trialPeriodDays } = request
  const started = startSubscription({
    addons,
    product,
    entitlements,
    quantity,
    trialPeriodDays,
    at,
  })
  assert(!isRejection(started))
  const after = subscriptionOf(subscribing, started, {
    at,
    customerId,
    newId,
    paymentId,
    paymentMethodId,
  })
  return startedWith(subscribing, started, { after, newId })
}

/** What paid its first charge, and what later ones will charge. */
interface Paid {
  readonly paymentId: string
  readonly paymentMethodId: string | null
}

function startedWith(
  subscribing: Subscribing,
  started: Started,
  { after, newId }: { readonly after: Subscription; readonly newId: NewId },
): SubscriptionChange {
  const commands = subscribing.product.creditEntitlements.map((mapping) => {
    const { creditEntitlementId: id } = mapping
    const starting = started.grants.find((each) => each.entitlementId === id)
    return [id, starting === undefined ? rebasing : granting(newId, after, starting)] as const
  })
  return { after, commands: new Map(commands) }
}

function subscriptionOf(
  { customFields, discounts, onDemand, product, request, unitPaid }: Subscribing,
  started: Started,
  {
    customerId,
    at,
    newId,
    paymentId,
    paymentMethodId,
  }: Paid & { readonly customerId: string; readonly at: Instant; readonly newId: NewId },
): Subscription {
  return {
    subscriptionId: newId('sub'),
    customerId,
    productId: product.productId,
    brandId: product.brandId,
    status: 'active',
    quantity: request.quantity,
    currency: started.currency,
    recurringPreTaxAmount: started.recurringPreTaxAmount,
    addons: started.addons,
    discounts,
    taxInclusive: started.taxInclusive,
    frequency: started.frequency,
    period: started.period,
    paymentId,
    billing: request.billing,
    metadata: request.metadata,
    stretches: started.stretches,
    cart: started.cart,
    leaving: [],
    scheduled: null,
    changing: null,
    cancellation: notCancelled,
    taxId: request.taxId,
    customerBusinessName: request.customerBusinessName,
    customerName: null,
    customFields,
    trialPeriodDays: started.trialPeriodDays,
    trialAmount: started.trialPeriodDays > 0 && costsInTrial(product.price) ? unitPaid : null,
    activatedAt: at,
    ended: null,
    pauses: [],
    pausedAt: null,
    owed: 0,
    paymentMethodId,
    dues: null,
    onDemand,
    charging: null,
    unbilled: [],
    billedUsage: null,
    previousBillingDate: at,
    nextBillingDate: started.nextBillingDate,
    expiresAt: started.expiresAt,
    cancelledAt: null,
    version: 1,
    createdAt: at,
    updatedAt: at,
  }
}

/** A command that grants nothing still rebases. [machines#settling] */
const rebasing: AccountCommand = ({ account }) => ({ account: rebased(account), entries: [] })

function granting(
  newId: NewId,
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
