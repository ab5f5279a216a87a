import type { TaxRate } from '../../money/tax-split.ts'
import type { CountryCode } from '../country.ts'
import type { TaxCategory } from '../tax-category.ts'

/** What a business taxes in a place. [resources#taxes] */
export interface TaxRow {
  readonly country: CountryCode
  /** A state or province, in capitals; null: all of the country that no other row names. */
  readonly region: string | null
  /** Null: every category that no other row names. */
  readonly category: TaxCategory | null
  readonly rate: TaxRate
}

/** Where something is bought, and what. */
export interface TaxedSale {
  readonly country: CountryCode
  readonly region: string | null
  readonly category: TaxCategory
}

/** A region is the same in any case. */
export const regionInCapitals = (text: string): string => text.trim().toUpperCase()

/**
 * The rate that holds: that of the region before that of the country, and of each that of the
 * category before that of all. Without a row there is no tax. [resources#taxes]
 */
export function taxRateOf(table: readonly TaxRow[], sale: TaxedSale): TaxRate {
  const region = sale.region === null ? null : regionInCapitals(sale.region)
  const fitting = table.filter(
    (row) =>
      row.country === sale.country &&
      (row.region === null || row.region === region) &&
      (row.category === null || row.category === sale.category),
  )
  return fitting.toSorted(byPrecision)[0]?.rate ?? 0
}

const byPrecision = (a: TaxRow, b: TaxRow): number => precisionOf(b) - precisionOf(a)

const precisionOf = ({ region, category }: TaxRow): number =>
  (region === null ? 0 : 2) + (category === null ? 0 : 1)
