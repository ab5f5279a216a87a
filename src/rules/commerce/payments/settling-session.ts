import type { Instant } from '../../../std/instant.ts'
import { after, day } from '../../../std/instant.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import type { CheckoutRequest, Settles } from './checkout-session.ts'
import { plainDesign } from './page-design.ts'
import type { Payment } from './payment.ts'

/**
 * A session whose page asks for nothing but a card: what it charges, and whom, its subscription
 * says. [payments#settling-sessions]
 */
export const settlingRequest = (
  { billing, customerId }: Pick<Subscription, 'billing' | 'customerId'>,
  settles: Settles,
  returnUrl: string | null,
): CheckoutRequest => ({
  products: [],
  collectionId: null,
  trialPeriodDays: null,
  onDemand: null,
  settles,
  discountCodes: [],
  currency: null,
  customer: { id: customerId },
  billing: { ...billing },
  returnUrl,
  cancelUrl: null,
  metadata: {},
  taxId: null,
  customerBusinessName: null,
  customFields: [],
  alwaysNewCustomer: false,
  editable: [],
  allows: { discountCode: false, currency: false, addons: false },
  asksFor: { minimalAddress: true, phoneNumber: 'never', taxId: false },
  forcesConfirmation: false,
  offersSavedMethods: false,
  returnsAtOnce: true,
  look: {
    theme: 'system',
    language: null,
    payButton: null,
    showsOrder: true,
    showsOnDemand: false,
    inSteps: false,
    design: plainDesign,
  },
  confirmed: false,
})

/** When the page of a payment that waits on one closes. */
export const settlesUntil = ({ createdAt }: Pick<Payment, 'createdAt'>): Instant =>
  after(createdAt, day)

/** Whether a later charge of the subscription is one of the card that has paid this on a page. */
export const keptFrom = (payment: Payment): string | null =>
  payment.sessionId !== null && payment.status === 'succeeded' ? payment.paymentMethodId : null
