import type { CartItem, Overridable } from '../../../../rules/accounts/attached-credits.ts'
import type { OverageBehavior } from '../../../../rules/commerce/catalog/credit-settings.ts'
import type { ProrationBehavior } from '../../../../rules/commerce/catalog/product.ts'
import type { Currency } from '../../../../rules/commerce/currency.ts'
import type { TimeInterval } from '../../../../std/calendar.ts'

/**
 * How an item of a subscription's cart lies in a jsonb column, and in a plan that waits. Its names
 * are part of what is kept: statements look for some of them, too.
 */
export interface CartItemJson extends OverridableJson {
  readonly creditEntitlementId: string
  readonly productId: string
  readonly overageBehavior: OverageBehavior
  readonly pricePerUnit: string | null
  readonly currency: Currency | null
  readonly prorationBehavior: ProrationBehavior
  readonly trialCredits: string | null
  readonly trialCreditsExpireAfterTrial: boolean
  /** Left out until a setting is overridden. */
  readonly overridden?: Partial<OverridableJson>
}

interface OverridableJson {
  readonly creditsAmount: string
  readonly expiresAfterDays: number | null
  readonly lowBalanceThresholdPercent: number | null
  readonly maxRolloverCount: number | null
  readonly overageEnabled: boolean
  readonly overageLimit: string | null
  readonly rolloverEnabled: boolean
  readonly rolloverPercentage: number | null
  readonly rolloverTimeframeCount: number | null
  readonly rolloverTimeframeInterval: TimeInterval | null
}

export const cartFrom = (stored: readonly CartItemJson[]): readonly CartItem[] =>
  stored.map((item) => ({
    ...itemFrom(item),
    ...(item.overridden === undefined ? {} : { overridden: hiddenFrom(item.overridden) }),
  }))

export const cartJson = (cart: readonly CartItem[]): readonly CartItemJson[] =>
  cart.map((item) => ({
    ...itemJson(item),
    ...(item.overridden === undefined ? {} : { overridden: hiddenJson(item.overridden) }),
  }))

const itemFrom = (stored: CartItemJson): CartItem => ({
  creditEntitlementId: stored.creditEntitlementId,
  productId: stored.productId,
  overageBehavior: stored.overageBehavior,
  pricePerUnit: stored.pricePerUnit,
  currency: stored.currency,
  prorationBehavior: stored.prorationBehavior,
  trialCredits: stored.trialCredits,
  trialCreditsExpireAfterTrial: stored.trialCreditsExpireAfterTrial,
  creditsAmount: stored.creditsAmount,
  expiresAfterDays: stored.expiresAfterDays,
  lowBalanceThresholdPercent: stored.lowBalanceThresholdPercent,
  maxRolloverCount: stored.maxRolloverCount,
  overageEnabled: stored.overageEnabled,
  overageLimit: stored.overageLimit,
  rolloverEnabled: stored.rolloverEnabled,
  rolloverPercentage: stored.rolloverPercentage,
  rolloverTimeframeCount: stored.rolloverTimeframeCount,
  rolloverTimeframeInterval: stored.rolloverTimeframeInterval,
})

const itemJson = (item: CartItem): CartItemJson => ({
  creditEntitlementId: item.creditEntitlementId,
  productId: item.productId,
  overageBehavior: item.overageBehavior,
  pricePerUnit: item.pricePerUnit,
  currency: item.currency,
  prorationBehavior: item.prorationBehavior,
  trialCredits: item.trialCredits,
  trialCreditsExpireAfterTrial: item.trialCreditsExpireAfterTrial,
  creditsAmount: item.creditsAmount,
  expiresAfterDays: item.expiresAfterDays,
  lowBalanceThresholdPercent: item.lowBalanceThresholdPercent,
  maxRolloverCount: item.maxRolloverCount,
  overageEnabled: item.overageEnabled,
  overageLimit: item.overageLimit,
  rolloverEnabled: item.rolloverEnabled,
  rolloverPercentage: item.rolloverPercentage,
  rolloverTimeframeCount: item.rolloverTimeframeCount,
  rolloverTimeframeInterval: item.rolloverTimeframeInterval,
})

const hiddenFrom = (stored: Partial<OverridableJson>): Partial<Overridable> =>
  present<Overridable>({
    creditsAmount: stored.creditsAmount,
    expiresAfterDays: stored.expiresAfterDays,
    lowBalanceThresholdPercent: stored.lowBalanceThresholdPercent,
    maxRolloverCount: stored.maxRolloverCount,
    overageEnabled: stored.overageEnabled,
    overageLimit: stored.overageLimit,
    rolloverEnabled: stored.rolloverEnabled,
    rolloverPercentage: stored.rolloverPercentage,
    rolloverTimeframeCount: stored.rolloverTimeframeCount,
    rolloverTimeframeInterval: stored.rolloverTimeframeInterval,
  })

const hiddenJson = (hidden: Partial<Overridable>): Partial<OverridableJson> =>
  present<OverridableJson>({
    creditsAmount: hidden.creditsAmount,
    expiresAfterDays: hidden.expiresAfterDays,
    lowBalanceThresholdPercent: hidden.lowBalanceThresholdPercent,
    maxRolloverCount: hidden.maxRolloverCount,
    overageEnabled: hidden.overageEnabled,
    overageLimit: hidden.overageLimit,
    rolloverEnabled: hidden.rolloverEnabled,
    rolloverPercentage: hidden.rolloverPercentage,
    rolloverTimeframeCount: hidden.rolloverTimeframeCount,
    rolloverTimeframeInterval: hidden.rolloverTimeframeInterval,
  })

const present = <T extends object>(
  fields: {
    readonly [K in keyof T]: T[K] | undefined
  },
): Partial<T> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Partial<T>
