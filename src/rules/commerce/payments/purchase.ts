import { groupBy } from '../../../std/group.ts'
import type { NewId } from '../../../std/id.ts'
import type { Instant } from '../../../std/instant.ts'
import type { CartItem } from '../../accounts/attached-credits.ts'
import { cartItem, grantedRejection, termsOf } from '../../accounts/attached-credits.ts'
import type { AccountCommand } from '../../accounts/change.ts'
import { expiryAfter, grant } from '../../accounts/commands.ts'
import { commandsInTurn } from '../../accounts/commands-in-turn.ts'
import { credits, formatCredits } from '../../accounts/credits.ts'
import type { CreditEntitlement } from '../catalog/credit-entitlement.ts'
import { isRecurring } from '../catalog/price.ts'
import type { Product } from '../catalog/product.ts'
import { keysRejection } from '../licenses/license-key.ts'
import { attachableRejection } from '../subscriptions/attachable.ts'
import type { Subscribing } from '../subscriptions/new-subscription.ts'
import { subscriptionPaidBy } from '../subscriptions/new-subscription.ts'
import { activated, pending } from '../subscriptions/pending.ts'
import { startSubscription } from '../subscriptions/start.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import { isRejection } from '../subscriptions/subscription-rejection.ts'
import type { CheckoutRequest } from './checkout-session.ts'
import type { Payment, PurchasedProduct } from './payment.ts'
import type { PaymentRejection } from './payment-rejection.ts'

/** The objects that the products of a purchase are, and name. */
export interface PurchasedObjects {
  readonly products: ReadonlyMap<string, Product>
  readonly entitlements: ReadonlyMap<string, CreditEntitlement>
}

/** What a payment brings its customer. [payments#one-way-to-be-paid] */
export interface Bought {
  readonly subscription: Subscription | null
  readonly commands: ReadonlyMap<string, AccountCommand>
}

/**
 * Refuses before anybody pays what could not be given afterwards: deleted entitlements, more
 * credits than the books hold, a trial that is longer than its subscription.
 */
export function deliverableRejection(
  request: Pick<CheckoutRequest, 'products' | 'metadata'>,
  parts: PurchasedObjects,
  at: Instant,
): PaymentRejection | null {
  for (const item of request.products) {
    const product = productOf(item, parts)
    const rejection =
      attachableRejection(product, parts.entitlements) ?? keysRejection(product, item.quantity)
    if (rejection !== null) return rejection
    const { entitlements } = parts
    if (isRecurring(product.price)) {
      const { quantity, trialPeriodDays } = item
      const started = startSubscription({
        addons: [],
        product,
        entitlements,
        quantity,
        trialPeriodDays,
        at,
      })
      if (isRejection(started)) return started
      continue
    }
    for (const mapping of product.creditEntitlements) {
      const named = (field: string): string =>
        `${field} of credit entitlement '${mapping.creditEntitlementId}'`
      const tooMany = grantedRejection(mapping, item.quantity, named)
      if (tooMany !== null) return tooMany
    }
  }
  return null
}

/**
 * What a payment that succeeded brings: the credits of each product that is bought once, and the
 * subscription with its first credits, which `waiting` becomes where it waits for the payment.
 * [credits#grants, subscriptions#cycles]
 */
export function bought(
  payment: Payment,
  parts: PurchasedObjects,
  { at, newId, waiting = null }: BoughtWhen,
): Bought {
  let subscription: Subscription | null = null
  const commands: (readonly [string, AccountCommand])[] = []
  for (const item of payment.products) {
    const product = productOf(item, parts)
    if (isRecurring(product.price)) {
      const subscribing = subscribingOf(payment, item, { product, parts })
      const made = subscriptionPaidBy(payment, subscribing, { at, newId: idsOf(newId, waiting) })
      subscription = waiting === null ? made.after : activated(waiting, made.after)
      commands.push(...made.commands)
    } else {
      for (const mapping of product.creditEntitlements) {
        const entitlement = parts.entitlements.get(mapping.creditEntitlementId)
        if (entitlement === undefined) continue
        const granted = cartItem(mapping, entitlement, product.productId)
        const { creditEntitlementId: id } = mapping
        commands.push([id, purchaseGrant(newId, payment, { granted, quantity: item.quantity })])
      }
    }
  }
  const byEntitlement = groupBy(commands, ([id]) => id)
  return {
    subscription,
    commands: new Map(
      [...byEntitlement].map(([id, all]) => [
        id,
        commandsInTurn(all.map(([, command]) => command)),
      ]),
    ),
  }
}

