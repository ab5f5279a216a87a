import type { Instant } from '../../../std/instant.ts'
import type { CountryCode } from '../country.ts'
import type { Currency } from '../currency.ts'
import type { PricingMode } from '../pricing-mode.ts'
import { changeTime } from './change-time.ts'
import type { Product } from './product.ts'
import type { Rejection } from './rejection.ts'
import { firstOf } from './rejection.ts'

/** A price of a product for one market, in place of its base price. [resources#localized-prices] */
export interface LocalizedPrice {
  readonly localizedPriceId: string
  readonly productId: string
  readonly mode: PricingMode
  readonly currency: Currency
  /** Null where the currency chooses. */
  readonly countryCode: CountryCode | null
  /** In the currency's smallest unit, above 0. */
  readonly amount: number
  /** Null: it is active. */
  readonly archivedAt: Instant | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** A localized price as a caller asks for it. */
export type WantedLocalizedPrice = Pick<LocalizedPrice, 'currency' | 'countryCode' | 'amount'>

/**
 * Why a product must not have this price besides its `active` ones. [resources#localized-prices]
 */
export function localizedPriceRejection(
  product: Product,
  wanted: WantedLocalizedPrice,
  active: readonly LocalizedPrice[],
): Rejection | null {
  return firstOf([
    () => modeRejection(product),
    () => takenRejection(product, wanted, active),
    () => shapeRejection(product, wanted),
    () => baseRejection(product, [wanted]),
  ])
}

const modeRejection = ({ pricingMode }: Product): Rejection | null =>
  pricingMode !== null
    ? null
    : {
        code: 'PRODUCT_PRICING_MODE_REQUIRED',
        problem: 'The product has no pricing_mode: set it to by_currency or by_country first.',
      }

function shapeRejection(
  { pricingMode }: Product,
  { countryCode }: WantedLocalizedPrice,
): Rejection | null {
  if ((pricingMode === 'by_country') === (countryCode !== null)) return null
  const problem =
    countryCode === null
      ? "country_code is required, because the product's pricing_mode is by_country."
      : "country_code must be left out, because the product's pricing_mode is by_currency."
  return { code: 'LOCALIZED_PRICE_SHAPE_MISMATCH', problem }
}

function takenRejection(
  { pricingMode }: Product,
  { currency, countryCode }: WantedLocalizedPrice,
  active: readonly LocalizedPrice[],
): Rejection | null {
  const market = pricingMode === 'by_country' ? countryCode : currency
  const taken = active.some((other) => marketOf(other) === market)
  if (!taken) return null
  const problem = `The product has a localized price for ${market}: change it, or archive it first.`
  return { code: 'LOCALIZED_PRICE_ALREADY_EXISTS', problem }
}

const marketOf = ({ mode, currency, countryCode }: LocalizedPrice): string | null =>
  mode === 'by_country' ? countryCode : currency

/**
 * Where the currency chooses, the base price is that of its own currency; a country may well have
 * another price in it.
 */
export function baseRejection(
  { pricingMode, price }: Pick<Product, 'pricingMode' | 'price'>,
  localized: readonly Pick<LocalizedPrice, 'currency'>[],
): Rejection | null {
  if (pricingMode !== 'by_currency') return null
  if (!localized.some(({ currency }) => currency === price.currency)) return null
  const problem = `${price.currency} is the currency of the product's base price.`
  return { code: 'LOCALIZED_PRICE_DUPLICATES_BASE', problem }
}

/** The active prices that a product with this mode keeps, and those that end with the mode. */
export function keptUnder(
  mode: PricingMode | null,
  active: readonly LocalizedPrice[],
): { readonly kept: readonly LocalizedPrice[]; readonly ending: readonly LocalizedPrice[] } {
  return {
    kept: active.filter((each) => each.mode === mode),
    ending: active.filter((each) => each.mode !== mode),
  }
}

export const archivedPrice = (was: LocalizedPrice, at: Instant): LocalizedPrice => {
  const time = changeTime(was, at)
  return { ...was, archivedAt: time, updatedAt: time }
}
