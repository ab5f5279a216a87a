import type { NewId } from '../../std/id.ts'
import type { Instant } from '../../std/instant.ts'
import { after, day } from '../../std/instant.ts'
import type { Customer } from '../commerce/catalog/customer.ts'
import type { DisputeStatus } from '../commerce/disputes/dispute.ts'
import { answerWindow } from '../commerce/disputes/dispute.ts'
import type { Payment } from '../commerce/payments/payment.ts'
import { notCancelled } from '../commerce/subscriptions/subscription.ts'
import { disputeFact } from './dispute-facts.ts'
import type { OwnFact } from './fact.ts'
import { refundFact } from './refund-facts.ts'
import type { SubscriptionFactType, SubscriptionTold } from './subscription-facts.ts'

/** Where a sample happens. */
export interface SampleOf {
  readonly businessId: string
  readonly at: Instant
  readonly newId: NewId
}

export type FactSample = (of: SampleOf) => OwnFact

const customerOf = ({ at, newId }: SampleOf): Customer => ({
  customerId: newId('cus'),
  email: 'ada@example.com',
  name: 'Ada Sample',
  phoneNumber: null,
  metadata: {},
  createdAt: at,
  updatedAt: at,
})

const billing = { country: 'DE', city: 'Berlin', state: null, street: null, zipcode: '10115' }

const paymentOf = ({ at, businessId, newId }: SampleOf, customerId: string): Payment => ({
  paymentId: newId('pay'),
  brandId: businessId,
  customerId,
  subscriptionId: null,
  sessionId: null,
  purpose: 'purchase',
  retryAttempt: 0,
  status: 'processing',
  processor: 'sandbox',
  currency: 'USD',
  totalAmount: 1_190,
  tax: 190,
  lines: [{ itemId: newId('pdt'), name: 'Sample', description: null, amount: 1_000, tax: 190 }],
  products: [],
  discounts: [],
  holdsUses: false,
  agreed: null,
  fromWallet: 0,
  abandoned: null,
  billing,
  taxId: null,
  customerBusinessName: null,
  metadata: {},
  customFields: [],
  token: null,
  card: null,
  paymentMethodId: null,
  forcesConfirmation: false,
  errorCode: null,
  errorMessage: null,
  paymentLink: null,
  paidAt: null,
  refundStatus: null,
  disputeStatus: null,
  version: 1,
  createdAt: at,
  updatedAt: at,
})

const paymentSample =
  (status: 'succeeded' | 'failed' | 'processing' | 'cancelled'): FactSample =>
  (of) => {
    const customer = customerOf(of)
    const failed = status === 'failed'
    const payment: Payment = {
      ...paymentOf(of, customer.customerId),
      status,
      paidAt: status === 'succeeded' ? of.at : null,
      errorCode: failed ? 'CARD_DECLINED' : null,
      errorMessage: failed ? 'The card was declined.' : null,
    }
    const { customerId } = customer
    return { type: `payment.${status}`, data: { customerId, payment, customer } }
  }

const refundSample =
  (outcome: 'succeeded' | 'failed'): FactSample =>
  (of) => {
    const { at, newId } = of
    const customer = customerOf(of)
    const payment = paymentOf(of, customer.customerId)
    const refund = {
      refundId: newId('ref'),
      paymentId: payment.paymentId,
      brandId: payment.brandId,
      customerId: customer.customerId,
      subscriptionId: null,
      status: outcome,
      currency: payment.currency,
      amount: 595,
      tax: 95,
      lines: payment.lines.map(({ itemId }) => ({ itemId, amount: 595, tax: 95 })),
      isPartial: true,
      asked: null,
      reason: 'A sample',
      metadata: {},
      version: 1,
      createdAt: at,
      updatedAt: at,
    }
    return refundFact(outcome, refund, customer)
  }

const disputeSample =
  (status: DisputeStatus): FactSample =>
  (of) => {
    const { at, newId } = of
    const customer = customerOf(of)
    const payment = paymentOf(of, customer.customerId)
    const dispute = {
      disputeId: newId('dis'),
      paymentId: payment.paymentId,
      brandId: payment.brandId,
      customerId: customer.customerId,
      status,
      stage: 'dispute',
      currency: payment.currency,
      amount: payment.totalAmount,
      resolvedRapidly: false,
      reason: 'fraudulent',
      remarks: null,
      answerBy: after(at, answerWindow),
      version: 1,
      createdAt: at,
      updatedAt: at,
    } as const
    return disputeFact(dispute, customer)
  }

type ToldStatus = SubscriptionTold['subscription']['status']

