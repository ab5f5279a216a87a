import type { PlanChangeDefaults } from '../catalog/collection.ts'
import type { CatalogMetadata } from '../catalog/metadata.ts'
import type { WantedCarriedAddon } from '../payments/payment.ts'
import type { ProrationMode } from '../proration-mode.ts'

/** A plan change as a caller asks for it. [subscriptions#plan-changes] */
export interface PlanChangeRequest {
  readonly subscriptionId: string
  readonly productId: string
  readonly quantity: number
  readonly mode: ProrationMode
  /** All that it is to carry from then on. */
  readonly addons: readonly WantedCarriedAddon[]
  /** In place of the codes that it has; null: those that stay through such a change. */
  readonly discountCodes: readonly string[] | null
  /** Whether it waits for the next billing date; null: as the product's collection says. */
  readonly waits: boolean | null
  /** Whether it replaces a change that is already scheduled. */
  readonly replaces: boolean
  /** What a failed payment does; null: as the product's collection says. */
  readonly onFailure: PlanChangeDefaults['onPaymentFailure']
  /** Metadata of the payment that the change makes; null: the subscription's. */
  readonly metadata: CatalogMetadata | null
}
