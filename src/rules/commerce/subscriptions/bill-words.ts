import { limits } from '../../../limits.ts'
import { formatDecimal, parseDecimal } from '../../../std/decimal.ts'
import { decimalsOf } from '../../money/currency-decimals.ts'
import type { Currency } from '../currency.ts'
import type { MeterPeriod } from './usage-history.ts'

/** What one billing period adds to the line of a meter. */
export interface AddedUsage {
  readonly period: Omit<MeterPeriod, 'meterId'>
  /** In the currency's smallest unit. */
  readonly amount: number
}

/**
 * Says how a line of usage came to its amount: units, those that are free, and their price, for
 * each period that adds to it. [invoices#what-stands-on-it]
 */
export const usageWords = (currency: Currency, added: readonly AddedUsage[]): string =>
  `Usage: ${added.map((each) => periodWords(currency, each)).join('; and ')}`

function periodWords(currency: Currency, { amount, period }: AddedUsage): string {
  const { chargeable, consumed, freeThreshold, pricePerUnit, totalPrice } = period
  const words = [`${units(consumed)} units`]
  if (freeThreshold > 0n) words.push(`${units(freeThreshold)} of them free`)
  // Where terms have changed within the period, no one price explains it.
  if (isWorth(chargeable, pricePerUnit, totalPrice)) words.push(priceWords(currency, pricePerUnit))
  if (amount !== totalPrice) words.push('less what was billed before')
  return words.join(', ')
}

const units = (count: bigint): string => formatDecimal(count, limits.usageScale)

/** Prices are scaled by 10^12, the finest that they may be. [requests#numbers] */
const priceScale = 12

function isWorth(chargeable: bigint, pricePerUnit: string, totalPrice: number | null): boolean {
  const price = parseDecimal(pricePerUnit, priceScale) ?? 0n
  const whole = 10n ** BigInt(limits.usageScale + priceScale)
  return totalPrice !== null && (chargeable * price + whole / 2n) / whole === BigInt(totalPrice)
}

/** A price in the currency's smallest unit, as people write it: 2.5 is 0.025 EUR. */
function priceWords(currency: Currency, pricePerUnit: string): string {
  const price = parseDecimal(pricePerUnit, priceScale) ?? 0n
  return `at ${formatDecimal(price, priceScale + decimalsOf(currency))} ${currency} each`
}

/** Says what overage was billed: credits used beyond those granted, and their price. */
export const overageWords = (
  currency: Currency,
  of: { readonly credits: string; readonly unit: string; readonly pricePerUnit: string },
): string =>
  `Overage: ${of.credits} ${of.unit} beyond what was granted, ${priceWords(currency, of.pricePerUnit)}`
