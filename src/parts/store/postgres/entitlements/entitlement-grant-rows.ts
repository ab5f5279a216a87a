import type { CatalogMetadata } from '../../../../rules/commerce/catalog/metadata.ts'
import type { EntitlementGrant } from '../../../../rules/commerce/entitlements/entitlement-grant.ts'
import type { Instant } from '../../../../std/instant.ts'
import type { Scope } from '../../scope.ts'
import { timestamptz } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'

/** A grant of a product entitlement as the database has it. */
export interface EntitlementGrantRow {
  readonly grant_id: string
  readonly entitlement_id: string
  readonly integration_type: EntitlementGrant['integrationType']
  readonly customer_id: string
  readonly brand_id: string
  readonly product_id: string
  readonly payment_id: string | null
  readonly subscription_id: string | null
  readonly status: EntitlementGrant['status']
  readonly revocation_reason: EntitlementGrant['revocationReason']
  readonly error_code: string | null
  readonly error_message: string | null
  readonly oauth_url: string | null
  readonly oauth_expires_at: Instant | null
  readonly metadata: CatalogMetadata
  readonly delivered_at: Instant | null
  readonly revoked_at: Instant | null
  readonly created_at: Instant
  readonly updated_at: Instant
}

export const entitlementGrantColumns = sql`
  grant_id, entitlement_id, integration_type, customer_id, brand_id, product_id, payment_id,
  subscription_id, status, revocation_reason, error_code, error_message, oauth_url,
  oauth_expires_at, metadata, delivered_at, revoked_at, created_at, updated_at`

export const entitlementGrantOf = (row: EntitlementGrantRow): EntitlementGrant => ({
  grantId: row.grant_id,
  entitlementId: row.entitlement_id,
  integrationType: row.integration_type,
  customerId: row.customer_id,
  brandId: row.brand_id,
  productId: row.product_id,
  paymentId: row.payment_id,
  subscriptionId: row.subscription_id,
  status: row.status,
  revocationReason: row.revocation_reason,
  errorCode: row.error_code,
  errorMessage: row.error_message,
  oauthUrl: row.oauth_url,
  oauthExpiresAt: row.oauth_expires_at,
  metadata: row.metadata,
  deliveredAt: row.delivered_at,
  revokedAt: row.revoked_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** As write_entitlement_grants() takes it. */
export const entitlementGrantRow = (scope: Scope, grant: EntitlementGrant): object => ({
  business_id: scope.businessId,
  mode: scope.mode,
  grant_id: grant.grantId,
  entitlement_id: grant.entitlementId,
  integration_type: grant.integrationType,
  customer_id: grant.customerId,
  brand_id: grant.brandId,
  product_id: grant.productId,
  payment_id: grant.paymentId,
  subscription_id: grant.subscriptionId,
  status: grant.status,
  revocation_reason: grant.revocationReason,
  error_code: grant.errorCode,
  error_message: grant.errorMessage,
  oauth_url: grant.oauthUrl,
  oauth_expires_at: timestamptz(grant.oauthExpiresAt),
  metadata: grant.metadata,
  delivered_at: timestamptz(grant.deliveredAt),
  revoked_at: timestamptz(grant.revokedAt),
  created_at: timestamptz(grant.createdAt),
  updated_at: timestamptz(grant.updatedAt),
})
