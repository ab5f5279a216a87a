import type { Addon } from '../../../../rules/commerce/catalog/addon.ts'
import type { Currency } from '../../../../rules/commerce/currency.ts'
import type { TaxCategory } from '../../../../rules/commerce/tax-category.ts'
import type { Instant } from '../../../../std/instant.ts'
import type { Scope } from '../../scope.ts'
import { timestamptz } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'

/** An add-on as the database has it. */
export interface AddonRow {
  readonly addon_id: string
  readonly name: string
  readonly description: string | null
  readonly price: number
  readonly currency: Currency
  readonly tax_category: TaxCategory
  readonly image_id: string | null
  readonly created_at: Instant
  readonly updated_at: Instant
}

export const addonColumns = sql`
  addon_id, name, description, price, currency, tax_category, image_id, created_at, updated_at`

export const addonOf = (row: AddonRow): Addon => ({
  addonId: row.addon_id,
  name: row.name,
  description: row.description,
  price: row.price,
  currency: row.currency,
  taxCategory: row.tax_category,
  imageId: row.image_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** As write_addons() takes it. */
export const addonRow = (scope: Scope, addon: Addon): object => ({
  business_id: scope.businessId,
  mode: scope.mode,
  addon_id: addon.addonId,
  name: addon.name,
  description: addon.description,
  price: addon.price,
  currency: addon.currency,
  tax_category: addon.taxCategory,
  image_id: addon.imageId,
  created_at: timestamptz(addon.createdAt),
  updated_at: timestamptz(addon.updatedAt),
})
