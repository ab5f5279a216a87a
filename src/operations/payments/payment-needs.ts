import type { Processor } from '../../parts/processors/port.ts'
import type { CheckoutSessions } from '../../parts/store/checkout-sessions.ts'
import type { CreditEntitlements } from '../../parts/store/credit-entitlements.ts'
import type { Customers } from '../../parts/store/customers.ts'
import type { Invoices } from '../../parts/store/invoices.ts'
import type { LicenseKeys } from '../../parts/store/license-keys.ts'
import type { PaymentMethods } from '../../parts/store/payment-methods.ts'
import type { Payments } from '../../parts/store/payments.ts'
import type { AllProcessorNews } from '../../parts/store/processor-news.ts'
import type { Products } from '../../parts/store/products.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Wallets } from '../../parts/store/wallets.ts'
import type { PurchasedProduct } from '../../rules/commerce/payments/payment.ts'
import type { PurchasedObjects } from '../../rules/commerce/payments/purchase.ts'
import type { Mode } from '../../rules/meter/meter.ts'
import type { DisputeNeeds } from '../disputes/dispute-needs.ts'
import type { SubscriptionNeeds } from '../subscriptions/change-subscription.ts'

/** What everything that ends in a payment needs. */
export interface PaymentNeeds extends SubscriptionNeeds, PurchasedNeeds, DisputeNeeds {
  readonly customers: Customers
  readonly invoices: Pick<Invoices, 'get' | 'seller'>
  readonly payments: Payments
  readonly paymentMethods: PaymentMethods
  readonly sessions: CheckoutSessions
  readonly processorNews: AllProcessorNews
  readonly licenseKeys: Pick<LicenseKeys, 'broughtBy'>
  readonly wallets: Pick<Wallets, 'list'>
  /** Who moves the money of a mode. */
  readonly processors: Readonly<Record<Mode, Processor>>
}

export interface PurchasedNeeds {
  readonly products: Products
  readonly creditEntitlements: CreditEntitlements
}

/** The products of a purchase that exist, and every credit entitlement that they name. */
export async function purchaseParts(
  needs: PurchasedNeeds,
  scope: Scope,
  purchased: readonly PurchasedProduct[],
): Promise<PurchasedObjects> {
  const ids = purchased.map(({ productId }) => productId)
  const products = await needs.products.many(scope, ids)
  const named = [...products.values()].flatMap(({ creditEntitlements }) =>
    creditEntitlements.map((mapping) => mapping.creditEntitlementId),
  )
  return { products, entitlements: await needs.creditEntitlements.many(scope, named) }
}
