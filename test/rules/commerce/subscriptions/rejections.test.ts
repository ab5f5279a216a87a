import { describe, expect, it } from 'vitest'
import type { CreditMapping, Product } from '../../../../src/rules/commerce/catalog/product.ts'
import { noLicense } from '../../../../src/rules/commerce/catalog/product-license.ts'
import type { PlanChangeFacts } from '../../../../src/rules/commerce/payments/wanted-change.ts'
import { wantedChange } from '../../../../src/rules/commerce/payments/wanted-change.ts'
import type { AskedStatus } from '../../../../src/rules/commerce/subscriptions/lifecycle.ts'
import { withStatus } from '../../../../src/rules/commerce/subscriptions/lifecycle.ts'
import { unscheduledRejection } from '../../../../src/rules/commerce/subscriptions/plan-change-rejection.ts'
import type { PlanChangeRequest } from '../../../../src/rules/commerce/subscriptions/plan-change-request.ts'
import type {
  Subscription,
  SubscriptionStatus,
} from '../../../../src/rules/commerce/subscriptions/subscription.ts'
import { subscriptionStatuses } from '../../../../src/rules/commerce/subscriptions/subscription.ts'
import type { SubscriptionPatch } from '../../../../src/rules/commerce/subscriptions/update.ts'
import { updatedBy } from '../../../../src/rules/commerce/subscriptions/update.ts'
import { entitlementFor, plainProgram } from '../../../support/billing/catalog.ts'
import { on, plan, running } from './subscribed.ts'

const at = on('2026-04-10')
const now = { at, log: at }
const scheduled = {
  id: 'spc_1',
  createdAt: at,
  productName: null,
  productDescription: null,
  plan,
  discounts: null,
  metadata: null,
}
const cancelling = { ...running.cancellation, scheduled: true }

const product: Product = {
  productId: 'pdt_2',
  brandId: 'brn_1',
  name: 'Plan',
  description: null,
  taxCategory: 'saas',
  addonIds: [],
  pricingMode: null,
  license: noLicense,
  entitlementIds: [],
  deliveryEntitlementId: null,
  imageId: null,
  collectionId: null,
  metadata: {},
  archivedAt: null,
  createdAt: at,
  updatedAt: at,
  creditEntitlements: [],
  price: {
    type: 'recurring_price',
    currency: 'USD',
    price: 100,
    discount: 0,
    purchasingPowerParity: false,
    taxInclusive: null,
    frequency: { count: 1, interval: 'Month' },
    period: { count: 1, interval: 'Year' },
    trialPeriodDays: 0,
    trialAmount: null,
    trialApplyDiscounts: false,
  },
}
const request: PlanChangeRequest = {
  subscriptionId: 'sub_1',
  productId: 'pdt_2',
  quantity: 1,
  mode: 'prorated_immediately',
  addons: [],
  discountCodes: null,
  waits: null,
  replaces: false,
  onFailure: null,
  metadata: null,
}
const deleted = {
  ...entitlementFor('cde_9', plainProgram, at),
  deletedAt: at,
}
const mapped = { creditEntitlementId: 'cde_9' } as CreditMapping

const unbilled = { lines: [], billed: null, metered: [] }
const paying = { hasMethod: true, taxes: [], usage: () => unbilled, lowering: [] }

const wanted = (facts: Partial<PlanChangeFacts>) =>
  wantedChange({
    before: running,
    request,
    product,
    entitlements: new Map(),
    addons: new Map(),
    claims: null,
    defaults: null,
    paying,
    at,
    newId: () => 'spc_2',
    ...facts,
  })

