import { limits } from '../limits.ts'
import type {
  CollectionChange,
  GroupChange,
  PlanChangeDefaults,
  WantedCollection,
  WantedGroup,
  WantedItem,
} from '../rules/commerce/catalog/collection.ts'
import { effectiveTimes, failureReactions } from '../rules/commerce/catalog/collection.ts'
import { prorationModes } from '../rules/commerce/proration-mode.ts'
import { defined } from '../std/defined.ts'
import { schema } from '../std/schema.ts'
import { flag, id, imageId, nullable, oneOf, text } from './schemas.ts'

/** [resources#product-collections]: fields that are not given inherit from the business. */
interface PlanChangesBody {
  readonly effective_at_on_upgrade?: PlanChangeDefaults['effectiveAtOnUpgrade']
  readonly effective_at_on_downgrade?: PlanChangeDefaults['effectiveAtOnDowngrade']
  readonly proration_billing_mode_on_upgrade?: PlanChangeDefaults['prorationOnUpgrade']
  readonly proration_billing_mode_on_downgrade?: PlanChangeDefaults['prorationOnDowngrade']
  readonly on_payment_failure?: PlanChangeDefaults['onPaymentFailure']
}

/** [resources#product-collections] */
export interface CollectionCreate extends PlanChangesBody {
  readonly name: string
  readonly groups: readonly GroupBody[]
  readonly brand_id?: string | null
  readonly description?: string | null
}

/** Null clears what may be empty, and keeps the rest. [requests#nulls] */
export interface CollectionUpdate extends PlanChangesBody {
  readonly name?: string | null
  readonly brand_id?: string | null
  readonly description?: string | null
  readonly group_order?: readonly string[] | null
  readonly image_id?: string | null
}

/** [resources#product-collections] */
export interface GroupBody {
  readonly products: readonly GroupProductBody[]
  readonly group_name?: string | null
  readonly status?: boolean | null
}

interface GroupProductBody {
  readonly product_id: string
  readonly status?: boolean | null
}

/** [resources#product-collections] */
export interface GroupUpdate {
  readonly group_name?: string | null
  readonly product_order?: readonly string[] | null
  readonly status?: boolean | null
}

/** [resources#product-collections] */
export interface ItemsCreate {
  readonly products: readonly GroupProductBody[]
}

/** [resources#product-collections] */
export interface ItemUpdate {
  readonly status: boolean
}

const name = text(1, limits.nameMax)
const products = {
  type: 'array',
  maxItems: limits.collectionProductsMax,
  items: {
    type: 'object',
    required: ['product_id'],
    properties: { product_id: id, status: nullable(flag) },
  },
}
const ids = (max: number) => ({ type: ['array', 'null'], maxItems: max, items: id })

const group = {
  type: 'object',
  required: ['products'],
  properties: { products, group_name: nullable(name), status: nullable(flag) },
}

const fields = {
  brand_id: nullable(id),
  description: nullable(text(0, limits.descriptionMax)),
  effective_at_on_upgrade: nullable(oneOf(effectiveTimes)),
  effective_at_on_downgrade: nullable(oneOf(effectiveTimes)),
  proration_billing_mode_on_upgrade: nullable(oneOf(prorationModes)),
  proration_billing_mode_on_downgrade: nullable(oneOf(prorationModes)),
  on_payment_failure: nullable(oneOf(failureReactions)),
}

export const collectionCreate = schema<CollectionCreate>({
  type: 'object',
  required: ['name', 'groups'],
  properties: {
    name,
    groups: { type: 'array', maxItems: limits.collectionGroupsMax, items: group },
    ...fields,
  },
})

export const collectionUpdate = schema<CollectionUpdate>({
  type: 'object',
  properties: {
    name: nullable(name),
    ...fields,
    group_order: ids(limits.collectionGroupsMax),
    image_id: imageId,
  },
})

export const groupCreate = schema<GroupBody>(group)

export const groupUpdate = schema<GroupUpdate>({
  type: 'object',
  properties: {
    group_name: nullable(name),
    product_order: ids(limits.collectionProductsMax),
    status: nullable(flag),
  },
})

export const itemsCreate = schema<ItemsCreate>({
  type: 'object',
  required: ['products'],
  properties: { products: { ...products, minItems: 1 } },
})

export const itemUpdate = schema<ItemUpdate>({
  type: 'object',
  required: ['status'],
  properties: { status: flag },
})

/** The collection that a body asks for. */
export const wantedCollection = (body: CollectionCreate): WantedCollection => ({
  name: body.name,
  description: body.description ?? null,
  brandId: body.brand_id ?? null,
  groups: body.groups.map(wantedGroup),
  planChanges: {
    effectiveAtOnUpgrade: body.effective_at_on_upgrade ?? null,
    effectiveAtOnDowngrade: body.effective_at_on_downgrade ?? null,
    prorationOnUpgrade: body.proration_billing_mode_on_upgrade ?? null,
    prorationOnDowngrade: body.proration_billing_mode_on_downgrade ?? null,
    onPaymentFailure: body.on_payment_failure ?? null,
  },
})

export const wantedGroup = (body: GroupBody): WantedGroup => ({
  name: body.group_name ?? null,
  status: body.status ?? true,
  items: body.products.map(wantedItem),
})

export const wantedItem = (body: GroupProductBody): WantedItem => ({
  productId: body.product_id,
  status: body.status ?? true,
})

export const collectionChange = (body: CollectionUpdate): CollectionChange => ({
  ...defined({
    name: body.name ?? undefined,
    description: body.description,
    brandId: body.brand_id ?? undefined,
    imageId: body.image_id,
    groupOrder: body.group_order ?? undefined,
  }),
  planChanges: defined({
    effectiveAtOnUpgrade: body.effective_at_on_upgrade,
    effectiveAtOnDowngrade: body.effective_at_on_downgrade,
    prorationOnUpgrade: body.proration_billing_mode_on_upgrade,
    prorationOnDowngrade: body.proration_billing_mode_on_downgrade,
    onPaymentFailure: body.on_payment_failure,
  }),
})

export const groupChange = (body: GroupUpdate): GroupChange =>
  defined({
    name: body.group_name,
    status: body.status ?? undefined,
    itemOrder: body.product_order ?? undefined,
  })
