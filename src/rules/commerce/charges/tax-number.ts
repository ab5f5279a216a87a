import type { Validator } from 'stdnum'
import { entityValidators, euVat, stdnum } from 'stdnum'
import type { CountryCode } from '../country.ts'

/** What is known of a tax number. [resources#taxes] */
export interface TaxNumber {
  /** The names of the numbers that companies of the country have; none: nobody knows its form. */
  readonly formats: readonly string[]
  /** Whether it is one of them: its form and its check digits, not whether it was ever given. */
  readonly valid: boolean
}

/** Judges a tax number by the forms of a country; one of a member of the EU by those of its VAT. */
export function taxNumberOf(country: CountryCode, text: string): TaxNumber {
  const forms = euVat[country] ?? taxed(country) ?? entityValidators[country] ?? []
  return {
    formats: forms.map(({ abbreviation, localName }) => abbreviation ?? localName),
    valid: forms.some((form) => form.validate(text).isValid),
  }
}

/**
 * Whether the buyer owes the tax instead of the seller: a company of another country than the
 * seller's, or of a member of the EU. Without a home the seller is at home nowhere.
 * [resources#taxes]
 */
export const isReverseCharged = (
  { valid }: TaxNumber,
  country: CountryCode,
  home: CountryCode | null,
): boolean => valid && (country !== home || country in euVat)

/**
 * Where companies have several numbers, and one of them is that of this tax. Asked for with the
 * first number: the tables of all countries take a server's start a tenth of its time.
 */
function taxed(country: CountryCode): readonly Validator[] | undefined {
  if (country !== 'IN') return undefined
  const gstin = stdnum['IN']?.['gstin']
  return gstin === undefined ? [] : [gstin]
}
