import type { Instant } from '../../../std/instant.ts'
import { after, laterOf, microsecond } from '../../../std/instant.ts'
import type { CatalogMetadata } from '../catalog/metadata.ts'
import type { Currency } from '../currency.ts'

export const discountTypes = ['percentage', 'flat'] as const
export type DiscountType = (typeof discountTypes)[number]

export const customerEligibilities = ['any', 'first_time', 'existing', 'specific'] as const
export type CustomerEligibility = (typeof customerEligibilities)[number]

/** A code that takes something off what a cart costs. [resources#discounts] */
export interface Discount {
  readonly discountId: string
  /** In capitals, and no other discount's as long as this one is not deleted. */
  readonly code: string
  readonly name: string | null
  readonly type: DiscountType
  /** Basis points of a percentage; without meaning for a flat one. */
  readonly amount: number
  /** At most one for each currency, and one of them the default. */
  readonly currencyOptions: readonly CurrencyOption[]
  readonly customerEligibility: CustomerEligibility
  /** Products that it is for; none: for everything, add-ons included. */
  readonly restrictedTo: readonly string[]
  readonly usageLimit: number | null
  readonly perCustomerUsageLimit: number | null
  /** Null: at once. */
  readonly startsAt: Instant | null
  /** It holds until then, and no longer at that moment. */
  readonly expiresAt: Instant | null
  /** How many payments of a subscription it lowers; null: all of them. */
  readonly subscriptionCycles: number | null
  readonly preserveOnPlanChange: boolean
  readonly metadata: CatalogMetadata
  /** How often it was redeemed; the store alone counts. */
  readonly timesUsed: number
  /** Uses that payments on their way hold; the store alone counts them, too. */
  readonly held: number
  readonly deletedAt: Instant | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** What a discount takes off in one currency, in its smallest units. */
export interface CurrencyOption {
  readonly currency: Currency
  readonly isDefault: boolean
  /** What the eligible lines must cost at their original prices; 0: anything. */
  readonly minimumSubtotal: number
  /** What a flat discount takes off, and a percentage at most; null: no bound. */
  readonly maxAmountPossible: number | null
}

/** A discount as a caller asks for one; a null code is to be made up. */
export type WantedDiscount = Omit<
  Discount,
  'code' | 'discountId' | 'held' | 'timesUsed' | 'deletedAt' | 'createdAt' | 'updatedAt'
> & { readonly code: string | null }

/** What a caller changes; the rest stays. */
export type DiscountChanges = Partial<WantedDiscount & Pick<Discount, 'code'>>

/** Every change has a later time. */
export const changedDiscount = (
  discount: Discount,
  changes: DiscountChanges,
  at: Instant,
): Discount => ({
  ...discount,
  ...changes,
  updatedAt: laterOf(at, after(discount.updatedAt, microsecond)),
})

/** Frees its code. What it was redeemed for keeps it. */
export const deletedDiscount = (discount: Discount, at: Instant): Discount => ({
  ...changedDiscount(discount, {}, at),
  deletedAt: at,
})

/** One customer to whom a discount for specific ones is open. */
export interface DiscountCustomer {
  readonly discountId: string
  readonly customerId: string
  readonly attachedAt: Instant
}

/**
 * A discount as it was when it was redeemed: what becomes of it afterwards changes no payment and
 * no subscription. [resources#redemption]
 */
export interface KeptDiscount {
  readonly discount: Discount
  /** How many more payments of the subscription it lowers; null: all of them. */
  readonly cyclesRemaining: number | null
}

/** Whether it lowers another payment of its subscription. [resources#redemption] */
export const holdsOn = ({ cyclesRemaining }: KeptDiscount): boolean =>
  cyclesRemaining === null || cyclesRemaining > 0

/** The same after one payment more that it has lowered. */
export const oneCycleOn = (kept: KeptDiscount): KeptDiscount =>
  kept.cyclesRemaining === null || kept.cyclesRemaining === 0
    ? kept
    : { ...kept, cyclesRemaining: kept.cyclesRemaining - 1 }

/** Whether it is for a product. */
export const isFor = ({ restrictedTo }: Discount, productId: string): boolean =>
  restrictedTo.length === 0 || restrictedTo.includes(productId)

/** Whether it stays with a subscription that changes to another product. */
export const staysWithPlan = (discount: Discount, productId: string): boolean =>
  discount.preserveOnPlanChange && isFor(discount, productId)

/** A discount that lowered a payment, and by how much. */
export interface PaidDiscount extends KeptDiscount {
  readonly deduction: number
}

/** That a discount was redeemed: once for each payment that it was used for. */
export interface DiscountUse {
  readonly discountId: string
  /** The payment that it was used for. */
  readonly usedFor: string
  readonly customerId: string
  readonly usedAt: Instant
}
