import type { Product } from '../catalog/product.ts'
import type { TaxRow } from '../charges/tax-table.ts'
import type { BilledLine } from '../subscriptions/dues.ts'
import type { PricedRenewal } from '../subscriptions/end-of-cycle.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import { isOver } from '../subscriptions/subscription.ts'
import { paymentLine } from './priced-lines.ts'
import { renewalCart } from './renewal-cart.ts'

/**
 * What the end of a cycle charges, by renewalCart(); with the last one, or with a pause, only what
 * was used. [subscriptions#renewals, subscriptions#settling, subscriptions#pauses]
 */
export function pricedRenewal(
  subscription: Subscription,
  of: {
    readonly accrued: readonly BilledLine[]
    readonly product: Product | null
    readonly taxes: readonly TaxRow[]
  },
): PricedRenewal {
  const { accrued, taxes } = of
  const product = of.product ?? { description: null, name: '', taxCategory: 'saas' as const }
  const usage = accrued.map(({ amount, description, itemId, name, worth }) => ({
    itemId,
    name,
    description,
    price: amount,
    ...(worth !== undefined && { worth }),
  }))
  const { discounts, lines, owed, paid } = renewalCart({
    isLast: isOver(subscription) || subscription.status === 'paused',
    subscription,
    product,
    taxes,
    usage,
  })
  const costing = lines.filter(({ amount, tax }) => amount + tax > 0)
  return {
    discounts,
    owed,
    paid,
    lines: costing.map(paymentLine),
    recurs: costing.some(({ takesCodes }) => takesCodes),
  }
}
