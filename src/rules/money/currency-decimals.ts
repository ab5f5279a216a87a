import * as iso4217 from 'dinero.js/currencies'
import type { Currency } from '../commerce/currency.ts'

/**
 * How many decimals a currency has behind the point: 0, 2 or 3, so that 500 is 5 dollars, 500 yen
 * and half a dinar. [resources#money]
 */
export const decimalsOf = (currency: Currency): number => decimals[currency]

const decimals: Readonly<Record<Currency, number>> = {
  ...exponents(iso4217),
  // No longer in the table, while prices in them may still be.
  ANG: 2,
  HRK: 2,
  SLL: 2,
  // A fifth is their smallest coin: nobody is charged fifths of an ariary; ouguiya have hundredths.
  MGA: 0,
  MRU: 2,
}

/** By code. Those of the table that are no currencies of ours do no harm. */
function exponents(table: object): Record<Currency, number> {
  const rows = Object.values(table as Readonly<Record<string, Row>>)
  return Object.fromEntries(rows.map(({ code, exponent }) => [code, exponent])) as Record<
    Currency,
    number
  >
}

interface Row {
  readonly code: string
  readonly exponent: number
}
