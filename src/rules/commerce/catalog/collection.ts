import type { Instant } from '../../../std/instant.ts'
import type { ProrationMode } from '../proration-mode.ts'
import { changeTime } from './change-time.ts'

/** Products of one brand that are shown together, in groups. [resources#product-collections] */
export interface ProductCollection {
  readonly collectionId: string
  readonly brandId: string
  readonly name: string
  readonly description: string | null
  /** In their order. */
  readonly groups: readonly CollectionGroup[]
  readonly planChanges: PlanChangeDefaults
  /** Null: it has no image. */
  readonly imageId: string | null
  readonly archivedAt: Instant | null
  readonly createdAt: Instant
  /** Rises with every change, and so distinguishes one state of the collection from the next. */
  readonly updatedAt: Instant
}

export interface CollectionGroup {
  readonly groupId: string
  /** Unique within the collection, but for null. */
  readonly name: string | null
  /** Whether it is shown. */
  readonly status: boolean
  /** In their order. */
  readonly items: readonly CollectionItem[]
}

export interface CollectionItem {
  readonly itemId: string
  /** Of one collection at the most. */
  readonly productId: string
  /** Whether it is shown. */
  readonly status: boolean
}

export const effectiveTimes = ['immediately', 'next_billing_date'] as const
export const failureReactions = ['prevent_change', 'apply_change'] as const

/** How plans change from one product of the collection to another; null: as the business has it. */
export interface PlanChangeDefaults {
  readonly effectiveAtOnUpgrade: (typeof effectiveTimes)[number] | null
  readonly effectiveAtOnDowngrade: (typeof effectiveTimes)[number] | null
  readonly prorationOnUpgrade: ProrationMode | null
  readonly prorationOnDowngrade: ProrationMode | null
  readonly onPaymentFailure: (typeof failureReactions)[number] | null
}

/** A product as a caller wants it in a group. */
export type WantedItem = Pick<CollectionItem, 'productId' | 'status'>

export interface WantedGroup extends Pick<CollectionGroup, 'name' | 'status'> {
  readonly items: readonly WantedItem[]
}

export interface WantedCollection extends Pick<ProductCollection, 'name' | 'description'> {
  /** Null: the primary brand. */
  readonly brandId: string | null
  readonly groups: readonly WantedGroup[]
  readonly planChanges: PlanChangeDefaults
}

/** The fields to change; absent fields stay as they are. */
export interface CollectionChange
  extends Partial<Pick<ProductCollection, 'name' | 'description' | 'brandId' | 'imageId'>> {
  readonly planChanges: Partial<PlanChangeDefaults>
  /** Ids of all groups. */
  readonly groupOrder?: readonly string[]
}

export interface GroupChange extends Partial<Pick<CollectionGroup, 'name' | 'status'>> {
  /** Ids of all its items. */
  readonly itemOrder?: readonly string[]
}

/** Makes the ids of groups and items. */
export type NewUuid = () => string

export const newItem = (newUuid: NewUuid, wanted: WantedItem): CollectionItem => ({
  itemId: newUuid(),
  ...wanted,
})

export const newGroup = (newUuid: NewUuid, { items, ...wanted }: WantedGroup): CollectionGroup => ({
  groupId: newUuid(),
  ...wanted,
  items: items.map((item) => newItem(newUuid, item)),
})

export const itemsHeld = ({
  groups,
}: Pick<ProductCollection, 'groups'>): readonly CollectionItem[] =>
  groups.flatMap(({ items }) => items)

export const productIdsOf = (collection: Pick<ProductCollection, 'groups'>): readonly string[] =>
  itemsHeld(collection).map(({ productId }) => productId)

/** The collection with other groups, or other fields, from `at` on. */
export const withChanges = (
  was: ProductCollection,
  fields: Partial<Omit<ProductCollection, 'collectionId' | 'createdAt' | 'updatedAt'>>,
  at: Instant,
): ProductCollection => ({ ...was, ...fields, updatedAt: changeTime(was, at) })

/** The groups with another one in place of that with the id; null takes it out. */
export const replacedGroup = (
  groups: readonly CollectionGroup[],
  id: string,
  next: CollectionGroup | null,
): readonly CollectionGroup[] =>
  groups.flatMap((group) => {
    if (group.groupId !== id) return [group]
    return next === null ? [] : [next]
  })

/** The same in the order of the ids; null: these are not the ids of all of them. */
export function inOrder<T>(
  all: readonly T[],
  ids: readonly string[],
  idOf: (one: T) => string,
): readonly T[] | null {
  if (ids.length !== all.length || new Set(ids).size !== ids.length) return null
  const ordered = ids.flatMap((id) => all.filter((one) => idOf(one) === id))
  return ordered.length === all.length ? ordered : null
}
