import type { Instant } from '../../../std/instant.ts'
import { changeTime } from './change-time.ts'
import type { Rejection } from './rejection.ts'
import { firstOf, invalid } from './rejection.ts'

/**
 * A name under which a business sells. The primary one is the business itself. [resources#brands]
 */
export interface Brand extends BrandTexts {
  readonly brandId: string
  /** Null: it is active. An archived brand stays so. */
  readonly archived: BrandArchive | null
  readonly createdAt: Instant
  /** Rises with every change, and so distinguishes one state of the brand from the next. */
  readonly updatedAt: Instant
}

/** What a business says of a brand. */
export interface BrandTexts {
  readonly name: string | null
  readonly description: string | null
  readonly url: string | null
  readonly supportEmail: string | null
  readonly statementDescriptor: string | null
  /** Null: it has no image. */
  readonly imageId: string | null
}

export interface BrandArchive {
  readonly at: Instant
  /** The brand that got everything; null: there was nothing to be given to one. */
  readonly movedTo: string | null
}

/** How many objects of each noun an archived brand gave away. */
export interface MovedCounts {
  readonly products: number
  readonly subscriptions: number
  readonly collections: number
}

/** What a brand holds of that which needs another brand when it is archived. */
export type BrandHoldings = Pick<MovedCounts, 'products' | 'subscriptions'>

/** The fields to change; absent fields stay as they are. */
export type BrandChange = Partial<BrandTexts>

/** Subscriptions that move with their brand: those that have not ended. [resources#brands] */
export const liveStatuses = ['pending', 'active', 'on_hold', 'paused'] as const

/** The business as a brand, which nobody makes, changes or archives. */
export const primaryBrand = (business: {
  readonly businessId: string
  readonly name: string
  readonly createdAt: Instant
}): Brand => ({
  brandId: business.businessId,
  name: business.name,
  description: null,
  url: null,
  supportEmail: null,
  statementDescriptor: null,
  imageId: null,
  archived: null,
  createdAt: business.createdAt,
  updatedAt: business.createdAt,
})

export const changedBrand = (brand: Brand, change: BrandChange, at: Instant): Brand => ({
  ...brand,
  ...change,
  updatedAt: changeTime(brand, at),
})

/** An archived brand takes nothing new, and nothing of it changes. [resources#brands] */
export const disabledRejection = ({ brandId, archived }: Brand): Rejection | null =>
  archived === null
    ? null
    : {
        code: 'BRAND_NOT_ENABLED',
        problem: `The brand '${brandId}' is archived, for good: use another.`,
      }

/** Whether a brand can be changed: the primary one cannot, and no archived one. */
export const fixedRejection = (brand: Brand, businessId: string): Rejection | null =>
  primaryRejection(brand, businessId, 'changed') ?? disabledRejection(brand)

/** What an archive is decided on. `target` is null where there is no brand of that id. */
export interface ArchiveFacts {
  readonly businessId: string
  readonly brand: Brand
  readonly targetId: string | null
  readonly target: Brand | null
  readonly holds: BrandHoldings
}

/**
 * Why a brand cannot be archived: first what it is (primary, archived), then what is to become of
 * all that it holds. [resources#brands, requests#refusals]
 */
export function archiveRejection(facts: ArchiveFacts): Rejection | null {
  const { brand, businessId } = facts
  return firstOf([
    () => primaryRejection(brand, businessId, 'archived'),
    () => disabledRejection(brand),
    () => targetRejection(facts),
  ])
}

const primaryRejection = (
  { brandId }: Brand,
  businessId: string,
  what: 'changed' | 'archived',
): Rejection | null =>
  brandId === businessId
    ? { code: 'UNABLE_TO_EDIT_PRIMARY_BRAND', problem: `The primary brand cannot be ${what}.` }
    : null

function targetRejection({ brand, targetId, target, holds }: ArchiveFacts): Rejection | null {
  if (targetId === null) {
    if (holds.products + holds.subscriptions === 0) return null
    return invalid(
      'move_products_to is required: the brand holds products or live subscriptions, which need another brand.',
    )
  }
  if (target === null) return invalid('move_products_to names no brand of this business.')
  if (target.brandId === brand.brandId) {
    return invalid('move_products_to must name another brand than the one that is archived.')
  }
  return target.archived === null ? null : invalid('move_products_to names an archived brand.')
}
