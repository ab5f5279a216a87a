import type { BillingAddress } from '../billing-address.ts'
import type { CatalogMetadata } from '../catalog/metadata.ts'

/** A subscription as a caller asks for it. */
export interface SubscribeRequest {
  /** Named by its id; or to be found by the e-mail, and made if there is none. */
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
