import type { FeeRow } from '../../../../rules/commerce/charges/fee-table.ts'
import type { TaxRow } from '../../../../rules/commerce/charges/tax-table.ts'
import type { CountryCode } from '../../../../rules/commerce/country.ts'
import type { Charges } from '../../charges.ts'
import type { Db } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'

export function charges(db: Db): Charges {
  return { taxes, fees }

  async function taxes(businessId: string, country: CountryCode): Promise<readonly TaxRow[]> {
    const rows = await db.query<StoredTax>(sql`
      select country, nullif(region, '') as region, nullif(category, '') as category, rate
      from tax_rates where business_id = ${businessId} and country = ${country}
      order by tax_rates.region, tax_rates.category`)
    return rows
  }

  async function fees(businessId: string): Promise<readonly FeeRow[]> {
    const rows = await db.query<StoredFee>(sql`
      select kind, nullif(currency, '') as currency, basis_points, fixed
      from fee_rates where business_id = ${businessId} order by kind, fee_rates.currency`)
    return rows.map(({ basis_points: basisPoints, ...row }) => ({ ...row, basisPoints }))
  }
}

type StoredTax = TaxRow & Readonly<Record<string, unknown>>

interface StoredFee extends Omit<FeeRow, 'basisPoints'> {
  readonly basis_points: number
}

/** As write_tax_tables() takes it: the whole table, in place of the one before. */
export const taxTableRow = (businessId: string, rows: readonly TaxRow[]): object => ({
  business_id: businessId,
  rates: rows.map(({ country, region, category, rate }) => ({
    country,
    region: region ?? '',
    category: category ?? '',
    rate,
  })),
})

/** As write_fee_tables() takes it: the whole table, in place of the one before. */
export const feeTableRow = (businessId: string, rows: readonly FeeRow[]): object => ({
  business_id: businessId,
  rates: rows.map(({ kind, currency, basisPoints, fixed }) => ({
    kind,
    currency: currency ?? '',
    basis_points: basisPoints,
    fixed,
  })),
})