const subscriptionSample =
  (type: SubscriptionFactType, status: ToldStatus = 'active'): FactSample =>
  (of) => {
    const customer = customerOf(of)
    return {
      type,
      data: {
        customerId: customer.customerId,
        customer,
        subscription: subscriptionOf(of, customer.customerId, status),
        carts: [],
        meters: [],
      },
    }
  }

function subscriptionOf(
  { at, businessId, newId }: SampleOf,
  customerId: string,
  status: ToldStatus,
): SubscriptionTold['subscription'] {
  return {
    subscriptionId: newId('sub'),
    customerId,
    productId: newId('pdt'),
    brandId: businessId,
    status,
    quantity: 1,
    currency: 'USD',
    recurringPreTaxAmount: 1_000,
    addons: [],
    discounts: [],
    taxInclusive: false,
    frequency: { count: 1, interval: 'Month' },
    period: { count: 1, interval: 'Year' },
    paymentId: newId('pay'),
    paymentMethodId: newId('pm'),
    dues: null,
    unbilled: [],
    billedUsage: null,
    onDemand: false,
    owed: 0,
    billing,
    metadata: {},
    cart: [],
    leaving: [],
    scheduled: null,
    cancellation: notCancelled,
    taxId: null,
    customerBusinessName: null,
    customerName: null,
    customFields: [],
    trialPeriodDays: 0,
    trialAmount: null,
    activatedAt: at,
    ended: null,
    pausedAt: status === 'paused' ? at : null,
    previousBillingDate: at,
    nextBillingDate: after(at, 30 * day),
    expiresAt: after(at, 365 * day),
    cancelledAt: status === 'cancelled' ? at : null,
    version: 1,
    createdAt: at,
    updatedAt: at,
  }
}

const dunningSample =
  (type: 'dunning.started' | 'dunning.recovered'): FactSample =>
  ({ at, businessId, newId }) => ({
    type,
    data: {
      customerId: newId('cus'),
      subscriptionId: newId('sub'),
      brandId: businessId,
      status: type === 'dunning.started' ? 'recovering' : 'recovered',
      trigger: 'on_hold',
      paymentId: newId('pay'),
      createdAt: at,
    },
  })

const abandonedSample =
  (type: 'abandoned_checkout.detected' | 'abandoned_checkout.recovered'): FactSample =>
  ({ at, businessId, newId }) => ({
    type,
    data: {
      customerId: newId('cus'),
      brandId: businessId,
      paymentId: newId('pay'),
      reason: 'payment_failed',
      abandonedAt: at,
      status: type === 'abandoned_checkout.detected' ? 'abandoned' : 'recovered',
      recoveredPaymentId: type === 'abandoned_checkout.detected' ? null : newId('pay'),
    },
  })

/** A sample of each kind that carries its own data. [webhooks#tests] */
export const ownSamples = {
  'payment.succeeded': paymentSample('succeeded'),
  'payment.failed': paymentSample('failed'),
  'payment.processing': paymentSample('processing'),
  'payment.cancelled': paymentSample('cancelled'),
  'refund.succeeded': refundSample('succeeded'),
  'refund.failed': refundSample('failed'),
  'dispute.opened': disputeSample('dispute_opened'),
  'dispute.expired': disputeSample('dispute_expired'),
  'dispute.accepted': disputeSample('dispute_accepted'),
  'dispute.cancelled': disputeSample('dispute_cancelled'),
  'dispute.challenged': disputeSample('dispute_challenged'),
  'dispute.won': disputeSample('dispute_won'),
  'dispute.lost': disputeSample('dispute_lost'),
  'subscription.active': subscriptionSample('subscription.active'),
  'subscription.renewed': subscriptionSample('subscription.renewed'),
  'subscription.on_hold': subscriptionSample('subscription.on_hold', 'on_hold'),
  'subscription.paused': subscriptionSample('subscription.paused', 'paused'),
  'subscription.unpaused': subscriptionSample('subscription.unpaused'),
  'subscription.cancelled': subscriptionSample('subscription.cancelled', 'cancelled'),
  'subscription.failed': subscriptionSample('subscription.failed', 'failed'),
  'subscription.expired': subscriptionSample('subscription.expired', 'expired'),
  'subscription.plan_changed': subscriptionSample('subscription.plan_changed'),
  'subscription.updated': subscriptionSample('subscription.updated'),
  'subscription.update_payment_method': subscriptionSample('subscription.update_payment_method'),
  'dunning.started': dunningSample('dunning.started'),
  'dunning.recovered': dunningSample('dunning.recovered'),
  'abandoned_checkout.detected': abandonedSample('abandoned_checkout.detected'),
  'abandoned_checkout.recovered': abandonedSample('abandoned_checkout.recovered'),
} as const satisfies Partial<Record<OwnFact['type'], FactSample>>
