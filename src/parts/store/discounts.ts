import type { Customer } from '../../rules/commerce/catalog/customer.ts'
import type {
  Discount,
  DiscountCustomer,
  DiscountType,
} from '../../rules/commerce/discounts/discount.ts'
import type { Instant } from '../../std/instant.ts'
import type { Page, Scope } from './scope.ts'

/** Discounts; deleted ones are not there, as far as the port says nothing else. */
export interface Discounts {
  get(scope: Scope, discountId: string): Promise<Discount | null>

  /** The discount with this code, which is in capitals. */
  withCode(scope: Scope, code: string): Promise<Discount | null>

  /** Newest first; every filter that is not null must hold. */
  list(scope: Scope, filter: DiscountFilter, page: Page): Promise<readonly Discount[]>

  /** The customers that are attached to a discount, the last attached first. */
  customers(scope: Scope, discountId: string, page: Page): Promise<readonly Customer[]>

  /** Null: this customer is not attached to it. */
  attached(scope: Scope, discountId: string, customerId: string): Promise<DiscountCustomer | null>

  /** How often a customer has used each of these discounts; those never used are left out. */
  usesBy(
    scope: Scope,
    customerId: string,
    discountIds: readonly string[],
  ): Promise<ReadonlyMap<string, number>>
}

export interface DiscountFilter {
  /** Whether it can be redeemed at the moment `at`: started, not over, not used up. */
  readonly active: boolean | null
  readonly at: Instant
  /** A part of the code, in capitals. */
  readonly code: string | null
  readonly type: DiscountType | null
  /** Restricted to this product among others, or not restricted at all. */
  readonly productId: string | null
}