/** A subscription that waits for the payment keeps its id. */
const idsOf =
  (newId: NewId, waiting: Subscription | null): NewId =>
  (prefix) =>
    prefix === 'sub' && waiting !== null ? waiting.subscriptionId : newId(prefix)

/** The subscription that waits for a payment of these; null: none of them is one. */
export function pendingFor(
  payment: Payment,
  parts: PurchasedObjects,
  { at, newId }: { readonly at: Instant; readonly newId: NewId },
): Subscription | null {
  const { subscription } = bought(payment, parts, { at, newId })
  return subscription === null ? null : pending(subscription)
}

interface BoughtWhen {
  readonly at: Instant
  readonly newId: NewId
  /** The subscription that waits for the payment; absent: there is none. */
  readonly waiting?: Subscription | null
}

/** The product as this purchase has it: with the amounts of credits that the checkout was told. */
function productOf(
  { productId, credits: amounts }: PurchasedProduct,
  of: PurchasedObjects,
): Product {
  const product = of.products.get(productId)
  if (product === undefined) throw new Error(`The product ${productId} of a purchase is gone.`)
  return {
    ...product,
    creditEntitlements: product.creditEntitlements.map((mapping) => ({
      ...mapping,
      creditsAmount: amounts[mapping.creditEntitlementId] ?? mapping.creditsAmount,
    })),
  }
}

function subscribingOf(
  payment: Payment,
  { quantity, trialPeriodDays }: PurchasedProduct,
  { product, parts }: { readonly product: Product; readonly parts: PurchasedObjects },
): Subscribing {
  const { agreed, billing, customerBusinessName, customerId, customFields, lines } = payment
  const { metadata, taxId } = payment
  const price = agreed?.price ?? product.price
  const line = lines.find(({ itemId }) => itemId === product.productId)
  const paid = (line?.amount ?? 0) + (price.taxInclusive === true ? (line?.tax ?? 0) : 0)
  return {
    // As it was agreed: the product may have changed since.
    product: { ...product, price },
    unitPaid: Math.round(paid / quantity),
    addons: agreed?.addons ?? [],
    discounts: agreed?.discounts ?? [],
    onDemand: agreed?.onDemand ?? false,
    customFields,
    entitlements: parts.entitlements,
    request: {
      customer: { id: customerId },
      productId: product.productId,
      billing,
      customerBusinessName,
      metadata,
      quantity,
      taxId,
      trialPeriodDays,
    },
  }
}

function purchaseGrant(
  newId: NewId,
  { paymentId, metadata }: Payment,
  { granted, quantity }: { readonly granted: CartItem; readonly quantity: number },
): AccountCommand {
  return ({ account, at, precision }) => {
    const terms = termsOf(granted, precision)
    const amount = credits(terms.amount * BigInt(quantity))
    if (amount === 0n) return null
    const creditsAmount = formatCredits(terms.amount, precision)
    const command = {
      grantId: newId('cgr'),
      amount,
      source: { type: 'one_time' as const, id: paymentId },
      // Only its own expiry ends it. [credits#cycle-end]
      cycleAt: null,
      expiresAt: expiryAfter(terms.expiresAfterDays, at),
      metadata,
      entryType: 'credit_added' as const,
      cause: {
        referenceType: 'payment',
        referenceId: paymentId,
        description: null,
        metadata,
        inputs: { rule: 'purchase_grant' as const, creditsAmount, quantity },
      },
    }
    return grant(account, command, at)
  }
}
