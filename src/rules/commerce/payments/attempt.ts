import type { Instant } from '../../../std/instant.ts'
import type { Payment } from './payment.ts'

/** What an attempt to be paid is about; what is absent is as in an attempt of nobody's. */
export type AttemptTerms = Pick<
  Payment,
  | 'paymentId'
  | 'brandId'
  | 'customerId'
  | 'purpose'
  | 'processor'
  | 'currency'
  | 'totalAmount'
  | 'tax'
  | 'lines'
  | 'products'
  | 'billing'
  | 'token'
> &
  Partial<Omit<Payment, 'status' | 'version' | 'createdAt' | 'updatedAt'>>

/**
 * A payment that nobody was asked for yet. It is written before its processor is asked, so that a
 * process that ends in between leaves something to ask again by. [payments#news]
 */
export const newAttempt = (terms: AttemptTerms, at: Instant): Payment => ({
  subscriptionId: null,
  sessionId: null,
  retryAttempt: 0,
  discounts: [],
  holdsUses: false,
  agreed: null,
  fromWallet: 0,
  taxId: null,
  customerBusinessName: null,
  metadata: {},
  customFields: [],
  card: null,
  paymentMethodId: null,
  forcesConfirmation: false,
  errorCode: null,
  errorMessage: null,
  paymentLink: null,
  abandoned: null,
  paidAt: null,
  refundStatus: null,
  disputeStatus: null,
  ...terms,
  status: 'requires_confirmation',
  version: 1,
  createdAt: at,
  updatedAt: at,
})
