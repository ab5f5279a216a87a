import type {
  CollectionGroup,
  PlanChangeDefaults,
  ProductCollection,
} from '../../../../rules/commerce/catalog/collection.ts'
import { productIdsOf } from '../../../../rules/commerce/catalog/collection.ts'
import type { Instant } from '../../../../std/instant.ts'
import type { Scope } from '../../scope.ts'
import { timestamptz } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'

/** A collection as the database has it. */
export interface CollectionRow {
  readonly collection_id: string
  readonly brand_id: string
  readonly name: string
  readonly description: string | null
  readonly groups: readonly GroupJson[]
  readonly plan_changes: PlanChangesJson
  readonly image_id: string | null
  readonly archived_at: Instant | null
  readonly created_at: Instant
  readonly updated_at: Instant
}

interface GroupJson {
  readonly group_id: string
  readonly name: string | null
  readonly status: boolean
  readonly items: readonly {
    readonly item_id: string
    readonly product_id: string
    readonly status: boolean
  }[]
}

interface PlanChangesJson {
  readonly effective_at_on_upgrade: PlanChangeDefaults['effectiveAtOnUpgrade']
  readonly effective_at_on_downgrade: PlanChangeDefaults['effectiveAtOnDowngrade']
  readonly proration_on_upgrade: PlanChangeDefaults['prorationOnUpgrade']
  readonly proration_on_downgrade: PlanChangeDefaults['prorationOnDowngrade']
  readonly on_payment_failure: PlanChangeDefaults['onPaymentFailure']
}

export const collectionColumns = sql`
  collection_id, brand_id, name, description, groups, plan_changes, image_id, archived_at,
  created_at, updated_at`

export const collectionOf = (row: CollectionRow): ProductCollection => ({
  collectionId: row.collection_id,
  brandId: row.brand_id,
  name: row.name,
  description: row.description,
  groups: row.groups.map(groupFrom),
  planChanges: {
    effectiveAtOnUpgrade: row.plan_changes.effective_at_on_upgrade,
    effectiveAtOnDowngrade: row.plan_changes.effective_at_on_downgrade,
    prorationOnUpgrade: row.plan_changes.proration_on_upgrade,
    prorationOnDowngrade: row.plan_changes.proration_on_downgrade,
    onPaymentFailure: row.plan_changes.on_payment_failure,
  },
  imageId: row.image_id,
  archivedAt: row.archived_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const groupFrom = (stored: GroupJson): CollectionGroup => ({
  groupId: stored.group_id,
  name: stored.name,
  status: stored.status,
  items: stored.items.map((item) => ({
    itemId: item.item_id,
    productId: item.product_id,
    status: item.status,
  })),
})

const groupJson = (group: CollectionGroup): GroupJson => ({
  group_id: group.groupId,
  name: group.name,
  status: group.status,
  items: group.items.map((item) => ({
    item_id: item.itemId,
    product_id: item.productId,
    status: item.status,
  })),
})

const planChangesJson = (defaults: PlanChangeDefaults): PlanChangesJson => ({
  effective_at_on_upgrade: defaults.effectiveAtOnUpgrade,
  effective_at_on_downgrade: defaults.effectiveAtOnDowngrade,
  proration_on_upgrade: defaults.prorationOnUpgrade,
  proration_on_downgrade: defaults.prorationOnDowngrade,
  on_payment_failure: defaults.onPaymentFailure,
})

/** As write_collections() takes it. */
export const collectionRow = (scope: Scope, collection: ProductCollection): object => ({
  business_id: scope.businessId,
  mode: scope.mode,
  collection_id: collection.collectionId,
  brand_id: collection.brandId,
  name: collection.name,
  description: collection.description,
  groups: collection.groups.map(groupJson),
  plan_changes: planChangesJson(collection.planChanges),
  image_id: collection.imageId,
  archived_at: timestamptz(collection.archivedAt),
  created_at: timestamptz(collection.createdAt),
  updated_at: timestamptz(collection.updatedAt),
  product_ids: productIdsOf(collection),
})
