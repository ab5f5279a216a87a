import { decimalsOf } from '../../money/currency-decimals.ts'
import type { Money } from '../../money/money.ts'
import { fullUnits } from '../../money/money.ts'
import type { OneTimePrice, Price } from '../catalog/price.ts'
import { leastOfBuyer } from '../catalog/price.ts'
import type { Currency } from '../currency.ts'
import type { CheckoutRequest } from './checkout-session.ts'
import type { WrongDetail } from './payer.ts'
import type { BuyersAmount, PurchasedProduct } from './payment.ts'

/** An amount that a buyer has entered, and the currency in which they were asked for it. */
export interface EnteredAmount {
  readonly currency: Currency
  /** In the currency's smallest unit. Null: what was entered is no amount of the currency. */
  readonly units: number | null
}

/** The name of its field: what is said in one currency is nothing in another. */
export const amountField = (productId: string, currency: Currency): string =>
  `amount[${productId}][${currency}]`

/**
 * What the buyer says that one costs, where the seller has not said it; empty: the
 * buyer has not said anything that changes it. [payments#choices]
 */
export function chosenAmount(
  { amount, buyersAmount, productId }: PurchasedProduct,
  entered: EnteredAmount | undefined,
): BuyersAmount | { readonly wrong: WrongDetail } | Readonly<Record<never, never>> {
  if (entered === undefined) return buyersAmount ?? {}
  const { currency, units } = entered
  const wrong = (problem: string) => ({
    wrong: { field: amountField(productId, currency), problem },
  })
  if (units === null) return wrong(`must be an amount of ${currency} ${finestPart(currency)}`)
  if (amount === null) return { said: { amount: units, currency } }
  return units === amount ? {} : wrong('cannot be chosen here')
}

/**
 * What one costs by its buyer; null: the seller has not left it to them. What is too low is told
 * beside its field (wrongAmounts()), and counts as the least until it is corrected.
 */
export function unitByBuyer(
  { buyersAmount }: PurchasedProduct,
  { currency, price: least, suggestedPrice }: OneTimePrice,
): number | null {
  if (buyersAmount === undefined) return null
  const { said } = buyersAmount
  return said?.currency === currency ? Math.max(said.amount, least) : (suggestedPrice ?? least)
}

/** What a line of a cart says of its product, whose price is that of its market. */
interface PricedProduct {
  readonly itemId: string
  readonly currency: Currency
  readonly product: { readonly price: Price }
}

/** Amounts that were said of products whose price is not the buyer's, or that are too low. */
export function wrongAmounts(
  { products }: Pick<CheckoutRequest, 'products'>,
  { lines }: { readonly lines: readonly PricedProduct[] },
): readonly WrongDetail[] {
  return products.flatMap(({ buyersAmount, productId }) => {
    const said = buyersAmount?.said ?? null
    const line = lines.find(({ itemId }) => itemId === productId)
    if (said === null || line === undefined || said.currency !== line.currency) return []
    const problem = problemOf(said, leastOfBuyer(line.product.price))
    return problem === null ? [] : [{ field: amountField(productId, said.currency), problem }]
  })
}

function problemOf({ amount, currency }: Money, least: number | null): string | null {
  if (least === null) return 'cannot be chosen here'
  if (amount >= least) return null
  return `must be at least ${fullUnits({ amount: least, currency })} ${currency}`
}

/** How finely an amount of a currency can be said. */
export function finestPart(currency: Currency): string {
  const decimals = decimalsOf(currency)
  return decimals === 0 ? 'without decimals' : `with at most ${decimals} decimals`
}
