import type { Discount } from '../../../../src/rules/commerce/discounts/discount.ts'
import type {
  DiscountedCart,
  DiscountedLine,
  Redeemer,
} from '../../../../src/rules/commerce/discounts/redeem.ts'
import { newcomer, redeem } from '../../../../src/rules/commerce/discounts/redeem.ts'
import { instantOf } from '../../../../src/std/instant.ts'

export const at = instantOf(1_800_000_000_000_000)

export const discount = (fields: Partial<Discount> = {}): Discount => ({
  discountId: 'dsc_1',
  code: 'SAVE',
  name: null,
  type: 'percentage',
  amount: 1_000,
  currencyOptions: [],
  customerEligibility: 'any',
  restrictedTo: [],
  usageLimit: null,
  perCustomerUsageLimit: null,
  startsAt: null,
  expiresAt: null,
  subscriptionCycles: null,
  preserveOnPlanChange: false,
  metadata: {},
  held: 0,
  timesUsed: 0,
  deletedAt: null,
  createdAt: at,
  updatedAt: at,
  ...fields,
})

export const line = (
  productId: string | null,
  original: number,
  left = original,
): DiscountedLine => ({
  productId,
  original,
  left,
})

export const cart = (...lines: readonly DiscountedLine[]): DiscountedCart => ({
  currency: 'USD',
  onDemand: false,
  lines,
})

export const option = (fields: Partial<Discount['currencyOptions'][number]> = {}) => ({
  currency: 'USD' as const,
  isDefault: true,
  minimumSubtotal: 0,
  maxAmountPossible: null,
  ...fields,
})

export const flat = (amount: number, fields: Partial<Discount> = {}): Discount =>
  discount({ type: 'flat', currencyOptions: [option({ maxAmountPossible: amount })], ...fields })

export const redeeming = (
  of: Discount,
  wanted: DiscountedCart = cart(line('pdt_1', 1_000)),
  redeemer: Redeemer = newcomer,
) => redeem({ discount: of, redeemer }, wanted, at)
