import { parseDecimal, powerOfTen } from '../../std/decimal.ts'
import type { CreditEntitlement } from '../commerce/catalog/credit-entitlement.ts'
import type { CreditSettings } from '../commerce/catalog/credit-settings.ts'
import type { CreditMapping, ProrationBehavior } from '../commerce/catalog/product.ts'
import { effectiveSettings, prorationOf, trialCreditsExpire } from '../commerce/catalog/product.ts'
import type { Rejection } from '../commerce/catalog/rejection.ts'
import { invalid } from '../commerce/catalog/rejection.ts'
import type { Credits } from './credits.ts'
import { credits, parseCredits } from './credits.ts'
import type { CreditTerms, OverageTerms, RolloverTerms } from './terms.ts'

/**
 * One entitlement in a subscription's cart. Every setting is decided at the purchase and kept with
 * the subscription, so a change of the product leaves running subscriptions as they are.
 * [resources#attached-credits]
 */
export interface CartItem extends CreditSettings {
  readonly creditEntitlementId: string
  readonly productId: string
  /** Per unit of the subscription's quantity; decimal text. */
  readonly creditsAmount: string
  readonly lowBalanceThresholdPercent: number | null
  readonly prorationBehavior: ProrationBehavior
  readonly trialCredits: string | null
  readonly trialCreditsExpireAfterTrial: boolean
  /**
   * The values that the subscription's own settings replaced; they hold again when those are
   * cleared.
   */
  readonly overridden?: Partial<Overridable>
}

/** The settings that a subscription may have of its own. [resources#attached-credits] */
export type Overridable = Pick<
  CartItem,
  | 'creditsAmount'
  | 'expiresAfterDays'
  | 'lowBalanceThresholdPercent'
  | 'maxRolloverCount'
  | 'overageEnabled'
  | 'overageLimit'
  | 'rolloverEnabled'
  | 'rolloverPercentage'
  | 'rolloverTimeframeCount'
  | 'rolloverTimeframeInterval'
>

export function cartItem(
  mapping: CreditMapping,
  entitlement: CreditEntitlement,
  productId: string,
): CartItem {
  return {
    ...effectiveSettings(mapping, entitlement),
    creditEntitlementId: entitlement.creditEntitlementId,
    productId,
    creditsAmount: mapping.creditsAmount,
    lowBalanceThresholdPercent: mapping.lowBalanceThresholdPercent,
    prorationBehavior: prorationOf(mapping),
    trialCredits: mapping.trialCredits,
    trialCreditsExpireAfterTrial: trialCreditsExpire(mapping),
  }
}

/** The item's settings as exact quantities of the entitlement's precision. */
export function termsOf(item: CartItem, precision: number): CreditTerms {
  return {
    entitlementId: item.creditEntitlementId,
    amount: amountOf(item.creditsAmount, precision),
    overage: overageTermsOf(item, precision),
    rollover: rolloverTermsOf(item),
    expiresAfterDays: item.expiresAfterDays,
    lowBalancePercent: item.lowBalanceThresholdPercent,
    trial: {
      amount: item.trialCredits === null ? null : amountOf(item.trialCredits, precision),
      expireAfterTrial: item.trialCreditsExpireAfterTrial,
    },
  }
}

export function rolloverTermsOf(item: CreditSettings): RolloverTerms {
  const { rolloverTimeframeCount: count, rolloverTimeframeInterval: interval } = item
  return {
    enabled: item.rolloverEnabled,
    percentage: item.rolloverPercentage,
    timeframe: count === null || interval === null ? null : { count, interval },
    countMax: item.maxRolloverCount,
  }
}

export function overageTermsOf(settings: CreditSettings, precision: number): OverageTerms {
  return {
    enabled: settings.overageEnabled,
    limit: settings.overageLimit === null ? null : amountOf(settings.overageLimit, precision),
    behavior: settings.overageBehavior,
  }
}

/**
 * Refuses a grant that the books cannot hold: 10^10 credits or more. `named` is the name of the
 * field for the message. [requests#numbers]
 */
export function grantedRejection(
  { creditsAmount, trialCredits }: Pick<CartItem, 'creditsAmount' | 'trialCredits'>,
  quantity: number,
  named: (field: 'credits_amount' | 'trial_credits') => string,
): Rejection | null {
  const most = powerOfTen(10 + finest)
  const fits = (text: string | null): boolean =>
    text === null || (parseDecimal(text, finest) ?? 0n) * BigInt(quantity) < most
  if (fits(creditsAmount) && fits(trialCredits)) return null
  const field = fits(creditsAmount) ? 'trial_credits' : 'credits_amount'
  return invalid(`${named(field)} times quantity must be below 10000000000.`)
}

/** Amounts were checked against the precision when they came in; more digits would be cut off. */
function amountOf(text: string, precision: number): Credits {
  const exact = parseCredits(text, precision)
  if (exact !== null) return exact
  const finer = parseCredits(text, finest) ?? credits(0n)
  return credits(finer / powerOfTen(finest - precision))
}

const finest = 28
