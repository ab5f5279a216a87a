import type { LocalizedPrice } from '../catalog/localized-price.ts'
import type { Price } from '../catalog/price.ts'
import { metersOf } from '../catalog/price.ts'
import type { Product } from '../catalog/product.ts'
import type { CountryCode } from '../country.ts'
import type { Currency } from '../currency.ts'

/** The market that somebody buys in; nulls: nobody has said. */
export interface Market {
  readonly country: CountryCode | null
  readonly currency: Currency | null
}

/**
 * A product as it is sold in a market: with the localized price of the country, or of the currency,
 * where it has one, and else with its base price. [resources#localized-prices]
 */
export function localized(
  product: Product,
  prices: readonly LocalizedPrice[],
  { country, currency }: Market,
): Product {
  const fitting = prices.find(({ countryCode, currency: own, mode }) =>
    mode === 'by_country' ? countryCode === country : own === currency,
  )
  if (fitting === undefined || fitting.mode !== product.pricingMode) return product
  if (fitting.currency !== product.price.currency && hasOtherMoney(product.price)) return product
  return { ...product, price: priceAt(product.price, fitting) }
}

/** Amounts that a localized price says nothing of have no meaning in another currency. */
const hasOtherMoney = (price: Price): boolean =>
  metersOf(price).some(({ pricePerUnit, creditEntitlementId }) => {
    return pricePerUnit !== null && creditEntitlementId === null
  }) ||
  (price.type === 'recurring_price' && (price.trialAmount ?? 0) > 0)

function priceAt(price: Price, { amount, currency }: LocalizedPrice): Price {
  switch (price.type) {
    case 'one_time_price': {
      const suggestedPrice = currency === price.currency ? price.suggestedPrice : null
      return { ...price, currency, price: amount, suggestedPrice }
    }
    case 'recurring_price':
      return { ...price, currency, price: amount }
    case 'usage_based_price':
      return { ...price, currency, fixedPrice: amount }
  }
}

/** The currencies in which a product can be bought in a country, its base currency first. */
export const currenciesOf = (
  product: Product,
  prices: readonly LocalizedPrice[],
  country: CountryCode | null,
): readonly Currency[] => {
  const base = localized(product, prices, { country, currency: null }).price.currency
  const others = prices
    .filter(({ mode }) => mode === 'by_currency')
    .map(({ currency }) => localized(product, prices, { country, currency }).price.currency)
  return [...new Set([base, ...others])]
}
