import { limits } from '../limits.ts'
import type { CatalogMetadata } from '../rules/commerce/catalog/metadata.ts'
import type {
  EntitlementGrant,
  EntitlementGrantStatus,
  FulfilmentNews,
  RevocationReason,
} from '../rules/commerce/entitlements/entitlement-grant.ts'
import { grantStatuses } from '../rules/commerce/entitlements/entitlement-grant.ts'
import type {
  IntegrationType,
  ProductEntitlement,
} from '../rules/commerce/entitlements/product-entitlement.ts'
import type { LicenseKeyStatus } from '../rules/commerce/licenses/license-key.ts'
import { licenseKeyStatus } from '../rules/commerce/licenses/license-key.ts'
import type { GrantTold } from '../rules/facts/grant-facts.ts'
import type { Instant } from '../std/instant.ts'
import { formatInstant, parseInstant } from '../std/instant.ts'
import { schema } from '../std/schema.ts'
import type { DeliveryView, DownloadLinks } from './download-link.ts'
import { deliveredFileView } from './download-link.ts'
import { nullable, oneOf, text, url, whole } from './schemas.ts'

/** [entitlements#grants] */
export interface EntitlementGrantView {
  readonly id: string
  readonly business_id: string
  readonly brand_id: string
  readonly customer_id: string
  readonly entitlement_id: string
  readonly integration_type: IntegrationType
  readonly payment_id: string | null
  readonly subscription_id: string | null
  readonly status: EntitlementGrantStatus
  readonly revocation_reason: RevocationReason | null
  readonly error_code: string | null
  readonly error_message: string | null
  readonly oauth_url: string | null
  readonly oauth_expires_at: string | null
  readonly feature: { readonly feature_id: string; readonly feature_type: 'boolean' } | null
  readonly license_key: LicenseKeyGrantView | null
  readonly digital_product_delivery: DeliveryView | null
  readonly metadata: CatalogMetadata
  readonly delivered_at: string | null
  readonly revoked_at: string | null
  readonly created_at: string
  readonly updated_at: string
}

/** The first key of a grant. [licenses#license-keys] */
export interface LicenseKeyGrantView {
  readonly id: string
  readonly key: string
  readonly status: LicenseKeyStatus
  readonly activations_used: number
  readonly activations_limit: number | null
  readonly expires_at: string | null
}

const time = (at: Instant | null): string | null => (at === null ? null : formatInstant(at))

/** What it gives is shown only while it is given. [entitlements#grants] */
export function entitlementGrantView(links: DownloadLinks, told: GrantTold): EntitlementGrantView {
  const { grant, entitlement } = told
  const { config } = entitlement
  const isDelivered = grant.status === 'Delivered'
  return {
    id: grant.grantId,
    business_id: links.businessId,
    brand_id: grant.brandId,
    customer_id: grant.customerId,
    entitlement_id: grant.entitlementId,
    integration_type: grant.integrationType,
    payment_id: grant.paymentId,
    subscription_id: grant.subscriptionId,
    status: grant.status,
    revocation_reason: grant.revocationReason,
    error_code: grant.errorCode,
    error_message: grant.errorMessage,
    oauth_url: grant.oauthUrl,
    oauth_expires_at: time(grant.oauthExpiresAt),
    feature:
      config.type === 'feature_flag'
        ? { feature_id: config.featureId, feature_type: 'boolean' }
        : null,
    license_key: licenseKeyGrant(links, told),
    digital_product_delivery: isDelivered ? deliveryView(links, told) : null,
    metadata: grant.metadata,
    delivered_at: time(grant.deliveredAt),
    revoked_at: time(grant.revokedAt),
    created_at: formatInstant(grant.createdAt),
    updated_at: formatInstant(grant.updatedAt),
  }
}

