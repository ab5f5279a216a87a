import type { Instant } from '../../../std/instant.ts'
import type { Meter } from '../../meter/meter.ts'
import type { PricingMode } from '../pricing-mode.ts'
import type { TaxCategory } from '../tax-category.ts'
import type { Addon } from './addon.ts'
import type { CreditEntitlement } from './credit-entitlement.ts'
import type { CreditSettings } from './credit-settings.ts'
import type { CatalogMetadata } from './metadata.ts'
import type { Price } from './price.ts'
import type { ProductLicense } from './product-license.ts'

export const prorationBehaviors = ['prorate', 'no_prorate'] as const
export type ProrationBehavior = (typeof prorationBehaviors)[number]

export interface Product {
  readonly productId: string
  readonly brandId: string
  readonly name: string
  readonly description: string | null
  readonly taxCategory: TaxCategory
  readonly price: Price
  readonly creditEntitlements: readonly CreditMapping[]
  /** Add-ons that a subscription to it may carry. */
  readonly addonIds: readonly string[]
  /** Null: there is only the base price. */
  readonly pricingMode: PricingMode | null
  /** The collection that holds it, which alone says so; null: none. */
  readonly collectionId: string | null
  readonly metadata: CatalogMetadata
  readonly license: ProductLicense
  /** Entitlements to something other than credits that it brings. */
  readonly entitlementIds: readonly string[]
  /** The one of them that is the product's own files; null: it has none. */
  readonly deliveryEntitlementId: string | null
  /** Null: it has no image. */
  readonly imageId: string | null
  readonly archivedAt: Instant | null
  readonly createdAt: Instant
  /** Rises with every change, and so distinguishes one state of the product from the next. */
  readonly updatedAt: Instant
}

/** A product as a caller asks for it. */
export interface WantedProduct
  extends Pick<
    Product,
    | 'name'
    | 'description'
    | 'taxCategory'
    | 'price'
    | 'addonIds'
    | 'pricingMode'
    | 'license'
    | 'metadata'
  > {
  /** Null: the primary brand. */
  readonly brandId: string | null
  readonly creditEntitlements: readonly WantedMapping[]
  readonly entitlementIds: readonly string[]
  /** Null: it has no files of its own. */
  readonly delivery: WantedDelivery | null
}

/** A product's own files; absent fields stay as they are. [entitlements#files-of-a-product] */
export interface WantedDelivery {
  readonly externalUrl?: string | null
  readonly instructions?: string | null
  readonly fileIds?: readonly string[]
}

/** The fields to change; absent fields stay as they are. Lists replace what there was. */
export type ProductChange = Partial<Omit<WantedProduct, 'brandId' | 'license'>> & {
  readonly license?: Partial<ProductLicense>
  readonly brandId?: string
  readonly imageId?: string | null
}

/**
 * An entitlement attached to a product. Stored as it was sent: a null inherits from the
 * entitlement, also after the entitlement has changed. [resources#attached-credits]
 */
export interface CreditMapping extends Overrides {
  readonly mappingId: string
  readonly creditEntitlementId: string
  /** Decimal text. */
  readonly creditsAmount: string
  readonly lowBalanceThresholdPercent: number | null
  readonly prorationBehavior: ProrationBehavior | null
  readonly trialCredits: string | null
  readonly trialCreditsExpireAfterTrial: boolean | null
}

export type WantedMapping = Omit<CreditMapping, 'mappingId'>

/** The overrides of a mapping that leaves every setting to the entitlement. */
export const inherited: Omit<WantedMapping, 'creditEntitlementId' | 'creditsAmount'> = {
  currency: null,
  expiresAfterDays: null,
  lowBalanceThresholdPercent: null,
  maxRolloverCount: null,
  overageBehavior: null,
  overageEnabled: null,
  overageLimit: null,
  pricePerUnit: null,
  prorationBehavior: null,
  rolloverEnabled: null,
  rolloverPercentage: null,
  rolloverTimeframeCount: null,
  rolloverTimeframeInterval: null,
  trialCredits: null,
  trialCreditsExpireAfterTrial: null,
}

type Overrides = { readonly [Setting in keyof CreditSettings]: CreditSettings[Setting] | null }

/** The objects that a product names, archived and deleted ones included. */
export interface ProductParts {
  readonly meters: ReadonlyMap<string, Meter>
  readonly entitlements: ReadonlyMap<string, CreditEntitlement>
  readonly addons: ReadonlyMap<string, Addon>
}

/**
 * The settings that hold for a product's credits: the mapping's own where set, else the
 * entitlement's.
 */
export function effectiveSettings(
  mapping: CreditMapping,
  entitlement: CreditEntitlement,
): CreditSettings {
  return {
    expiresAfterDays: mapping.expiresAfterDays ?? entitlement.expiresAfterDays,
    rolloverEnabled: mapping.rolloverEnabled ?? entitlement.rolloverEnabled,
    rolloverPercentage: mapping.rolloverPercentage ?? entitlement.rolloverPercentage,
    rolloverTimeframeCount: mapping.rolloverTimeframeCount ?? entitlement.rolloverTimeframeCount,
    rolloverTimeframeInterval:
      mapping.rolloverTimeframeInterval ?? entitlement.rolloverTimeframeInterval,
    maxRolloverCount: mapping.maxRolloverCount ?? entitlement.maxRolloverCount,
    overageEnabled: mapping.overageEnabled ?? entitlement.overageEnabled,
    overageBehavior: mapping.overageBehavior ?? entitlement.overageBehavior,
    overageLimit: mapping.overageLimit ?? entitlement.overageLimit,
    pricePerUnit: mapping.pricePerUnit ?? entitlement.pricePerUnit,
    currency: mapping.currency ?? entitlement.currency,
  }
}

/** A setting that only a mapping has, with its default. [resources#attached-credits] */
export const prorationOf = (mapping: CreditMapping): ProrationBehavior =>
  mapping.prorationBehavior ?? 'no_prorate'
export const trialCreditsExpire = (mapping: CreditMapping): boolean =>
  mapping.trialCreditsExpireAfterTrial ?? false
