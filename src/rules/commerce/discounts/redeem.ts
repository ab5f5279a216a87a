import type { Instant } from '../../../std/instant.ts'
import { formatInstant } from '../../../std/instant.ts'
import { allocated } from '../../money/allocation.ts'
import { majorUnits } from '../../money/money.ts'
import { percentOf } from '../../money/proration.ts'
import type { Currency } from '../currency.ts'
import type { CurrencyOption, CustomerEligibility, Discount } from './discount.ts'
import { isFor } from './discount.ts'
import { discountLimits } from './discount-limits.ts'

/** What a discount is to be redeemed for. Money is in the currency's smallest units. */
export interface DiscountedCart {
  readonly currency: Currency
  /** A subscription that is charged on demand takes no discounts. */
  readonly onDemand: boolean
  readonly lines: readonly DiscountedLine[]
}

export interface DiscountedLine {
  /** Null: an add-on. */
  readonly productId: string | null
  /** What all of the line costs at its original price. */
  readonly original: number
  /** What discounts before this one have left of it; 0 where none acts on it. */
  readonly left: number
}

/** What is known of who redeems. */
export interface Redeemer {
  /** Whether any payment of theirs has succeeded. */
  readonly hasPaid: boolean
  /** Whether the discount is open to them by name. */
  readonly attached: boolean
  /** How often they have redeemed it before. */
  readonly uses: number
}

/** Somebody who has not paid before. */
export const newcomer: Redeemer = { hasPaid: false, attached: false, uses: 0 }

/** What a discount takes off. */
export interface Redemption {
  readonly discount: Discount
  readonly deduction: number
  /** Of each line of the cart, in its order. */
  readonly shares: readonly number[]
}

/** Why a code takes nothing off. [resources#redemption] */
export const redemptionRefusals = [
  'DISCOUNT_CODE_EXPIRED',
  'DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED',
  'DISCOUNT_CUSTOMER_NOT_ELIGIBLE',
  'DISCOUNT_MINIMUM_SUBTOTAL_NOT_MET',
  'DISCOUNT_NOT_AVAILABLE_FOR_ON_DEMAND',
  'DISCOUNT_NOT_AVAILABLE_FOR_PRODUCT',
  'DISCOUNT_NOT_YET_ACTIVE',
  'DISCOUNT_PER_CUSTOMER_USAGE_LIMIT_EXCEEDED',
  'EXCHANGE_RATE_NOT_FOUND',
  'INVALID_DISCOUNT_CODE',
] as const

export interface RedemptionRefusal {
  readonly code: (typeof redemptionRefusals)[number]
  readonly problem: string
}

/** A discount, and who would redeem it. */
export interface Claim {
  readonly discount: Discount
  /** Null: nobody knows yet, so what depends on it is judged once somebody pays. */
  readonly redeemer: Redeemer | null
}

/**
 * What a discount takes off a cart at a moment, or why it takes nothing. A use counts only once the
 * store has counted it, which looks at both limits again. [resources#redemption]
 */
export function redeem(
  { discount, redeemer }: Claim,
  cart: DiscountedCart,
  at: Instant,
): Redemption | RedemptionRefusal {
  const option = optionIn(discount, cart.currency)
  const eligible = cart.lines.map((line) => isEligible(discount, line))
  const refusal =
    statusRefusal(discount, at) ??
    (redeemer === null ? null : eligibilityRefusal(discount, redeemer)) ??
    cartRefusal(discount, cart, eligible) ??
    optionRefusal(discount, cart.currency, option) ??
    minimumRefusal(discount, cart, { eligible, option }) ??
    limitRefusal(discount, redeemer)
  return refusal ?? takenOff(discount, cart)
}

/** What a discount takes off lines that it is for, without asking whether it may. */
function takenOff(discount: Discount, { currency, lines }: DiscountedCart): Redemption {
  const option = optionIn(discount, currency)
  const left = lines.map((line) => (isEligible(discount, line) ? line.left : 0))
  const deduction = deductionOf(discount, totalOf(left), option)
  return { discount, deduction, shares: allocated(deduction, left) }
}

/** The lines as a discount has left them. */
const leftBy = (
  { shares }: Redemption,
  lines: readonly DiscountedLine[],
): readonly DiscountedLine[] =>
  lines.map((line, index) => ({ ...line, left: line.left - (shares[index] ?? 0) }))

/**
 * What discounts that were redeemed before take off another payment of the same subscription, one
 * after another: nobody asks again whether they may. [resources#redemption]
 */
export function takenAgain(
  discounts: readonly Discount[],
  cart: DiscountedCart,
): readonly Redemption[] {
  let { lines } = cart
  return discounts.map((discount) => {
    const taken = takenOff(discount, { ...cart, lines })
    lines = leftBy(taken, lines)
    return taken
  })
}

/**
 * The same for several, one after another, each on what the last has left; the first that is
 * refused refuses all. [resources#redemption]
 */
export function redeemAll(
  claims: readonly Claim[],
  cart: DiscountedCart,
  at: Instant,
): readonly Redemption[] | RedemptionRefusal {
  if (claims.length > discountLimits.perCartMax) {
    return unknownCode(`There can be at most ${discountLimits.perCartMax} discounts at once.`)
  }
  const done: Redemption[] = []
  let { lines } = cart
  for (const claim of claims) {
    const { discountId, code } = claim.discount
    if (done.some(({ discount }) => discount.discountId === discountId)) {
      return unknownCode(`The discount code '${code}' stands there twice.`)
    }
    const redeemed = redeem(claim, { ...cart, lines }, at)
    if ('problem' in redeemed) return redeemed
    done.push(redeemed)
    lines = leftBy(redeemed, lines)
  }
  return done
}

