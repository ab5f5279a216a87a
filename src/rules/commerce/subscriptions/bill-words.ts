import { limits } from '../../../limits.ts'
import { formatDecimal, parseDecimal } from '../../../std/decimal.ts'
import { decimalsOf } from '../../money/currency-decimals.ts'
import type { Currency } from '../currency.ts'
import type { LineWorth, OverageWorth, PeriodWorth, UsageWorth } from '../line-worth.ts'
import type { MeterPeriod } from './usage-history.ts'

/** What one billing period adds to the line of a meter. */
export interface AddedUsage {
  readonly period: Omit<MeterPeriod, 'meterId'>
  /** In the currency's smallest unit. */
  readonly amount: number
}

/**
 * How a line of usage came to its amount: units, those that are free, and their price, for each
 * period that adds to it. [invoices#what-stands-on-it]
 */
export const usageWorth = (currency: Currency, added: readonly AddedUsage[]): UsageWorth => ({
  kind: 'usage',
  periods: added.map((each) => periodWorth(currency, each)),
})

function periodWorth(currency: Currency, { amount, period }: AddedUsage): PeriodWorth {
  const { chargeable, consumed, freeThreshold, pricePerUnit, totalPrice } = period
  const isExplained = isWorth(chargeable, pricePerUnit, totalPrice)
  return {
    units: units(consumed),
    free: freeThreshold > 0n ? units(freeThreshold) : null,
    // Where terms have changed within the period, no one price explains it.
    price: isExplained ? majorPrice(currency, pricePerUnit) : null,
    isRest: amount !== totalPrice,
  }
}

const units = (count: bigint): string => formatDecimal(count, limits.usageScale)

/** Prices are scaled by 10^12, the finest that they may be. [requests#numbers] */
const priceScale = 12

function isWorth(chargeable: bigint, pricePerUnit: string, totalPrice: number | null): boolean {
  const price = parseDecimal(pricePerUnit, priceScale) ?? 0n
  const whole = 10n ** BigInt(limits.usageScale + priceScale)
  return totalPrice !== null && (chargeable * price + whole / 2n) / whole === BigInt(totalPrice)
}

/** What overage was billed: credits used beyond those granted, and their price. */
export const overageWorth = (
  currency: Currency,
  of: { readonly credits: string; readonly unit: string; readonly pricePerUnit: string },
): OverageWorth => ({
  kind: 'overage',
  credits: of.credits,
  unit: of.unit,
  price: majorPrice(currency, of.pricePerUnit),
})

/** A price in the currency's smallest unit, as people write it: 2.5 is 0.025 EUR. */
export const majorPrice = (currency: Currency, pricePerUnit: string): string =>
  formatDecimal(parseDecimal(pricePerUnit, priceScale) ?? 0n, priceScale + decimalsOf(currency))

/** The same in English, as the API describes the line. */
export function billWords(currency: Currency, worth: LineWorth): string {
  const each = (price: string) => `at ${price} ${currency} each`
  if (worth.kind === 'overage') {
    const { credits, price, unit } = worth
    return `Overage: ${credits} ${unit} beyond what was granted, ${each(price)}`
  }
  const periods = worth.periods.map(({ free, isRest, price, units }) =>
    [
      `${units} units`,
      ...(free === null ? [] : [`${free} of them free`]),
      ...(price === null ? [] : [each(price)]),
      ...(isRest ? ['less what was billed before'] : []),
    ].join(', '),
  )
  return `Usage: ${periods.join('; and ')}`
}
