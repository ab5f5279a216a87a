import { refuse } from '../../faults.ts'
import type { Changes } from '../../parts/store/changes.ts'
import type { Scope } from '../../parts/store/scope.ts'
import { disabledRejection } from '../../rules/commerce/catalog/brand.ts'
import { metadataRejection } from '../../rules/commerce/catalog/metadata.ts'
import type { Product, ProductParts, WantedProduct } from '../../rules/commerce/catalog/product.ts'
import { carriesNothing, mapped } from '../../rules/commerce/catalog/product-change.ts'
import { productRejection } from '../../rules/commerce/catalog/product-rules.ts'
import type { NewId } from '../../std/id.ts'
import type { Instant } from '../../std/instant.ts'
import type { Tries } from '../accounts/until-written.ts'
import { lost, untilWritten } from '../accounts/until-written.ts'
import type { FindBrandNeeds } from '../brands/find-brand.ts'
import { brandOrNotFound, relyingOn } from '../brands/find-brand.ts'
import type { ProductEntitlementNeeds } from './product-entitlements.ts'
import { refuseUnknownEntitlements, withDelivery } from './product-entitlements.ts'
import type { ProductPartsNeeds } from './product-parts.ts'
import { productParts } from './product-parts.ts'

export interface CreateProduct
  extends ProductPartsNeeds,
    ProductEntitlementNeeds,
    FindBrandNeeds,
    Tries {
  readonly changes: Pick<Changes, 'commit'>
  readonly newId: NewId
}

export interface CreatedProduct {
  readonly product: Product
  readonly parts: ProductParts
}

/**
 * Refuses 404, 409, 410 and 422 by [resources#products, resources#prices,
 * resources#attached-credits]; what it names must exist and not be deleted or archived.
 */
export function createProduct(
  needs: CreateProduct,
  scope: Scope,
  { wanted, at }: { readonly wanted: WantedProduct; readonly at: Instant },
): Promise<CreatedProduct> {
  return untilWritten(needs, 'create_product', async () => {
    const brand = await brandOrNotFound(needs, scope, wanted.brandId ?? scope.businessId)
    await refuseUnknownEntitlements(needs, scope, wanted.entitlementIds)
    const { product, rows } = await withDelivery(needs, scope, {
      product: productOf(needs, { wanted, brandId: brand.brandId, at }),
      delivery: wanted.delivery ?? undefined,
      at,
    })
    const parts = await productParts(needs, scope, [product])
    const { price, creditEntitlements: mappings, addonIds, metadata } = product
    refuse(disabledRejection(brand))
    refuse(productRejection({ price, mappings, addonIds, ...parts, carried: carriesNothing }))
    refuse(metadataRejection(metadata))

    const outcome = await needs.changes.commit({
      scope,
      clockAhead: null,
      rows: [
        ...relyingOn(brand, scope),
        ...rows,
        { noun: 'product', expected: null, row: product },
      ],
      accounts: [],
      facts: [],
    })
    return outcome === 'committed' ? { product, parts } : lost
  })
}

function productOf(
  { newId }: CreateProduct,
  {
    wanted,
    brandId,
    at,
  }: { readonly wanted: WantedProduct; readonly brandId: string; readonly at: Instant },
): Product {
  return {
    productId: newId('pdt'),
    brandId,
    name: wanted.name,
    description: wanted.description,
    taxCategory: wanted.taxCategory,
    price: wanted.price,
    creditEntitlements: wanted.creditEntitlements.map((mapping) => mapped(newId, mapping)),
    addonIds: wanted.addonIds,
    pricingMode: wanted.pricingMode,
    collectionId: null,
    metadata: wanted.metadata,
    license: wanted.license,
    entitlementIds: wanted.entitlementIds,
    deliveryEntitlementId: null,
    imageId: null,
    archivedAt: null,
    createdAt: at,
    updatedAt: at,
  }
}