/**
 * Why a discount that can be redeemed has no use left for a payment now: others hold the last ones.
 * They may still fail, so it is worth another try. [resources#redemption]
 */
export function heldRefusal({ code, held, timesUsed, usageLimit }: Discount): HeldRefusal | null {
  if (usageLimit === null || timesUsed + held < usageLimit) return null
  const problem = `Somebody else is just paying with the last use of the discount code '${code}'; try again.`
  return { code: 'DISCOUNT_CONCURRENT_REDEMPTION', problem }
}

export interface HeldRefusal {
  readonly code: 'DISCOUNT_CONCURRENT_REDEMPTION'
  readonly problem: string
}

const isUsedUp = ({ usageLimit, timesUsed }: Discount): boolean =>
  usageLimit !== null && timesUsed >= usageLimit

/** A restricted one is for products alone, and no add-on is one. */
const isEligible = (discount: Discount, { productId }: DiscountedLine): boolean =>
  productId === null ? discount.restrictedTo.length === 0 : isFor(discount, productId)

const totalOf = (amounts: readonly number[]): number =>
  amounts.reduce((all, amount) => all + amount, 0)

function statusRefusal(discount: Discount, at: Instant): RedemptionRefusal | null {
  const { code, startsAt, expiresAt, deletedAt } = discount
  if (deletedAt !== null) return unknownCode(`There is no discount with the code '${code}'.`)
  if (startsAt !== null && at < startsAt) {
    const problem = `The discount code '${code}' holds from ${formatInstant(startsAt)} on.`
    return { code: 'DISCOUNT_NOT_YET_ACTIVE', problem }
  }
  if (expiresAt === null || at < expiresAt) return null
  const problem = `The discount code '${code}' held until ${formatInstant(expiresAt)}.`
  return { code: 'DISCOUNT_CODE_EXPIRED', problem }
}

const unknownCode = (problem: string): RedemptionRefusal => ({
  code: 'INVALID_DISCOUNT_CODE',
  problem,
})

function eligibilityRefusal(
  { code, customerEligibility }: Discount,
  redeemer: Redeemer,
): RedemptionRefusal | null {
  if (isOpenTo(customerEligibility, redeemer)) return null
  const problem = `The discount code '${code}' is not open to this customer.`
  return { code: 'DISCOUNT_CUSTOMER_NOT_ELIGIBLE', problem }
}

function isOpenTo(eligibility: CustomerEligibility, { hasPaid, attached }: Redeemer): boolean {
  switch (eligibility) {
    case 'any':
      return true
    case 'first_time':
      return !hasPaid
    case 'existing':
      return hasPaid
    case 'specific':
      return attached
  }
}

function cartRefusal(
  { code }: Discount,
  { onDemand }: DiscountedCart,
  eligible: readonly boolean[],
): RedemptionRefusal | null {
  if (onDemand) {
    const problem = `The discount code '${code}' does not go with a subscription on demand.`
    return { code: 'DISCOUNT_NOT_AVAILABLE_FOR_ON_DEMAND', problem }
  }
  if (eligible.includes(true)) return null
  const problem = `The discount code '${code}' is for none of these products.`
  return { code: 'DISCOUNT_NOT_AVAILABLE_FOR_PRODUCT', problem }
}

const optionIn = ({ currencyOptions }: Discount, currency: Currency): CurrencyOption | null =>
  currencyOptions.find((option) => option.currency === currency) ?? null

/** Amounts in other currencies mean nothing here without a rate, and there are none. */
function optionRefusal(
  { code, currencyOptions }: Discount,
  currency: Currency,
  option: CurrencyOption | null,
): RedemptionRefusal | null {
  const [other] = currencyOptions
  if (option !== null || other === undefined) return null
  const problem = `The discount code '${code}' has amounts in ${other.currency}, and there is no exchange rate to ${currency}.`
  return { code: 'EXCHANGE_RATE_NOT_FOUND', problem }
}

function minimumRefusal(
  { code }: Discount,
  { lines, currency }: DiscountedCart,
  of: { readonly eligible: readonly boolean[]; readonly option: CurrencyOption | null },
): RedemptionRefusal | null {
  const minimum = of.option?.minimumSubtotal ?? 0
  const counted = lines.filter((_, index) => of.eligible[index])
  if (totalOf(counted.map(({ original }) => original)) >= minimum) return null
  const least = majorUnits({ amount: minimum, currency })
  const problem = `The discount code '${code}' needs products for at least ${least} ${currency}.`
  return { code: 'DISCOUNT_MINIMUM_SUBTOTAL_NOT_MET', problem }
}

/** Last, since all else would still be wrong once there is a use again. [requests#refusals] */
function limitRefusal(discount: Discount, redeemer: Redeemer | null): RedemptionRefusal | null {
  const { code, perCustomerUsageLimit } = discount
  const uses = redeemer?.uses ?? 0
  if (isUsedUp(discount)) {
    const problem = `The discount code '${code}' is used up.`
    return { code: 'DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED', problem }
  }
  if (perCustomerUsageLimit === null || uses < perCustomerUsageLimit) return null
  const problem = `This customer has used the discount code '${code}' as often as it allows.`
  return { code: 'DISCOUNT_PER_CUSTOMER_USAGE_LIMIT_EXCEEDED', problem }
}

function deductionOf(discount: Discount, left: number, option: CurrencyOption | null): number {
  const bound = Math.min(left, option?.maxAmountPossible ?? left)
  return discount.type === 'flat' ? bound : Math.min(bound, percentOf(left, discount.amount))
}
