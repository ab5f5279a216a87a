import assert from 'node:assert/strict'
import { absolute, formatDecimal, parseDecimal } from '../../std/decimal.ts'
import type { Currency } from '../commerce/currency.ts'
import { decimalsOf } from './currency-decimals.ts'

/**
 * An amount with its currency: whole smallest units (cents, yen, fils), never a fraction of one,
 * and never beyond ±(2⁵³−1). [resources#money]
 */
export interface Money {
  readonly amount: number
  readonly currency: Currency
}

export function asMoney(amount: number, currency: Currency): Money {
  assert(Number.isSafeInteger(amount), 'An amount of money is a whole number of smallest units.')
  // -0 is no other amount than 0, and would be written as one.
  return { amount: amount === 0 ? 0 : amount, currency }
}

export const noMoney = (currency: Currency): Money => asMoney(0, currency)

/** Money of two currencies has no sum. */
export function plusMoney(a: Money, b: Money): Money {
  assert(a.currency === b.currency, `There is no sum of ${a.currency} and ${b.currency}.`)
  return asMoney(a.amount + b.amount, a.currency)
}

export const minusMoney = (a: Money, b: Money): Money => plusMoney(a, { ...b, amount: -b.amount })

export const totalMoney = (all: readonly Money[], currency: Currency): Money =>
  all.reduce(plusMoney, noMoney(currency))

/** In major units, as people write it: `5` yen, `0.5` dollars, without zeros at the end. */
export const majorUnits = ({ amount, currency }: Money): string =>
  formatDecimal(BigInt(amount), decimalsOf(currency))

/** The same with all decimals of the currency, as people compare sums: `11.90` dollars, `5` yen. */
export function fullUnits({ amount, currency }: Money): string {
  const decimals = decimalsOf(currency)
  const text = majorUnits({ amount, currency })
  const written = text.split('.')[1]?.length ?? 0
  if (written === decimals) return text
  return `${text}${written === 0 ? '.' : ''}${'0'.repeat(decimals - written)}`
}

/**
 * Reads a plain decimal of major units. Null: it is none, is finer than the currency, or larger
 * than what is exact.
 */
export function moneyOf(text: string, currency: Currency): Money | null {
  const amount = parseDecimal(text, decimalsOf(currency))
  if (amount === null || absolute(amount) > BigInt(Number.MAX_SAFE_INTEGER)) return null
  return asMoney(Number(amount), currency)
}
