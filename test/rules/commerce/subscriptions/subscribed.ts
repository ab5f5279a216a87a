import type { CartItem } from '../../../../src/rules/accounts/attached-credits.ts'
import type {
  SubscribedPlan,
  Subscription,
} from '../../../../src/rules/commerce/subscriptions/subscription.ts'
import { notCancelled } from '../../../../src/rules/commerce/subscriptions/subscription.ts'
import type { Instant } from '../../../../src/std/instant.ts'
import { formatInstant } from '../../../../src/std/instant.ts'
import { instantAt } from '../../../support/store/scratch-store.ts'

export const on = (text: string): Instant => instantAt(`${text}T00:00:00Z`)
export const date = (at: Instant | null): string | null =>
  at === null ? null : formatInstant(at).slice(0, 10)
const month = { count: 1, interval: 'Month' } as const
const year = { count: 1, interval: 'Year' } as const

export const item = (creditEntitlementId: string, rest: Partial<CartItem> = {}): CartItem => ({
  creditEntitlementId,
  productId: 'pdt_1',
  creditsAmount: '100',
  expiresAfterDays: null,
  rolloverEnabled: true,
  rolloverPercentage: null,
  rolloverTimeframeCount: null,
  rolloverTimeframeInterval: null,
  maxRolloverCount: null,
  overageEnabled: false,
  overageBehavior: 'forgive_at_reset',
  overageLimit: null,
  pricePerUnit: null,
  currency: null,
  lowBalanceThresholdPercent: null,
  prorationBehavior: 'no_prorate',
  trialCredits: null,
  trialCreditsExpireAfterTrial: false,
  ...rest,
})

export const plan: SubscribedPlan = {
  productId: 'pdt_2',
  brandId: 'brn_1',
  quantity: 2,
  currency: 'USD',
  recurringPreTaxAmount: 8_000,
  addons: [],
  taxInclusive: false,
  frequency: month,
  period: year,
  links: [],
  cart: [item('cde_2'), item('cde_3')],
}

export const running: Subscription = {
  subscriptionId: 'sub_1',
  customerId: 'cus_1',
  productId: 'pdt_1',
  brandId: 'brn_1',
  status: 'active',
  quantity: 1,
  currency: 'USD',
  recurringPreTaxAmount: 3_000,
  addons: [],
  discounts: [],
  taxInclusive: false,
  frequency: month,
  period: year,
  paymentId: null,
  owed: 0,
  paymentMethodId: null,
  dues: null,
  onDemand: false,
  charging: null,
  unbilled: [],
  billedUsage: null,
  billing: { city: null, country: 'DE', state: null, street: null, zipcode: null },
  metadata: {},
  stretches: [{ from: on('2026-01-31'), anchor: on('2026-01-31'), frequency: month, links: [] }],
  cart: [item('cde_1'), item('cde_2')],
  leaving: [],
  scheduled: null,
  changing: null,
  cancellation: notCancelled,
  taxId: null,
  customerBusinessName: null,
  customerName: null,
  customFields: [],
  trialPeriodDays: 0,
  trialAmount: null,
  activatedAt: on('2026-01-31'),
  ended: null,
  pauses: [],
  pausedAt: null,
  previousBillingDate: on('2026-03-31'),
  nextBillingDate: on('2026-04-30'),
  expiresAt: on('2027-01-31'),
  cancelledAt: null,
  version: 7,
  createdAt: on('2026-01-31'),
  updatedAt: on('2026-03-31'),
}
