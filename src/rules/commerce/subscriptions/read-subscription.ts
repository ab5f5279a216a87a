import type { Instant } from '../../../std/instant.ts'
import type { CartItem } from '../../accounts/attached-credits.ts'
import type { ReadAccount } from '../../accounts/read-account.ts'
import type { Customer } from '../catalog/customer.ts'
import type { Subscription } from './subscription.ts'

/** A subscription, with what a read shows of other objects. */
export interface ReadSubscription {
  readonly businessId: string
  readonly subscription: Subscription
  readonly customer: Customer
  readonly productName: string | null
  readonly at: Instant
}

/** One entitlement of a subscription's cart, with the customer's account under it. */
export interface ReadCart {
  readonly item: CartItem
  readonly name: string
  readonly unit: string
  /** The account of all subscriptions and gifts together; null where nothing has happened yet. */
  readonly account: ReadAccount | null
}