describe('a plan change [resources#subscriptions]', () => {
  it('is as it was asked', () => {
    expect(wanted({})).toMatchObject({ changeId: 'spc_2', plan: { productId: 'pdt_2' } })
    const replacing = { ...request, replaces: true }
    expect(wanted({ before: { ...running, scheduled }, request: replacing })).toHaveProperty('plan')
  })

  it('costs what a payment can be, with its taxes', () => {
    const price = { ...product.price, price: 1_000_000_000, discount: 0 } as Product['price']
    const dear = { product: { ...product, price } }
    expect(wanted({ ...dear, request: { ...request, quantity: 2 } })).toHaveProperty('plan')
    const refused = { code: 'INVALID_REQUEST_BODY' }
    expect(wanted({ ...dear, request: { ...request, quantity: 3 } })).toMatchObject(refused)
    const taxes = [{ country: 'DE' as const, region: null, category: null, rate: 190_000 }]
    const before = { ...running, billing: { ...running.billing, country: 'DE' as const } }
    const taxed = { ...dear, before, request: { ...request, quantity: 2 } }
    expect(wanted({ ...taxed, paying: { ...paying, taxes } })).toMatchObject(refused)
  })

  // Each case also has what is refused later: the order is part of the answer. [requests#refusals]
  const last = { request: { ...request, metadata: { a: 2 ** 60 } } }
  const foreign = {
    ...last,
    product: { ...product, price: { ...product.price, currency: 'EUR' as const } },
  }
  const unfit = { ...foreign, request: { ...last.request, quantity: 2 ** 50 } }
  const bringing = {
    ...unfit,
    product: { ...unfit.product, creditEntitlements: [mapped] },
    entitlements: new Map([['cde_9', deleted]]),
  }
  const impatient = { ...bringing, request: { ...unfit.request, waits: true } }
  const ending = { ...impatient, before: { ...running, cancellation: cancelling } }
  const paused = { ...ending, before: { ...ending.before, status: 'paused' as const } }
  const waiting = { ...paused, before: { ...paused.before, scheduled } }
  const archived = { ...waiting, product: { ...waiting.product, archivedAt: at } }

  it.each<[string, Partial<PlanChangeFacts>, string]>([
    ['PRODUCT_IS_DELETED', archived, 'choose another'],
    ['SCHEDULED_PLAN_CHANGE_EXISTS', waiting, 'cancel it first'],
    ['INACTIVE_SUBSCRIPTION_PLAN_CHANGE_NOT_SUPPORTED', paused, 'this one is paused'],
    ['PLAN_CHANGE_NOT_ALLOWED_FOR_SCHEDULED_CANCELLATION', ending, 'take that back first'],
    ['INVALID_PRORATION_MODE_WITH_NEXT_BILLING_DATE', impatient, 'full_immediately'],
    ['CREDIT_ENTITLEMENT_IS_DELETED', bringing, 'undelete it'],
    ['INVALID_REQUEST_BODY', unfit, 'quantity is too large'],
    ['UNSUPPORTED_ACTION', foreign, 'billed in USD'],
    ['INVALID_REQUEST_PARAMETERS', last, 'metadata.a'],
  ])('is refused: %s', (code, facts, problem) => {
    expect(wanted(facts)).toEqual({ code, problem: expect.stringContaining(problem) })
  })

  it('keeps a deleted credit entitlement that it carries [credits#deleted-entitlements]', () => {
    const [carried] = running.cart
    if (carried === undefined) throw new Error('An empty cart.')
    const before = { ...running, cart: [{ ...carried, creditEntitlementId: 'cde_9' }] }
    const facts = { product: { ...product, creditEntitlements: [mapped] } }
    expect(
      wanted({
        before,
        ...facts,
        entitlements: new Map([['cde_9', { ...deleted, precision: 0 }]]),
      }),
    ).not.toMatchObject({ code: 'CREDIT_ENTITLEMENT_IS_DELETED' })
  })

  it('can be taken back only while it waits', () => {
    expect(unscheduledRejection({ ...running, scheduled })).toBeNull()
    expect(unscheduledRejection(running)).toMatchObject({ code: 'SCHEDULED_PLAN_CHANGE_NOT_FOUND' })
  })
})

describe('a status that is asked for [resources#subscriptions]', () => {
  const may: Readonly<Record<AskedStatus, readonly SubscriptionStatus[]>> = {
    active: ['active', 'paused'],
    paused: ['paused', 'active'],
    cancelled: ['cancelled', 'active', 'on_hold', 'paused'],
  }
  const asked = ['active', 'paused', 'cancelled'] as const
  const pairs = asked.flatMap((to) => subscriptionStatuses.map((from) => [from, to] as const))

  it.each(pairs)('from %s to %s', (from, to) => {
    const before: Subscription = { ...running, status: from, pausedAt: at }
    const after = withStatus(before, to, now)
    if (from === to) expect(after).toBe(before)
    else if (may[to].includes(from)) expect(after).toMatchObject({ status: to })
    else {
      const problem = `A subscription that is ${from} cannot become ${to}.`
      expect(after).toEqual({ code: 'CONFLICT', problem })
    }
  })
})

describe('an update [resources#subscriptions]', () => {
  const update = (patch: SubscriptionPatch, before: Subscription = running) =>
    updatedBy(patch, before, { ...now, precisions: new Map() })
  const over: Subscription = { ...running, status: 'expired' }

  it('is one version, however many fields it has', () => {
    const both = update({ taxId: 'DE1', nextBillingDate: on('2026-05-10'), periodCount: 2 })
    expect(both).toMatchObject({ after: { version: running.version + 1, taxId: 'DE1' } })
  })

  it.each<[string, SubscriptionPatch, Subscription, string]>([
    [
      'SUBSCRIPTION_NOT_ON_DEMAND',
      { disablesOnDemand: on('2099-01-01') },
      running,
      'not on demand',
    ],
    ['SUBSCRIPTION_INACTIVE', { cancelAtNextBillingDate: true }, over, 'is expired already'],
    ['INVALID_REQUEST_BODY', { cancellationComment: 'why' }, running, 'need a cancellation'],
    ['SUBSCRIPTION_INACTIVE', { periodCount: 2 }, over, 'is expired already'],
    ['INVALID_REQUEST_BODY', { periodInterval: 'Day' }, running, 'only lengthen'],
    ['SUBSCRIPTION_INACTIVE', { cart: [{ creditEntitlementId: 'cde_1' }] }, over, 'expired'],
    ['INVALID_REQUEST_BODY', { cart: [{ creditEntitlementId: 'cde_8' }] }, running, 'cde_8'],
    ['SUBSCRIPTION_INACTIVE', { nextBillingDate: on('2026-05-10') }, over, 'this one is expired'],
    ['INVALID_REQUEST_BODY', { nextBillingDate: at }, running, 'in the future'],
    ['INVALID_REQUEST_BODY', { nextBillingDate: on('2028-01-01') }, running, '2027-01-31'],
    ['CONFLICT', { status: 'paused' }, over, 'expired cannot become paused'],
  ])('is refused: %s %j', (code, patch, before, problem) => {
    expect(update(patch, before)).toEqual({ code, problem: expect.stringContaining(problem) })
  })
})
