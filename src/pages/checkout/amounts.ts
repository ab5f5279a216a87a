import type { Currency } from '../../rules/commerce/currency.ts'
import { decimalsOf } from '../../rules/money/currency-decimals.ts'

/**
 * An amount of the currency's smallest unit as the language writes it; the platform does not know
 * the decimals of every currency.
 */
export function moneyText(units: number, currency: Currency, language: string): string {
  const decimals = decimalsOf(currency)
  const format = new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  return format.format(units / 10 ** decimals)
}
