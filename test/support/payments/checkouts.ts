import type { CheckoutRequest } from '../../../src/rules/commerce/payments/checkout-session.ts'
import { noChoices } from '../../../src/rules/commerce/payments/choices.ts'
import { plainDesign } from '../../../src/rules/commerce/payments/page-design.ts'
import type { PurchasedProduct } from '../../../src/rules/commerce/payments/payment.ts'

/** What a checkout is asked for. */
export const checkoutFor = (products: readonly PurchasedProduct[]): CheckoutRequest => ({
  products,
  collectionId: null,
  trialPeriodDays: null,
  onDemand: null,
  settles: null,
  discountCodes: [],
  currency: null,
  allows: { discountCode: true, currency: true, addons: false },
  customer: { email: 'ada@example.com', name: null, phoneNumber: null },
  billing: { country: 'DE' },
  returnUrl: null,
  cancelUrl: null,
  metadata: {},
  taxId: null,
  customerBusinessName: null,
  customFields: [],
  alwaysNewCustomer: true,
  editable: [],
  asksFor: { minimalAddress: false, phoneNumber: 'optional', taxId: true },
  forcesConfirmation: false,
  offersSavedMethods: false,
  returnsAtOnce: true,
  look: {
    theme: 'system',
    language: null,
    payButton: null,
    showsOrder: true,
    showsOnDemand: true,
    inSteps: false,
    design: plainDesign,
  },
  confirmed: false,
})

/** What its page sends. */
export const payingWith = (sessionId: string, number: string) => ({
  sessionId,
  details: {
    email: null,
    name: null,
    phoneNumber: null,
    billing: { country: null, city: null, state: null, street: null, zipcode: null },
    taxId: null,
    businessName: null,
    customFields: {},
  },
  choices: noChoices,
  agreedTotal: null,
  card: { number, expiry: '12/39', cvc: '123', holder: null },
})
