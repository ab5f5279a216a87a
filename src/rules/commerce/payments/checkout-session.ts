import type { Duration, Instant } from '../../../std/instant.ts'
import { after, hour, minute } from '../../../std/instant.ts'
import type { BillingAddress } from '../billing-address.ts'
import type { CatalogMetadata } from '../catalog/metadata.ts'
import type { IntentStatus, Payment, PurchasedProduct } from './payment.ts'

/** A field that the seller adds to the checkout page. */
export interface CustomField {
  readonly key: string
  readonly label: string
  readonly type: (typeof customFieldTypes)[number]
  readonly options: readonly string[]
  readonly placeholder: string | null
  readonly required: boolean
}

/** [resources#names-of-choices] */
export const customFieldTypes = [
  'text',
  'number',
  'email',
  'url',
  'date',
  'dropdown',
  'boolean',
] as const

export const editableDetails = [
  'city',
  'country',
  'email',
  'name',
  'state',
  'street',
  'tax_id',
  'zipcode',
] as const
export type EditableDetail = (typeof editableDetails)[number]

/** Who is to pay: a known customer, or as much as was told of a new one. */
export type CheckoutCustomer =
  | { readonly id: string }
  | { readonly email: string; readonly name: string | null; readonly phoneNumber: string | null }

/** What a caller asks to be paid for. [resources#checkout-sessions] */
export interface CheckoutRequest {
  readonly products: readonly PurchasedProduct[]
  /** Null: the page asks. */
  readonly customer: CheckoutCustomer | null
  readonly billing: Partial<BillingAddress> | null
  readonly returnUrl: string | null
  readonly cancelUrl: string | null
  readonly metadata: CatalogMetadata
  readonly taxId: string | null
  readonly customerBusinessName: string | null
  readonly customFields: readonly CustomField[]
  /** Whether a customer is made even where one has the e-mail. */
  readonly alwaysNewCustomer: boolean
  /** What the person who pays may change of what the session was told. */
  readonly editable: readonly EditableDetail[]
  readonly asksFor: {
    /** Country and postal code alone, rather than the whole address. */
    readonly minimalAddress: boolean
    readonly phoneNumber: 'never' | 'optional' | 'required'
    readonly taxId: boolean
  }
  /** Whether the holder of the card has to confirm, whatever the card says. */
  readonly forcesConfirmation: boolean
  readonly look: {
    readonly theme: 'dark' | 'light' | 'system'
    /** A language tag; null: the browser's. */
    readonly language: string | null
    readonly payButton: string | null
    readonly showsOrder: boolean
  }
  /** Whether the data are complete: then the session is short. */
  readonly confirmed: boolean
}

/** A purchase that waits to be paid, once. [resources#checkout-sessions] */
export interface CheckoutSession {
  readonly sessionId: string
  readonly request: CheckoutRequest
  /** The latest attempt to pay; null: nobody has tried. */
  readonly paymentId: string | null
  /** Set once it is paid: nobody can pay it again. */
  readonly completedAt: Instant | null
  readonly expiresAt: Instant
  readonly version: number
  readonly createdAt: Instant
}

const lasts = (request: CheckoutRequest): Duration => (request.confirmed ? 15 * minute : 24 * hour)

export const newSession = (
  sessionId: string,
  request: CheckoutRequest,
  at: Instant,
): CheckoutSession => ({
  sessionId,
  request,
  paymentId: null,
  completedAt: null,
  expiresAt: after(at, lasts(request)),
  version: 1,
  createdAt: at,
})

/** A processor is being asked, or has not said yet what became of it. */
const underWay: readonly IntentStatus[] = ['processing', 'requires_confirmation']

/**
 * Whether somebody can pay the session now: not once it is over, nor while an attempt is on its
 * way. [payments#one-way-to-be-paid]
 */
export function stateOfSession(
  session: CheckoutSession,
  latest: Pick<Payment, 'status'> | null,
  at: Instant,
): 'open' | 'consumed' | 'expired' | 'busy' {
  if (session.completedAt !== null || latest?.status === 'succeeded') return 'consumed'
  if (latest !== null && underWay.includes(latest.status)) return 'busy'
  return at >= session.expiresAt ? 'expired' : 'open'
}
