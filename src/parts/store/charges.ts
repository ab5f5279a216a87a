import type { FeeRow } from '../../rules/commerce/charges/fee-table.ts'
import type { TaxRow } from '../../rules/commerce/charges/tax-table.ts'
import type { CountryCode } from '../../rules/commerce/country.ts'

/** The tables of a business that its operator has imported, for both modes. */
export interface Charges {
  /** What is taxed in a country, whatever the category. */
  taxes(businessId: string, country: CountryCode): Promise<readonly TaxRow[]>

  fees(businessId: string): Promise<readonly FeeRow[]>
}
