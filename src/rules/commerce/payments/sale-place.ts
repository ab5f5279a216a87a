import type { TaxRate } from '../../money/tax-split.ts'
import type { BillingAddress } from '../billing-address.ts'
import { isReverseCharged, taxNumberOf } from '../charges/tax-number.ts'
import type { TaxRow } from '../charges/tax-table.ts'
import { taxRateOf } from '../charges/tax-table.ts'
import type { CountryCode } from '../country.ts'
import { countryOf } from '../country.ts'
import type { TaxCategory } from '../tax-category.ts'

/** Where something is sold, and to whom, as far as taxes and prices care. */
export interface SalePlace {
  /** Null: nobody has said yet, so that nothing is taxed and base prices hold. */
  readonly country: CountryCode | null
  readonly region: string | null
  readonly taxId: string | null
}

export const salePlace = (
  billing: Partial<Pick<BillingAddress, 'country' | 'state'>> | null,
  taxId: string | null,
): SalePlace => ({ country: countryOf(billing?.country), region: billing?.state ?? null, taxId })

/**
 * The rate of each category in a place, by the table of its country. None where the buyer owes the
 * tax: sellers have no home here, so a valid number is always one of another country.
 * [resources#taxes]
 */
export function ratesIn(
  place: SalePlace,
  table: readonly TaxRow[],
): (category: TaxCategory) => TaxRate {
  const { country, region, taxId } = place
  if (country === null) return () => 0
  if (taxId !== null && isReverseCharged(taxNumberOf(country, taxId), country, null)) return () => 0
  return (category) => taxRateOf(table, { country, region, category })
}

export interface JudgedTaxId {
  /** What is wrong with it; null: nothing, or nobody knows the forms of its country. */
  readonly problem: string | null
  /** The names of what the country has, where it is one of them. */
  readonly format: string | null
}

/** What is to be said of a tax number that somebody has told. [resources#taxes] */
export function judgedTaxId({ country, taxId }: SalePlace): JudgedTaxId {
  if (taxId === null || country === null) return { problem: null, format: null }
  const { formats, valid } = taxNumberOf(country, taxId)
  const names = formats.join(', ')
  if (valid) return { problem: null, format: names }
  if (formats.length === 0) return { problem: null, format: null }
  return { problem: `is no valid tax number of ${country} (${names})`, format: null }
}
