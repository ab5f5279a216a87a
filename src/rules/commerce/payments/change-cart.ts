import assert from 'node:assert/strict'
import { allocated } from '../../money/allocation.ts'
import { holdsOn, oneCycleOn } from '../discounts/discount.ts'
import type { Redemption } from '../discounts/redeem.ts'
import { takenAgain } from '../discounts/redeem.ts'
import type { ProrationMode } from '../proration-mode.ts'
import type { Charged } from '../subscriptions/owed.ts'
import { chargedTo } from '../subscriptions/owed.ts'
import type { Rest } from '../subscriptions/plan-change.ts'
import { chargeOf, shareOf } from '../subscriptions/plan-change.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import type { UnpricedLine } from './priced-lines.ts'
import { discountedCart, totalled } from './priced-lines.ts'
import type { RenewalCart, Renewing } from './renewal-cart.ts'
import { payableUsage, planLines, usageLine } from './renewal-cart.ts'
import { ratesIn, salePlace } from './sale-place.ts'

export interface ChangingCart extends Renewing {
  readonly mode: ProrationMode
  readonly rest: Rest
  /** What a cycle of the plan before costs, after the codes that have lowered it. */
  readonly from: number
}

export interface ChangeCart extends RenewalCart {
  /** The charge before tax, and what is owed to the customer through it. */
  readonly charged: Charged
}

/**
 * What a plan change charges at once: the new plan, with its add-ons, less what codes take off; of
 * that the rest of the cycle, where the mode prorates; less what the mode leaves of the old plan's
 * price, and less what is owed to the customer; and taxes on what is left. Preview and charge are
 * by this one function. The subscription is already on the new plan, with the codes that it is to
 * have; `usage` is what is billed besides. [subscriptions#plan-changes, resources#taxes]
 */
export function changeCart(changing: ChangingCart): ChangeCart {
  const { from, mode, product, rest, subscription, taxes } = changing
  const usage = payableUsage(changing.usage)
  const { billing, currency, discounts, owed, taxId } = subscription
  const plan = planLines(subscription, product)
  const holding = discounts.filter(holdsOn)
  const codes = holding.map(({ discount }) => discount)
  const redeemed = takenAgain(codes, discountedCart(plan, { currency, onDemand: false }))
  const whole = netOf(plan, redeemed)
  const charge = chargeOf(mode, { from, to: sum(whole) }, rest)
  const part = partOf({ lines: plan, redeemed, whole }, mode, rest)
  const lines = [...part.lines, ...usage.map((line) => usageLine(line, { product, subscription }))]
  const worth = sum(netOf(part.lines, part.redeemed)) - charge
  assert(worth >= 0, 'A plan change owes less than nothing.')
  const totals = totalled(lines, {
    redemptions: part.redeemed,
    owed: owed + worth,
    rateOf: ratesIn(salePlace(billing, taxId), taxes),
  })
  const charged = chargedTo(owed, charge + sum(usage.map(({ price }) => price)))
  return {
    ...totals,
    currency,
    charged,
    owed: charged.owed,
    discounts: discounts.map((kept) => (holding.includes(kept) ? oneCycleOn(kept) : kept)),
    paid: holding.map((kept, index) => ({
      ...oneCycleOn(kept),
      deduction: part.redeemed[index]?.deduction ?? 0,
    })),
  }
}

/** What a cycle of a subscription's plan costs after these of its codes. */
export function priceAfterCodes(
  subscription: Renewing['subscription'],
  discounts: Subscription['discounts'],
): number {
  const lines = planLines(subscription, { name: '', description: null, taxCategory: 'saas' })
  const { currency } = subscription
  const codes = discounts.map(({ discount }) => discount)
  return sum(netOf(lines, takenAgain(codes, discountedCart(lines, { currency, onDemand: false }))))
}

interface Priced {
  readonly lines: readonly UnpricedLine[]
  readonly redeemed: readonly Redemption[]
  /** Of each line, after the codes. */
  readonly whole: readonly number[]
}

/**
 * The same for the rest of the cycle, where the mode prorates: the sum of what codes have left is
 * rounded once, and shared among the lines. [resources#money]
 */
function partOf(
  { lines, redeemed, whole }: Priced,
  mode: ProrationMode,
  rest: Rest,
): Pick<Priced, 'lines' | 'redeemed'> {
  if (mode !== 'prorated_immediately') return { lines, redeemed }
  const net = allocated(shareOf(sum(whole), rest), whole)
  const taken = redeemed.map(({ discount, shares }) => {
    const parts = shares.map((share) => shareOf(share, rest))
    return { discount, shares: parts, deduction: sum(parts) }
  })
  return {
    redeemed: taken,
    lines: lines.map((line, index) => {
      const coded = sum(taken.map(({ shares }) => shares[index] ?? 0))
      const price = (net[index] ?? 0) + coded
      return { ...line, listed: price, original: price, price }
    }),
  }
}

const netOf = (
  lines: readonly UnpricedLine[],
  redeemed: readonly Redemption[],
): readonly number[] =>
  lines.map(({ price }, index) => price - sum(redeemed.map(({ shares }) => shares[index] ?? 0)))

const sum = (amounts: readonly number[]): number => amounts.reduce((all, each) => all + each, 0)
