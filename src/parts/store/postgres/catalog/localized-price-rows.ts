import type { LocalizedPrice } from '../../../../rules/commerce/catalog/localized-price.ts'
import type { CountryCode } from '../../../../rules/commerce/country.ts'
import type { Currency } from '../../../../rules/commerce/currency.ts'
import type { PricingMode } from '../../../../rules/commerce/pricing-mode.ts'
import type { Instant } from '../../../../std/instant.ts'
import type { Scope } from '../../scope.ts'
import { timestamptz } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'

/** A localized price as the database has it. `pricing` is its mode: `mode` is test or live. */
export interface LocalizedPriceRow {
  readonly localized_price_id: string
  readonly product_id: string
  readonly pricing: PricingMode
  readonly currency: Currency
  readonly country_code: CountryCode | null
  readonly amount: number
  readonly archived_at: Instant | null
  readonly created_at: Instant
  readonly updated_at: Instant
}

export const localizedPriceColumns = sql`
  localized_price_id, product_id, pricing, currency, country_code, amount, archived_at, created_at,
  updated_at`

export const localizedPriceOf = (row: LocalizedPriceRow): LocalizedPrice => ({
  localizedPriceId: row.localized_price_id,
  productId: row.product_id,
  mode: row.pricing,
  currency: row.currency,
  countryCode: row.country_code,
  amount: row.amount,
  archivedAt: row.archived_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** As write_localized_prices() takes it. */
export const localizedPriceRow = (scope: Scope, price: LocalizedPrice): object => ({
  business_id: scope.businessId,
  mode: scope.mode,
  localized_price_id: price.localizedPriceId,
  product_id: price.productId,
  pricing: price.mode,
  currency: price.currency,
  country_code: price.countryCode,
  amount: price.amount,
  archived_at: timestamptz(price.archivedAt),
  created_at: timestamptz(price.createdAt),
  updated_at: timestamptz(price.updatedAt),
})