function licenseKeyGrant(
  { at }: DownloadLinks,
  { licenseKey }: GrantTold,
): LicenseKeyGrantView | null {
  if (licenseKey === null) return null
  return {
    id: licenseKey.licenseKeyId,
    key: licenseKey.key,
    status: licenseKeyStatus(licenseKey, at),
    activations_used: licenseKey.instancesCount,
    activations_limit: licenseKey.activationsLimit,
    expires_at: time(licenseKey.expiresAt),
  }
}

function deliveryView(
  links: DownloadLinks,
  { entitlement, files, grant }: GrantTold,
): DeliveryView | null {
  const { config } = entitlement
  if (config.type !== 'digital_files') return null
  const holder = { kind: 'grant', id: grant.grantId } as const
  return {
    files: files.map((file) => deliveredFileView(links, holder, file)),
    external_url: config.externalUrl,
    instructions: config.instructions,
  }
}

/** A grant as its customer's list has it, with its state in lower case. [entitlements#grants] */
export interface CustomerGrantView {
  readonly grant_id: string
  readonly entitlement_id: string
  readonly entitlement_name: string
  readonly entitlement_description: string | null
  readonly integration_type: IntegrationType
  readonly status: Lowercase<EntitlementGrantStatus>
  readonly delivered_at: string | null
  readonly revoked_at: string | null
  readonly created_at: string
  readonly updated_at: string
}

export const customerGrantView = (
  grant: EntitlementGrant,
  entitlement: ProductEntitlement | undefined,
): CustomerGrantView => ({
  grant_id: grant.grantId,
  entitlement_id: grant.entitlementId,
  entitlement_name: entitlement?.name ?? '',
  entitlement_description: entitlement?.description ?? null,
  integration_type: grant.integrationType,
  status: grant.status.toLowerCase() as Lowercase<EntitlementGrantStatus>,
  delivered_at: time(grant.deliveredAt),
  revoked_at: time(grant.revokedAt),
  created_at: formatInstant(grant.createdAt),
  updated_at: formatInstant(grant.updatedAt),
})

interface FulfilLicenseKey {
  readonly key: string
  readonly activations_limit?: number | null
  readonly expires_at?: string | null
}

const moment = { type: ['string', 'null'], format: 'date-time' }

export const fulfilLicenseKeyBody = schema<FulfilLicenseKey>({
  type: 'object',
  required: ['key'],
  properties: {
    key: text(1, limits.nameMax),
    activations_limit: nullable(whole(1, limits.moneyMax)),
    expires_at: moment,
  },
})

/** Null is the entitlement's own, like a field that is absent. */
export const sellersKey = (body: FulfilLicenseKey) => ({
  key: body.key,
  activationsLimit: body.activations_limit ?? undefined,
  expiresAt: timeIn(body.expires_at ?? null) ?? undefined,
})

/** What a fulfilment endpoint says of a grant. [entitlements#fulfilment] */
interface Fulfilment {
  readonly status: EntitlementGrantStatus
  readonly error_code?: string | null
  readonly error_message?: string | null
  readonly oauth_url?: string | null
  readonly oauth_expires_at?: string | null
}

export const fulfilmentBody = schema<Fulfilment>({
  type: 'object',
  required: ['status'],
  properties: {
    status: oneOf(grantStatuses),
    error_code: nullable(text(1, limits.nameMax)),
    error_message: nullable(text(1, limits.descriptionMax)),
    oauth_url: nullable(url),
    oauth_expires_at: moment,
  },
})

/** What says nothing about its status is left out. */
export const fulfilmentNews = (body: Fulfilment): FulfilmentNews => ({
  status: body.status,
  errorCode: body.status === 'Failed' ? (body.error_code ?? null) : null,
  errorMessage: body.status === 'Failed' ? (body.error_message ?? null) : null,
  oauthUrl: body.status === 'Pending' ? (body.oauth_url ?? null) : null,
  oauthExpiresAt: body.status === 'Pending' ? timeIn(body.oauth_expires_at ?? null) : null,
})

const timeIn = (sent: string | null): Instant | null => (sent === null ? null : parseInstant(sent))
