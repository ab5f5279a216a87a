import { Fault, notFound, refuse } from '../../faults.ts'
import type { Changes } from '../../parts/store/changes.ts'
import type { CreditEntitlements } from '../../parts/store/credit-entitlements.ts'
import type { Meters } from '../../parts/store/meters.ts'
import type { Scope } from '../../parts/store/scope.ts'
import { metadataRejection } from '../../rules/commerce/catalog/metadata.ts'
import type { Product, ProductParts, WantedProduct } from '../../rules/commerce/catalog/product.ts'
import { productRejection } from '../../rules/commerce/catalog/product-rules.ts'
import type { NewId } from '../../std/id.ts'
import type { Instant } from '../../std/instant.ts'
import { writeNewRow } from '../accounts/new-row.ts'
import { productParts } from './product-parts.ts'

export interface CreateProduct {
  readonly changes: Pick<Changes, 'commit'>
  readonly meters: Meters
  readonly creditEntitlements: CreditEntitlements
  readonly newId: NewId
}

export interface CreatedProduct {
  readonly product: Product
  readonly parts: ProductParts
}

/**
 * Refuses 404, 410 and 422 by [resources#products, resources#prices, resources#attached-credits];
 * the credits and meters that it names must exist and not be deleted or archived.
 */
export async function createProduct(
  needs: CreateProduct,
  scope: Scope,
  { wanted, at }: { readonly wanted: WantedProduct; readonly at: Instant },
): Promise<CreatedProduct> {
  refuseUnknown(wanted, scope)
  const { name, description, taxCategory, price, metadata } = wanted
  const product: Product = {
    productId: needs.newId('pdt'),
    brandId: scope.businessId,
    name,
    description,
    taxCategory,
    price,
    creditEntitlements: wanted.creditEntitlements.map((mapping) => ({
      mappingId: needs.newId('cem'),
      ...mapping,
    })),
    metadata,
    archivedAt: null,
    createdAt: at,
    updatedAt: at,
  }
  const parts = await productParts(needs, scope, [product])
  refuse(productRejection({ price, mappings: product.creditEntitlements, ...parts }))
  refuseUndelivered(wanted)
  refuse(metadataRejection(metadata))

  await writeNewRow(needs.changes, scope, { noun: 'product', expected: null, row: product })
  return { product, parts }
}

/** There is only the primary brand, and there are no add-ons or product entitlements to name. */
function refuseUnknown(wanted: WantedProduct, { businessId }: Scope): void {
  const { brandId, addonIds, entitlementIds } = wanted
  if (brandId !== null && brandId !== businessId) throw notFound('brand', brandId)
  const [addon] = addonIds
  if (addon !== undefined) throw notFound('add-on', addon)
  const [attached] = entitlementIds
  if (attached !== undefined) throw notFound('entitlement', attached)
}

/** Refused, not ignored: a seller must not believe that buyers get what is never delivered. */
function refuseUndelivered({ undelivered: [field] }: WantedProduct): void {
  if (field === undefined) return
  throw new Fault('UNSUPPORTED_ACTION', `${field} is not supported yet: leave it out.`)
}
