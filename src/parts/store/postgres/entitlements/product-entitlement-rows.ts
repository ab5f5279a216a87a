import type { CatalogMetadata } from '../../../../rules/commerce/catalog/metadata.ts'
import type {
  IntegrationType,
  ProductEntitlement,
} from '../../../../rules/commerce/entitlements/product-entitlement.ts'
import type { Instant } from '../../../../std/instant.ts'
import type { Scope } from '../../scope.ts'
import { timestamptz } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'
import type { ConfigJson } from './entitlement-config-json.ts'
import { configFrom, configJson } from './entitlement-config-json.ts'

/** A product entitlement as the database has it. */
export interface ProductEntitlementRow {
  readonly entitlement_id: string
  readonly name: string
  readonly description: string | null
  readonly integration_type: IntegrationType
  readonly config: ConfigJson
  readonly metadata: CatalogMetadata
  readonly deleted_at: Instant | null
  readonly created_at: Instant
  readonly updated_at: Instant
}

export const productEntitlementColumns = sql`
  entitlement_id, name, description, integration_type, config, metadata, deleted_at, created_at,
  updated_at`

export const productEntitlementOf = (row: ProductEntitlementRow): ProductEntitlement => ({
  entitlementId: row.entitlement_id,
  name: row.name,
  description: row.description,
  config: configFrom(row.integration_type, row.config),
  metadata: row.metadata,
  deletedAt: row.deleted_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** As write_product_entitlements() takes it. */
export const productEntitlementRow = (scope: Scope, entitlement: ProductEntitlement): object => ({
  business_id: scope.businessId,
  mode: scope.mode,
  entitlement_id: entitlement.entitlementId,
  name: entitlement.name,
  description: entitlement.description,
  integration_type: entitlement.config.type,
  config: configJson(entitlement.config),
  metadata: entitlement.metadata,
  deleted_at: timestamptz(entitlement.deletedAt),
  created_at: timestamptz(entitlement.createdAt),
  updated_at: timestamptz(entitlement.updatedAt),
})
