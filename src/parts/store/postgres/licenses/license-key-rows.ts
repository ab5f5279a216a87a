import type {
  LicenseKey,
  LicenseKeyInstance,
  LicenseKeySource,
} from '../../../../rules/commerce/licenses/license-key.ts'
import type { Instant } from '../../../../std/instant.ts'
import type { Scope } from '../../scope.ts'
import { timestamptz } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'

/** A license key as the database has it, with its subscription's status. */
export interface LicenseKeyRow {
  readonly license_key_id: string
  readonly key: string
  readonly customer_id: string
  readonly product_id: string
  readonly brand_id: string
  readonly payment_id: string | null
  readonly subscription_id: string | null
  readonly subscription_state: LicenseKey['subscriptionState']
  readonly grant_id: string | null
  readonly source: LicenseKeySource
  readonly activations_limit: number | null
  readonly instances_count: number
  readonly expires_at: Instant | null
  readonly disabled: boolean
  readonly created_at: Instant
  readonly updated_at: Instant
}

export const licenseKeyColumns = sql`
  k.license_key_id, k.key, k.customer_id, k.product_id, k.brand_id, k.payment_id,
  k.subscription_id, case when s.status in ('active', 'expired') then s.status
    when s.status is not null then 'inactive' end as subscription_state, k.grant_id, k.source, k.activations_limit,
  k.instances_count, k.expires_at, k.disabled, k.created_at, k.updated_at`

/** What the columns are read from. */
export const licenseKeyTables = sql`
  license_keys k left join subscriptions s
    on (s.business_id, s.mode, s.subscription_id) = (k.business_id, k.mode, k.subscription_id)`

export const licenseKeyOf = (row: LicenseKeyRow): LicenseKey => ({
  licenseKeyId: row.license_key_id,
  key: row.key,
  customerId: row.customer_id,
  productId: row.product_id,
  brandId: row.brand_id,
  paymentId: row.payment_id,
  subscriptionId: row.subscription_id,
  subscriptionState: row.subscription_state,
  grantId: row.grant_id,
  source: row.source,
  activationsLimit: row.activations_limit,
  instancesCount: row.instances_count,
  expiresAt: row.expires_at,
  disabled: row.disabled,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** As write_license_keys() takes it. */
export const licenseKeyRow = (scope: Scope, key: LicenseKey): object => ({
  business_id: scope.businessId,
  mode: scope.mode,
  license_key_id: key.licenseKeyId,
  key: key.key,
  customer_id: key.customerId,
  product_id: key.productId,
  brand_id: key.brandId,
  payment_id: key.paymentId,
  subscription_id: key.subscriptionId,
  grant_id: key.grantId,
  source: key.source,
  activations_limit: key.activationsLimit,
  instances_count: key.instancesCount,
  expires_at: timestamptz(key.expiresAt),
  disabled: key.disabled,
  created_at: timestamptz(key.createdAt),
  updated_at: timestamptz(key.updatedAt),
})

export interface InstanceRow {
  readonly instance_id: string
  readonly license_key_id: string
  readonly name: string
  readonly created_at: Instant
}

export const instanceColumns = sql`i.instance_id, i.license_key_id, i.name, i.created_at`

export const instanceOf = (row: InstanceRow): LicenseKeyInstance => ({
  instanceId: row.instance_id,
  licenseKeyId: row.license_key_id,
  name: row.name,
  createdAt: row.created_at,
})

/** As write_license_key_instances() takes it. */
export const instanceRow = (scope: Scope, instance: LicenseKeyInstance): object => ({
  business_id: scope.businessId,
  mode: scope.mode,
  instance_id: instance.instanceId,
  license_key_id: instance.licenseKeyId,
  name: instance.name,
  created_at: timestamptz(instance.createdAt),
})
