import { limits } from '../limits.ts'
import type {
  LocalizedPrice,
  WantedLocalizedPrice,
} from '../rules/commerce/catalog/localized-price.ts'
import { formatInstant } from '../std/instant.ts'
import { schema } from '../std/schema.ts'
import type { CountryCode, Currency, PricingMode } from './enums.ts'
import { countryCodes, currencies } from './enums.ts'
import { nullable, oneOf, refused, whole } from './schemas.ts'

/** [resources#localized-prices] */
export interface LocalizedPriceCreate {
  readonly amount: number
  readonly currency: Currency
  readonly country_code?: CountryCode | null
}

/** Only the amount changes; null keeps it. [resources#localized-prices] */
export interface LocalizedPriceUpdate {
  readonly amount?: number | null
}

/** [resources#localized-prices] */
export interface LocalizedPriceView {
  readonly id: string
  readonly product_id: string
  readonly mode: PricingMode
  readonly currency: Currency
  readonly country_code: CountryCode | null
  readonly amount: number
  readonly created_at: string
  readonly updated_at: string
}

const amount = whole(1, limits.moneyMax)

export const localizedPriceCreate = schema<LocalizedPriceCreate>({
  type: 'object',
  required: ['amount', 'currency'],
  properties: {
    amount,
    currency: oneOf(currencies),
    country_code: nullable(oneOf(countryCodes)),
  },
})

export const localizedPriceUpdate = schema<LocalizedPriceUpdate>({
  type: 'object',
  properties: {
    amount: nullable(amount),
    currency: refused('cannot be changed'),
    country_code: refused('cannot be changed'),
  },
})

/** The localized price that a body asks for. */
export const wantedLocalizedPrice = (body: LocalizedPriceCreate): WantedLocalizedPrice => ({
  amount: body.amount,
  currency: body.currency,
  countryCode: body.country_code ?? null,
})

export const localizedPriceView = (price: LocalizedPrice): LocalizedPriceView => ({
  id: price.localizedPriceId,
  product_id: price.productId,
  mode: price.mode,
  currency: price.currency,
  country_code: price.countryCode,
  amount: price.amount,
  created_at: formatInstant(price.createdAt),
  updated_at: formatInstant(price.updatedAt),
})
