import { parseDecimal, powerOfTen, smallerOf } from '../../../std/decimal.ts'
import type { Instant } from '../../../std/instant.ts'
import type { CartItem } from '../../accounts/attached-credits.ts'
import { formatCredits } from '../../accounts/credits.ts'
import type { Projected } from '../../accounts/project.ts'
import { project } from '../../accounts/project.ts'
import type { AccountView } from '../../accounts/view.ts'
import { billWords, overageWorth } from './bill-words.ts'
import type { BilledLine } from './dues.ts'
import type { Subscription } from './subscription.ts'

/**
 * The overage that the end of the subscription's cycle bills, a line for each entitlement: exactly
 * what its accounts are charged in the same change. [credits#overage, subscriptions#renewals]
 */
export function overageLines(
  before: Subscription,
  views: readonly AccountView[],
  at: Instant,
): readonly BilledLine[] {
  return views.flatMap((view) => {
    const { entitlementId } = view.key
    const item = [...before.cart, ...before.leaving].find(
      (each) => each.creditEntitlementId === entitlementId,
    )
    if (item === undefined) return []
    const line = overageLine(before, item, { view, projected: project(view, at) })
    return line === null ? [] : [line]
  })
}

function overageLine(
  { currency, subscriptionId }: Subscription,
  item: CartItem,
  of: { readonly view: AccountView; readonly projected: Projected },
): BilledLine | null {
  const { account, governing, overage: terms } = of.projected
  const { overage } = account.state
  if (governing?.subscriptionId !== subscriptionId) return null
  if (terms.behavior !== 'invoice_at_billing' || overage === 0n) return null
  const pricePerUnit = item.pricePerUnit ?? '0'
  const price = parseDecimal(pricePerUnit, priceScale) ?? 0n
  const amount = halfUp(overage * price, priceScale + account.precision)
  if (amount === 0) return null
  const worth = overageWorth(currency, {
    credits: formatCredits(overage, account.precision),
    unit: of.view.entitlement?.unit ?? 'credits',
    pricePerUnit,
  })
  return {
    itemId: item.creditEntitlementId,
    name: of.view.entitlement?.name ?? null,
    description: billWords(currency, worth),
    amount,
    tax: 0,
    worth,
  }
}

/** Prices are scaled by 10^12, the finest that they may be. [requests#numbers] */
const priceScale = 12

/** Rounded half up once to the currency's smallest unit, as far as that is exact. [credits#overage] */
function halfUp(amount: bigint, scale: number): number {
  const whole = powerOfTen(scale)
  return Number(smallerOf((amount + whole / 2n) / whole, BigInt(Number.MAX_SAFE_INTEGER)))
}

export const totalOf = (lines: readonly BilledLine[]): number =>
  lines.reduce((all, { amount, tax }) => all + amount + tax, 0)
