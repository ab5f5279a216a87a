/** Bounds of discounts. [resources#discounts] */
export const discountLimits = {
  /** Characters of a code. */
  codeMin: 3,
  codeMax: 16,
  /** Codes that act one after another on a cart. */
  perCartMax: 20,
  /** Products that one is restricted to, and customers that are attached at once. */
  productsMax: 1_000,
  customersMax: 1_000,
} as const
