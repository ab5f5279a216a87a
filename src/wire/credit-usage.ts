import { formatCredits, larger, minus, noCredits, parseCredits } from '../rules/accounts/credits.ts'
import type { ReadAccount } from '../rules/accounts/read-account.ts'
import type { ReadCart } from './subscription-view.ts'

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

export function creditUsageItem(cart: ReadCart, read: ReadAccount | null): CreditUsageItem {
  const { item } = cart
  return {
    balance: cart.balance,
    credit_entitlement_id: item.creditEntitlementId,
    credit_entitlement_name: cart.name,
    ...headroomOf(cart, read),
    overage: cart.overage,
    overage_enabled: item.overageEnabled,
    overage_limit: item.overageLimit,
    unit: cart.unit,
  }
}

/** `limit_reached` = overage ≥ limit; headroom = limit − overage, null when unlimited or off. */
function headroomOf(
  { item }: ReadCart,
  read: ReadAccount | null,
): Pick<CreditUsageItem, 'limit_reached' | 'remaining_headroom'> {
  const precision = read?.account.precision ?? 10
  const limit = item.overageLimit === null ? null : parseCredits(item.overageLimit, precision)
  if (!item.overageEnabled || limit === null) {
    return { limit_reached: false, remaining_headroom: null }
  }
  const left = larger(noCredits, minus(limit, read?.account.state.overage ?? noCredits))
  return { limit_reached: left === 0n, remaining_headroom: formatCredits(left, precision) }
}
