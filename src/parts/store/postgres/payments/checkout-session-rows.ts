import type {
  CheckoutRequest,
  CheckoutSession,
} from '../../../../rules/commerce/payments/checkout-session.ts'
import { plainDesign } from '../../../../rules/commerce/payments/page-design.ts'
import type { Instant } from '../../../../std/instant.ts'
import type { Scope } from '../../scope.ts'
import { timestamptz } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'
import type { PurchasedProductJson } from './purchased-product-json.ts'
import { purchasedProductFrom } from './purchased-product-json.ts'

/** A checkout session as the database has it. */
export interface CheckoutSessionRow {
  readonly session_id: string
  readonly request: CheckoutRequestJson
  readonly payment_id: string | null
  readonly completed_at: Instant | null
  readonly expires_at: Instant
  readonly version: number
  readonly created_at: Instant
}

type Added =
  | 'allows'
  | 'collectionId'
  | 'currency'
  | 'discountCodes'
  | 'offersSavedMethods'
  | 'onDemand'
  | 'returnsAtOnce'
  | 'settles'
  | 'trialPeriodDays'

type Look = CheckoutRequest['look']
type LaterLook = 'design' | 'inSteps' | 'showsOnDemand'

/** What is optional is absent in rows that were written before anybody could ask for it. */
type CheckoutRequestJson = Omit<CheckoutRequest, Added | 'look' | 'products'> &
  Partial<Pick<CheckoutRequest, Added>> & {
    readonly look: Omit<Look, LaterLook> & Partial<Pick<Look, LaterLook>>
    readonly products: readonly PurchasedProductJson[]
  }

const checkoutRequestFrom = (stored: CheckoutRequestJson): CheckoutRequest => ({
  collectionId: null,
  discountCodes: [],
  currency: null,
  allows: { discountCode: true, currency: true, addons: false },
  offersSavedMethods: false,
  onDemand: null,
  settles: null,
  returnsAtOnce: true,
  trialPeriodDays: null,
  ...stored,
  look: { design: plainDesign, inSteps: false, showsOnDemand: true, ...stored.look },
  products: stored.products.map(purchasedProductFrom),
})

export const checkoutSessionColumns = sql`
  session_id, request, payment_id, completed_at, expires_at, version, created_at`

export const checkoutSessionOf = (row: CheckoutSessionRow): CheckoutSession => ({
  sessionId: row.session_id,
  request: checkoutRequestFrom(row.request),
  paymentId: row.payment_id,
  completedAt: row.completed_at,
  expiresAt: row.expires_at,
  version: row.version,
  createdAt: row.created_at,
})

/** As write_checkout_sessions() takes it. */
export const checkoutSessionRow = (scope: Scope, session: CheckoutSession): object => ({
  business_id: scope.businessId,
  mode: scope.mode,
  session_id: session.sessionId,
  request: session.request,
  payment_id: session.paymentId,
  completed_at: timestamptz(session.completedAt),
  expires_at: timestamptz(session.expiresAt),
  version: session.version,
  created_at: timestamptz(session.createdAt),
})
