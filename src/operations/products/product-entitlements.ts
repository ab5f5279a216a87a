import { Fault, notFound } from '../../faults.ts'
import type { RowChange } from '../../parts/store/changes.ts'
import type { ProductEntitlements } from '../../parts/store/product-entitlements.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { StoredFiles } from '../../parts/store/stored-files.ts'
import type { Product, WantedDelivery } from '../../rules/commerce/catalog/product.ts'
import type { ProductEntitlement } from '../../rules/commerce/entitlements/product-entitlement.ts'
import { changedEntitlement } from '../../rules/commerce/entitlements/product-entitlement.ts'
import type { NewId } from '../../std/id.ts'
import type { Instant } from '../../std/instant.ts'
import { refuseUnknownFiles } from '../entitlements/change-entitlement.ts'

export interface ProductEntitlementNeeds {
  readonly productEntitlements: Pick<ProductEntitlements, 'many'>
  readonly storedFiles: Pick<StoredFiles, 'many'>
  readonly newId: NewId
}

/** @throws Fault 404 for one that is not there, 422 for one that is named twice */
export async function refuseUnknownEntitlements(
  { productEntitlements }: Pick<ProductEntitlementNeeds, 'productEntitlements'>,
  scope: Scope,
  entitlementIds: readonly string[],
): Promise<void> {
  if (new Set(entitlementIds).size < entitlementIds.length) {
    throw new Fault('INVALID_REQUEST_BODY', 'An entitlement must not be attached twice.')
  }
  if (entitlementIds.length === 0) return
  const found = await productEntitlements.many(scope, entitlementIds)
  const unknown = entitlementIds.find((id) => (found.get(id)?.deletedAt ?? null) !== null)
  const absent = unknown ?? entitlementIds.find((id) => !found.has(id))
  if (absent !== undefined) throw notFound('entitlement', absent)
}

/** A product with its own files, and what is written of them. */
export interface DeliveredProduct {
  readonly product: Product
  readonly rows: readonly RowChange[]
}

/**
 * A product's own files are an entitlement of its own, made when they are first asked for: so they
 * are granted, downloaded and revoked as all others are. Absent: they stay. Null: they end.
 *
 * @throws Fault 422 for a file that nobody has uploaded [entitlements#files-of-a-product]
 */
export async function withDelivery(
  needs: ProductEntitlementNeeds,
  scope: Scope,
  of: {
    readonly product: Product
    readonly delivery: WantedDelivery | null | undefined
    readonly at: Instant
  },
): Promise<DeliveredProduct> {
  const { at, delivery } = of
  const product = letGo(of.product)
  if (delivery === undefined) return { product, rows: [] }
  const { deliveryEntitlementId: id } = product
  const known = id === null ? null : await needs.productEntitlements.many(scope, [id])
  const was = (id === null ? null : known?.get(id)) ?? null
  if (delivery === null) {
    if (was === null) return { product, rows: [] }
    const entitlementIds = product.entitlementIds.filter((each) => each !== id)
    const ended = changedEntitlement(was, { deletedAt: at }, at)
    return {
      product: { ...product, entitlementIds, deliveryEntitlementId: null },
      rows: [rowOf(was, ended)],
    }
  }
  if (was === null && asksNothing(delivery)) return { product, rows: [] }
  const files = was?.config.type === 'digital_files' ? was.config : noFiles
  const had = new Set(files.fileIds)
  const config = { ...files, ...delivery }
  await refuseUnknownFiles(needs, scope, unlessHad(config.fileIds, had))
  if (was !== null) {
    return { product, rows: [rowOf(was, changedEntitlement(was, { config }, at))] }
  }
  const made: ProductEntitlement = {
    entitlementId: needs.newId('ent'),
    name: product.name,
    description: null,
    config,
    metadata: {},
    deletedAt: null,
    createdAt: at,
    updatedAt: at,
  }
  const { entitlementId } = made
  return {
    product: {
      ...product,
      entitlementIds: [...product.entitlementIds, entitlementId],
      deliveryEntitlementId: entitlementId,
    },
    rows: [rowOf(null, made)],
  }
}

const noFiles = {
  type: 'digital_files',
  fileIds: [],
  externalUrl: null,
  instructions: null,
} as const

/** A product that no longer brings its own files has none. */
const letGo = (product: Product): Product =>
  product.entitlementIds.some((id) => id === product.deliveryEntitlementId)
    ? product
    : { ...product, deliveryEntitlementId: null }

const asksNothing = ({ externalUrl, fileIds = [], instructions }: WantedDelivery): boolean =>
  (externalUrl ?? instructions ?? null) === null && fileIds.length === 0

/** Named twice, a file is refused; those that it has already may be gone. */
const unlessHad = (fileIds: readonly string[], had: ReadonlySet<string>): readonly string[] =>
  new Set(fileIds).size < fileIds.length ? fileIds : fileIds.filter((id) => !had.has(id))

const rowOf = (was: ProductEntitlement | null, row: ProductEntitlement): RowChange => ({
  noun: 'product_entitlement',
  expected: was?.updatedAt ?? null,
  row,
})
