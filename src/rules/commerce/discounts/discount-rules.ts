import { wholeBasisPoints } from '../../money/proration.ts'
import type { Rejection } from '../catalog/rejection.ts'
import { invalid } from '../catalog/rejection.ts'
import type { CurrencyOption, Discount } from './discount.ts'
import { discountLimits } from './discount-limits.ts'

/** Why a discount is refused: a code of the API, and a sentence. [requests#refusals] */
export interface DiscountRejection {
  readonly code: Rejection['code'] | 'INVALID_PERCENTAGE' | 'DISCOUNT_CURRENCY_OPTION_INVALID'
  readonly problem: string
}

type Judged = Pick<
  Discount,
  | 'amount'
  | 'code'
  | 'currencyOptions'
  | 'expiresAt'
  | 'perCustomerUsageLimit'
  | 'startsAt'
  | 'type'
  | 'usageLimit'
>

/**
 * What is wrong with a discount as a whole, as it would be after a change. The schema has judged
 * each field by itself. [resources#discounts]
 */
export function discountRejection(discount: Judged): DiscountRejection | null {
  return (
    codeRejection(discount.code) ??
    amountRejection(discount) ??
    limitRejection(discount) ??
    timeRejection(discount) ??
    optionsRejection(discount)
  )
}

const codeCharacters = /^[^\s\p{C}]+$/u

/** Of a code in capitals: those of a few letters are longer than what was sent. */
function codeRejection(code: string): DiscountRejection | null {
  const { codeMin: min, codeMax: max } = discountLimits
  const { length } = [...code]
  if (length >= min && length <= max && codeCharacters.test(code)) return null
  return invalid(`code must be ${min} to ${max} characters without blanks.`)
}

function amountRejection({ type, amount }: Judged): DiscountRejection | null {
  if (type === 'flat' || (amount >= 1 && amount <= wholeBasisPoints)) return null
  return {
    code: 'INVALID_PERCENTAGE',
    problem: `amount must be 1 to ${wholeBasisPoints} basis points of a percentage.`,
  }
}

function limitRejection({ usageLimit, perCustomerUsageLimit }: Judged): DiscountRejection | null {
  if (usageLimit === null || perCustomerUsageLimit === null) return null
  if (perCustomerUsageLimit <= usageLimit) return null
  return invalid('per_customer_usage_limit must not be above usage_limit.')
}

function timeRejection({ startsAt, expiresAt }: Judged): DiscountRejection | null {
  if (startsAt === null || expiresAt === null || startsAt < expiresAt) return null
  return invalid('starts_at must be before expires_at.')
}

/** A flat discount takes off what its options say, so it must have them. */
function optionsRejection({ type, currencyOptions }: Judged): DiscountRejection | null {
  if (new Set(currencyOptions.map(({ currency }) => currency)).size < currencyOptions.length) {
    return wrongOption('currency_options must name each currency once.')
  }
  const defaults = currencyOptions.filter(({ isDefault }) => isDefault)
  if (defaults.length > 1) return wrongOption('currency_options must have one default.')
  if (type === 'percentage') return null
  if (defaults.length === 0) {
    return wrongOption(
      'currency_options must have a default: a flat discount takes off what it says.',
    )
  }
  const index = currencyOptions.findIndex(({ maxAmountPossible }) => maxAmountPossible === null)
  if (index === -1) return null
  return wrongOption(
    `currency_options[${index}].max_amount_possible is required: it is what a flat discount takes off.`,
  )
}

const wrongOption = (problem: string): DiscountRejection => ({
  code: 'DISCOUNT_CURRENCY_OPTION_INVALID',
  problem,
})

/** The only one is the default, whether or not it says so. */
export const withDefault = (options: readonly CurrencyOption[]): readonly CurrencyOption[] =>
  options.length === 1 ? options.map((option) => ({ ...option, isDefault: true })) : options

/** A code is the same in any case; it is kept in capitals. */
export const codeInCapitals = (text: string): string => text.toUpperCase()
