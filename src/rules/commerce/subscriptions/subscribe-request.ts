import type { CatalogMetadata } from '../catalog/metadata.ts'
import type { BillingAddress } from './subscription.ts'

/** A subscription as somebody asks for it. */
export interface SubscribeRequest {
  /** By the id, or one to be found by the e-mail, or else made. */
  readonly customer:
    | { readonly id: string }
    | { readonly email: string; readonly name: string; readonly phoneNumber: string | null }
  readonly productId: string
  readonly quantity: number
  readonly trialPeriodDays: number | null
  readonly billing: BillingAddress
  readonly metadata: CatalogMetadata
  readonly taxId: string | null
  readonly customerBusinessName: string | null
}
