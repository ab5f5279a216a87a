import assert from 'node:assert/strict'
import { limits } from '../../../limits.ts'
import type { Frequency } from '../../../std/calendar.ts'
import { addIntervals } from '../../../std/calendar.ts'
import { parseDecimal, powerOfTen } from '../../../std/decimal.ts'
import type { Instant } from '../../../std/instant.ts'
import { day } from '../../../std/instant.ts'
import type { CartItem } from '../../accounts/attached-credits.ts'
import { cartItem, grantedRejection, termsOf } from '../../accounts/attached-credits.ts'
import { earliest, expiryAfter } from '../../accounts/commands.ts'
import type { Credits } from '../../accounts/credits.ts'
import { credits } from '../../accounts/credits.ts'
import type { Link, Stretch } from '../../meter/route.ts'
import { usage } from '../../meter/route.ts'
import type { CarriedAddon } from '../catalog/addon.ts'
import { priceOfAddons } from '../catalog/addon.ts'
import type { CreditEntitlement } from '../catalog/credit-entitlement.ts'
import type { MeterPrice, Price, RecurringPrice, UsageBasedPrice } from '../catalog/price.ts'
import { baseAmount, isRecurring, metersOf } from '../catalog/price.ts'
import type { Product } from '../catalog/product.ts'
import { invalid } from '../catalog/rejection.ts'
import type { Currency } from '../currency.ts'
import type { SubscribedPlan } from './subscription.ts'
import type { SubscriptionRejection } from './subscription-rejection.ts'
import { isRejection } from './subscription-rejection.ts'

/** What a customer is about to subscribe to. */
export interface SubscriptionStart {
  readonly product: Product
  /** Every entitlement that the product maps. */
  readonly entitlements: ReadonlyMap<string, CreditEntitlement>
  readonly quantity: number
  readonly addons: readonly CarriedAddon[]
  /** Overrides the trial of the product; null keeps it. */
  readonly trialPeriodDays: number | null
  readonly at: Instant
}

/** What a subscription begins with. */
export interface Started {
  readonly currency: Currency
  readonly taxInclusive: boolean
  /** What its activation charges, in the currency's smallest unit. */
  readonly firstCharge: number
  readonly recurringPreTaxAmount: number
  readonly addons: readonly CarriedAddon[]
  readonly frequency: Frequency
  readonly period: Frequency
  readonly trialPeriodDays: number
  readonly stretches: readonly Stretch[]
  readonly cart: readonly CartItem[]
  readonly nextBillingDate: Instant
  readonly expiresAt: Instant
  readonly grants: readonly StartingGrant[]
}

/** Credits that activation issues. [credits#grants] */
export interface StartingGrant {
  readonly entitlementId: string
  readonly amount: Credits
  readonly cycleAt: Instant
  readonly expiresAt: Instant | null
}

/**
 * What a product gives to its subscribers. [resources#subscriptions, resources#prices,
 * resources#attached-credits]
 */
export function planOf(
  of: Pick<SubscriptionStart, 'addons' | 'product' | 'entitlements' | 'quantity'>,
): SubscribedPlan | SubscriptionRejection {
  const { addons, product, quantity } = of
  const { price, productId, brandId } = product
  if (!isRecurring(price)) {
    const problem = 'product_id must name a recurring or usage-based product.'
    return invalid(problem)
  }
  if (price.type === 'usage_based_price' && quantity !== 1) {
    const problem = 'quantity must be 1: a usage-based product is billed by its usage.'
    return { code: 'INVALID_QUANTITY', problem }
  }
  const recurringPreTaxAmount = discounted(price) * quantity + priceOfAddons(addons)
  if (!Number.isSafeInteger(recurringPreTaxAmount)) {
    // Too large for a JSON number. [requests#numbers]
    const problem = `quantity is too large: times the price it is more than ${Number.MAX_SAFE_INTEGER}.`
    return invalid(problem)
  }
  const cart = cartOf(of)
  for (const item of cart) {
    const named = (field: string): string =>
      `${field} of credit entitlement '${item.creditEntitlementId}'`
    const rejection = grantedRejection(item, quantity, named)
    if (rejection !== null) return rejection
  }
  return {
    productId,
    brandId,
    quantity,
    currency: price.currency,
    recurringPreTaxAmount,
    addons,
    taxInclusive: price.taxInclusive ?? false,
    frequency: price.frequency,
    period: price.period,
    links: metersOf(price).map(subscribedLink),
    cart,
  }
}

/**
 * The terms, cycles and first credits of a new subscription. [resources#subscriptions,
 * resources#prices, resources#attached-credits, credits#grants]
 */
