import assert from 'node:assert/strict'
import { groupBy } from '../../../std/group.ts'
import { allocated } from '../../money/allocation.ts'
import type { TaxRate } from '../../money/tax-split.ts'
import { taxAdded, taxIncluded } from '../../money/tax-split.ts'
import type { Currency } from '../currency.ts'
import type { DiscountedCart, Redemption } from '../discounts/redeem.ts'
import type { TaxCategory } from '../tax-category.ts'
import type { PaymentLine } from './payment.ts'

/** Something that is to be paid, before codes and taxes. Money is in the smallest unit. */
export interface UnpricedLine
  extends Pick<PaymentLine, 'itemId' | 'name' | 'description' | 'worth'> {
  /** Null: an add-on, or usage. */
  readonly productId: string | null
  /** Of all units at their original prices, by which a code's least subtotal is judged. */
  readonly listed: number
  /** Of all units, before the product's own discount. */
  readonly original: number
  /** Of all units, after it. */
  readonly price: number
  /** Whether codes lower it. */
  readonly takesCodes: boolean
  readonly taxCategory: TaxCategory
  readonly taxInclusive: boolean
}

/** The same as it is paid. */
export interface PaidLine extends UnpricedLine, PaymentLine {
  readonly taxRate: TaxRate
  /** What codes have taken off. */
  readonly coded: number
}

/** As the payment keeps it. */
export const paymentLine = ({
  itemId,
  name,
  description,
  amount,
  tax,
  worth,
}: PaymentLine): PaymentLine => ({
  itemId,
  name,
  description,
  amount,
  tax,
  ...(worth !== undefined && { worth }),
})

/** What a payment comes to. */
export interface PurchaseTotals<Line extends PaidLine = PaidLine> {
  readonly lines: readonly Line[]
  /** At original prices, which have their tax in them where they say so. */
  readonly subtotal: number
  /** What products' own discounts, codes and what was owed take off. */
  readonly discount: number
  /** All of it: also what is in prices that include theirs. */
  readonly tax: number
  readonly total: number
}

/** The lines as codes see them. */
export const discountedCart = (
  lines: readonly UnpricedLine[],
  { currency, onDemand }: { readonly currency: Currency; readonly onDemand: boolean },
): DiscountedCart => ({
  currency,
  onDemand,
  lines: lines.map(({ listed, price, productId, takesCodes }) => ({
    productId,
    original: listed,
    left: takesCodes ? price : 0,
  })),
})

export interface Takes {
  readonly redemptions: readonly Redemption[]
  /** What is owed to the customer and pays, as far as it goes: it lowers prices before tax. */
  readonly owed: number
  readonly rateOf: (category: TaxCategory) => TaxRate
}

/**
 * What lines come to: their prices, less what codes take off, less what was owed, with tax. A tax
 * is computed once on the sum of all lines that have its rate, and shared among them, so that no
 * unit is lost. [resources#money, resources#taxes]
 */
export function totalled<Line extends UnpricedLine>(
  lines: readonly Line[],
  { owed, rateOf, redemptions }: Takes,
): PurchaseTotals<Line & PaidLine> {
  const coded = lines.map((_, index) => sum(redemptions.map(({ shares }) => shares[index] ?? 0)))
  const afterCodes = lines.map(({ price }, index) => price - (coded[index] ?? 0))
  const used = Math.min(owed, sum(afterCodes))
  const paidBefore = allocated(used, afterCodes)
  const due = afterCodes.map((price, index) => price - (paidBefore[index] ?? 0))
  const rates = lines.map(({ taxCategory }) => rateOf(taxCategory))
  const taxes = taxesOf(lines, due, rates)
  const paid = lines.map((line, index) => {
    const [price = 0, tax = 0] = [due[index], taxes[index]]
    return {
      ...line,
      amount: line.taxInclusive ? price - tax : price,
      tax,
      taxRate: rates[index] ?? 0,
      coded: coded[index] ?? 0,
    }
  })
  const subtotal = sum(lines.map(({ original }) => original))
  const total = sum(paid.map(({ amount, tax }) => amount + tax))
  assert(due.every((price) => price >= 0) && total >= sum(due), 'A payment became negative.')
  return { lines: paid, subtotal, discount: subtotal - sum(due), tax: sum(taxes), total }
}

/** The tax of each line, on what is due for it. */
function taxesOf(
  lines: readonly UnpricedLine[],
  due: readonly number[],
  rates: readonly TaxRate[],
): readonly number[] {
  const taxes = lines.map(() => 0)
  const groups = groupBy([...lines.keys()], (index) =>
    [rates[index], lines[index]?.taxInclusive].join(),
  )
  for (const members of groups.values()) {
    const amounts = members.map((index) => due[index] ?? 0)
    const [first = 0] = members
    const taxed = lines[first]?.taxInclusive === true ? taxIncluded : taxAdded
    const shares = allocated(taxed(sum(amounts), rates[first] ?? 0).tax, amounts)
    for (const [place, index] of members.entries()) taxes[index] = shares[place] ?? 0
  }
  return taxes
}

const sum = (amounts: readonly number[]): number => amounts.reduce((all, each) => all + each, 0)
