import type { Frequency } from '../../../std/calendar.ts'
import type { Instant } from '../../../std/instant.ts'
import { changeTime } from '../catalog/change-time.ts'
import type { CatalogMetadata } from '../catalog/metadata.ts'

/** Kinds that somebody else delivers: Sluice tells a fulfilment endpoint, and hears from it. */
export const thirdParties = ['discord', 'telegram', 'github', 'figma', 'framer', 'notion'] as const
export type ThirdParty = (typeof thirdParties)[number]

/** [entitlements#kinds] */
export const integrationTypes = [
  ...thirdParties,
  'digital_files',
  'license_key',
  'feature_flag',
] as const
export type IntegrationType = (typeof integrationTypes)[number]

export interface DigitalFiles {
  readonly type: 'digital_files'
  readonly fileIds: readonly string[]
  readonly externalUrl: string | null
  readonly instructions: string | null
}

export interface LicenseTerms {
  readonly type: 'license_key'
  readonly activationMessage: string | null
  /** Null: a key has no limit. */
  readonly activationsLimit: number | null
  /** How long a key of a one-time purchase lasts; null: for ever. */
  readonly duration: Frequency | null
  /** `manual`: the seller says which key it is. */
  readonly fulfillment: 'auto' | 'manual'
}

/** What an integration needs to know. [entitlements#kinds] */
export type EntitlementConfig =
  | { readonly type: 'feature_flag'; readonly featureId: string }
  | DigitalFiles
  | LicenseTerms
  /** By the names of the API: they mean something to the fulfilment endpoint alone. */
  | { readonly type: ThirdParty; readonly settings: Readonly<Record<string, string | null>> }

/** Access to something other than credits, which products bring. [entitlements#entitlements] */
export interface ProductEntitlement {
  readonly entitlementId: string
  readonly name: string
  readonly description: string | null
  /** Its type is for good. */
  readonly config: EntitlementConfig
  readonly metadata: CatalogMetadata
  /** Null: products can bring it. */
  readonly deletedAt: Instant | null
  readonly createdAt: Instant
  /** Rises with every change, and so distinguishes one state of it from the next. */
  readonly updatedAt: Instant
}

/** An entitlement as a caller asks for it. */
export type AskedEntitlement = Pick<
  ProductEntitlement,
  'name' | 'description' | 'config' | 'metadata'
>

/** The fields to change; absent fields stay as they are. */
export type ProductEntitlementChange = Partial<
  Pick<ProductEntitlement, 'name' | 'description' | 'config' | 'metadata' | 'deletedAt'>
>

export const changedEntitlement = (
  was: ProductEntitlement,
  change: ProductEntitlementChange,
  at: Instant,
): ProductEntitlement => ({ ...was, ...change, updatedAt: changeTime(was, at) })

/** The files that it holds; none, where it holds none. */
export const filesHeldBy = ({ config }: Pick<ProductEntitlement, 'config'>): readonly string[] =>
  config.type === 'digital_files' ? config.fileIds : []

/** Whether Sluice delivers it by itself, as soon as it is granted. [entitlements#grants] */
export const deliversItself = ({ config }: Pick<ProductEntitlement, 'config'>): boolean =>
  config.type === 'feature_flag' ||
  config.type === 'digital_files' ||
  (config.type === 'license_key' && config.fulfillment === 'auto')

/** One that somebody else delivers. */
export const isThirdParty = (type: IntegrationType): type is ThirdParty =>
  thirdParties.some((each) => each === type)
