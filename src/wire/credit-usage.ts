import { formatCredits, larger, minus, noCredits, parseCredits } from '../rules/accounts/credits.ts'
import type { ReadCart } from '../rules/commerce/subscriptions/read-subscription.ts'
import { balanceText, overageText } from './credit-balance.ts'

/** One entitlement of a subscription's credit usage. [credits#overage] */
export interface CreditUsageItem {
  readonly balance: string
  readonly credit_entitlement_id: string
  readonly credit_entitlement_name: string
  readonly limit_reached: boolean
  readonly overage: string
  readonly overage_enabled: boolean
  readonly overage_limit: string | null
  readonly remaining_headroom: string | null
  readonly unit: string
}

/** [credits#overage] */
export const creditUsageView = (subscriptionId: string, carts: readonly ReadCart[]) => ({
  items: carts.map(creditUsageItem),
  subscription_id: subscriptionId,
})

function creditUsageItem(cart: ReadCart): CreditUsageItem {
  const { item, account } = cart
  return {
    balance: balanceText(account),
    credit_entitlement_id: item.creditEntitlementId,
    credit_entitlement_name: cart.name,
    ...headroomOf(cart),
    overage: overageText(account),
    overage_enabled: item.overageEnabled,
    overage_limit: item.overageLimit,
    unit: cart.unit,
  }
}

/** `limit_reached` = overage ≥ limit; headroom = limit − overage, null when unlimited or off. */
function headroomOf({
  item,
  account: read,
}: ReadCart): Pick<CreditUsageItem, 'limit_reached' | 'remaining_headroom'> {
  const precision = read?.account.precision ?? 10
  const limit = item.overageLimit === null ? null : parseCredits(item.overageLimit, precision)
  if (!item.overageEnabled || limit === null) {
    return { limit_reached: false, remaining_headroom: null }
  }
  const left = larger(noCredits, minus(limit, read?.account.state.overage ?? noCredits))
  return { limit_reached: left === 0n, remaining_headroom: formatCredits(left, precision) }
}
