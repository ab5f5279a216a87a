import type { Duration, Instant } from '../../../std/instant.ts'
import { after, hour, minute } from '../../../std/instant.ts'
import type { BillingAddress } from '../billing-address.ts'
import type { CatalogMetadata } from '../catalog/metadata.ts'
import type { Currency } from '../currency.ts'
import type { OnDemandStart } from '../subscriptions/on-demand.ts'
import type { PageDesign } from './page-design.ts'
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
  'business_name',
] as const
export type EditableDetail = (typeof editableDetails)[number]

/** Who is to pay: a known customer, or as much as was told of a new one. */
export type CheckoutCustomer =
  | { readonly id: string }
  | {
      /** Null: the page asks for it. */
      readonly email: string | null
      readonly name: string | null
      readonly phoneNumber: string | null
    }

/** What a session is about that sells nothing. [payments#settling-sessions] */
export interface Settles {
  readonly subscriptionId: string
  /** A card for it, which pays what it owes; or a change of its plan that waits for its payment. */
  readonly what: 'method' | 'plan_change'
}

/** What a caller asks to be paid for. [resources#checkout-sessions] */
export interface CheckoutRequest {
  /** None where the person who pays chooses one of a collection. */
  readonly products: readonly PurchasedProduct[]
  readonly collectionId: string | null
  /** Overrides the trial of the product that is chosen of the collection; null keeps it. */
  readonly trialPeriodDays: number | null
  /** Null: the subscription among the products, if there is one, charges itself. */
  readonly onDemand: OnDemandStart | null
  /** Null: it is a purchase. */
  readonly settles: Settles | null
  /** In the order in which they act, as they were told. */
  readonly discountCodes: readonly string[]
  /** What to pay in, where the products have prices in it; null: nobody has chosen. */
  readonly currency: Currency | null
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
  /** What the person who pays may choose besides. */
  readonly allows: {
    readonly discountCode: boolean
    readonly currency: boolean
    readonly addons: boolean
  }
  readonly asksFor: {
    /** Country and postal code alone, rather than the whole address. */
    readonly minimalAddress: boolean
    readonly phoneNumber: 'never' | 'optional' | 'required'
    readonly taxId: boolean
  }
  /** Whether the holder of the card has to confirm, whatever the card says. */
  readonly forcesConfirmation: boolean
  /**
   * Whether the page offers the saved methods of the customer, whom the seller has named by id: an
   * e-mail anybody can tell.
   */
  readonly offersSavedMethods: boolean
  /** Whether a paid session leads to its `returnUrl` by itself, or shows the way there. */
  readonly returnsAtOnce: boolean
  readonly look: {
    readonly theme: 'dark' | 'light' | 'system'
    /** A language tag; null: the browser's. */
    readonly language: string | null
    readonly payButton: string | null
    readonly showsOrder: boolean
    /** Whether the page says of a subscription on demand that it is one. */
    readonly showsOnDemand: boolean
    /** Whether the page asks who pays first, and for the way to pay after that. */
    readonly inSteps: boolean
    readonly design: PageDesign
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
  /**
   * Set once its purchase is paid: nobody can pay it again. Of a session that settles what a
   * subscription owes, its payment alone says so.
   */
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
 * The subscription that waited for it has failed, or the change of its plan is given up; a card can
 * be followed by another. [subscriptions#pending]
 */
const hasFailedForGood = (
  { request: { settles } }: CheckoutSession,
  latest: Pick<Payment, 'status' | 'subscriptionId'> | null,
): boolean =>
  settles?.what !== 'method' &&
  latest !== null &&
  latest.subscriptionId !== null &&
  (latest.status === 'failed' || latest.status === 'cancelled')

/**
 * Whether somebody can pay the session now: not once it is over, nor while an attempt is on its
 * way. [payments#one-way-to-be-paid]
 */
export function stateOfSession(
  session: CheckoutSession,
  latest: Pick<Payment, 'status' | 'subscriptionId'> | null,
  at: Instant,
): 'open' | 'consumed' | 'expired' | 'busy' {
  if (session.completedAt !== null || latest?.status === 'succeeded') return 'consumed'
  if (latest !== null && underWay.includes(latest.status)) return 'busy'
  return at >= session.expiresAt || hasFailedForGood(session, latest) ? 'expired' : 'open'
}