export function startSubscription(start: SubscriptionStart): Started | SubscriptionRejection {
  const plan = planOf(start)
  if (isRejection(plan)) return plan
  const { price } = start.product
  assert(isRecurring(price))
  const { cart, quantity, recurringPreTaxAmount, frequency, period } = plan
  const trialPeriodDays = trialDays(price, start.trialPeriodDays)
  const nextBillingDate = firstCycleEnd(price, trialPeriodDays, start.at)
  const expiresAt = addIntervals(start.at, period, 1)
  if (trialPeriodDays > 0 && nextBillingDate > expiresAt) return tooLong(start.at, expiresAt)
  return {
    currency: plan.currency,
    taxInclusive: plan.taxInclusive,
    firstCharge: trialPeriodDays > 0 ? trialAmount(price) * quantity : recurringPreTaxAmount,
    recurringPreTaxAmount,
    addons: plan.addons,
    frequency,
    period,
    trialPeriodDays,
    stretches: stretchesOf(plan, trialPeriodDays, start.at),
    cart,
    nextBillingDate,
    expiresAt,
    grants: grantsOf(start, cart, trialPeriodDays),
  }
}

/** [subscriptions#endings] */
function tooLong(at: Instant, end: Instant): SubscriptionRejection {
  const days = Math.floor((end - at) / day)
  const problem = `trial_period_days must not be longer than the subscription's period, which ends after ${days} days.`
  return invalid(problem)
}

/**
 * The trial that a subscription begins with, and what it costs; null: none. [subscriptions#trials]
 */
export function trialOf(
  price: RecurringPrice | UsageBasedPrice,
  asked: number | null,
): { readonly days: number; readonly amount: number } | null {
  const days = trialDays(price, asked)
  return days === 0 ? null : { days, amount: trialAmount(price) }
}

const trialDays = (price: RecurringPrice | UsageBasedPrice, asked: number | null): number =>
  asked ?? (price.type === 'recurring_price' ? price.trialPeriodDays : 0)

const trialAmount = (price: RecurringPrice | UsageBasedPrice): number =>
  price.type === 'recurring_price' ? (price.trialAmount ?? 0) : 0

/** Whether a trial of it is paid. */
export const costsInTrial = (price: Price): boolean =>
  price.type === 'recurring_price' && (price.trialAmount ?? 0) > 0

/** Rounded half up to the smallest unit. [resources#prices] */
function discounted(price: RecurringPrice | UsageBasedPrice): number {
  return Math.floor((baseAmount(price) * (100 - price.discount) + 50) / 100)
}

/**
 * A trial is a cycle of its own; the paid cycles are counted from its end. [subscriptions#trials]
 */
function stretchesOf(
  { links, frequency }: SubscribedPlan,
  trialPeriodDays: number,
  at: Instant,
): readonly Stretch[] {
  if (trialPeriodDays === 0) return [{ from: at, anchor: at, frequency, links }]
  const trial: Frequency = { count: trialPeriodDays, interval: 'Day' }
  const end = addIntervals(at, trial, 1)
  return [
    { from: at, anchor: at, frequency: trial, links },
    { from: end, anchor: end, frequency, links },
  ]
}

const firstCycleEnd = (
  price: RecurringPrice | UsageBasedPrice,
  trialPeriodDays: number,
  at: Instant,
): Instant =>
  trialPeriodDays > 0
    ? addIntervals(at, { count: trialPeriodDays, interval: 'Day' }, 1)
    : addIntervals(at, price.frequency, 1)

export function subscribedLink(meter: MeterPrice): Link {
  const { meterId, creditEntitlementId, meterUnitsPerCredit: units } = meter
  return {
    meterId,
    entitlementId: creditEntitlementId,
    unitsPerCredit:
      creditEntitlementId === null || units === null
        ? null
        : parseDecimal(units, limits.usageScale),
    freeThreshold: usage(BigInt(meter.freeThreshold ?? 0) * powerOfTen(limits.usageScale)),
    pricePerUnit: meter.pricePerUnit,
  }
}

function cartOf({
  product,
  entitlements,
}: Pick<SubscriptionStart, 'product' | 'entitlements'>): readonly CartItem[] {
  return product.creditEntitlements.flatMap((mapping) => {
    const entitlement = entitlements.get(mapping.creditEntitlementId)
    return entitlement === undefined ? [] : [cartItem(mapping, entitlement, product.productId)]
  })
}

/** A trial issues trial credits, or none; a paid cycle issues the full amount, times quantity. */
function grantsOf(
  { entitlements, quantity, at }: SubscriptionStart,
  cart: readonly CartItem[],
  trialPeriodDays: number,
): readonly StartingGrant[] {
  return cart.flatMap((item) => {
    const precision = entitlements.get(item.creditEntitlementId)?.precision ?? 0
    const terms = termsOf(item, precision)
    const inTrial = trialPeriodDays > 0
    const each = inTrial ? terms.trial.amount : terms.amount
    if (each === null || each === 0n) return []
    const trialEnd = addIntervals(at, { count: Math.max(trialPeriodDays, 1), interval: 'Day' }, 1)
    return [
      {
        entitlementId: item.creditEntitlementId,
        amount: credits(each * BigInt(quantity)),
        // Trial credits that outlive the trial belong to the first paid cycle.
        // [subscriptions#trials]
        cycleAt: inTrial && !terms.trial.expireAfterTrial ? trialEnd : at,
        expiresAt: earliest(
          expiryAfter(terms.expiresAfterDays, at),
          inTrial && terms.trial.expireAfterTrial ? trialEnd : null,
        ),
      },
    ]
  })
}
