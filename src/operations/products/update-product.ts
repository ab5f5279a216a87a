import { orNotFound, refuse } from '../../faults.ts'
import type { Changes, RowChange } from '../../parts/store/changes.ts'
import type { LocalizedPrices } from '../../parts/store/localized-prices.ts'
import type { Products } from '../../parts/store/products.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Brand } from '../../rules/commerce/catalog/brand.ts'
import { disabledRejection } from '../../rules/commerce/catalog/brand.ts'
import {
  archivedPrice,
  baseRejection,
  keptUnder,
} from '../../rules/commerce/catalog/localized-price.ts'
import { metadataRejection } from '../../rules/commerce/catalog/metadata.ts'
import type { Product, ProductChange } from '../../rules/commerce/catalog/product.ts'
import {
  brandRejection,
  carriedBy,
  changedProduct,
  isStructural,
  kindRejection,
} from '../../rules/commerce/catalog/product-change.ts'
import { productRejection } from '../../rules/commerce/catalog/product-rules.ts'
import type { NewId } from '../../std/id.ts'
import type { Instant } from '../../std/instant.ts'
import type { Tries } from '../accounts/until-written.ts'
import { lost, untilWritten } from '../accounts/until-written.ts'
import type { FindBrandNeeds } from '../brands/find-brand.ts'
import { brandOrNotFound, relyingOn } from '../brands/find-brand.ts'
import type { KnownImageNeeds } from '../files/known-image.ts'
import { refuseUnknownImage } from '../files/known-image.ts'
import type { ProductEntitlementNeeds } from './product-entitlements.ts'
import { refuseUnknownEntitlements, withDelivery } from './product-entitlements.ts'
import type { ProductPartsNeeds } from './product-parts.ts'
import { productParts } from './product-parts.ts'

export interface UpdateProduct
  extends ProductPartsNeeds,
    ProductEntitlementNeeds,
    FindBrandNeeds,
    KnownImageNeeds,
    Tries {
  readonly storedFiles: KnownImageNeeds['storedFiles'] & ProductEntitlementNeeds['storedFiles']
  readonly changes: Pick<Changes, 'commit'>
  readonly products: Pick<Products, 'get'>
  readonly localizedPrices: Pick<LocalizedPrices, 'active'>
  readonly newId: NewId
}

interface UpdatedProduct {
  readonly productId: string
  readonly change: ProductChange
  readonly at: Instant
}

/**
 * Judges the state that the change leads to, and writes it only if the state before it still holds.
 * A pricing mode that ends takes its localized prices along. Refuses as creating does, but for what
 * the product names already. [resources#products]
 */
export async function updateProduct(
  needs: UpdateProduct,
  scope: Scope,
  { productId, change, at }: UpdatedProduct,
): Promise<void> {
  await untilWritten<undefined>(needs, 'update_product', async () => {
    const was = orNotFound(await needs.products.get(scope, productId), 'product', productId)
    const brand = await brandAhead(needs, scope, { was, change })
    const carried = new Set(was.entitlementIds)
    const attached = change.entitlementIds ?? []
    await refuseUnknownEntitlements(needs, scope, unlessCarried(attached, carried))
    const { product: row, rows } = await withDelivery(needs, scope, {
      product: changedProduct(was, change, { newId: needs.newId, at }),
      delivery: change.delivery,
      at,
    })
    refuse(brand === null ? null : disabledRejection(brand))
    await refuseUnknownImage(needs, scope, change.imageId)
    await judge(needs, scope, { was, row, change })
    const outcome = await needs.changes.commit({
      scope,
      clockAhead: null,
      rows: [
        ...(brand === null ? [] : relyingOn(brand, scope)),
        ...rows,
        { noun: 'product', expected: was.updatedAt, row },
        ...(await endingPrices(needs, scope, row)),
      ],
      accounts: [],
      facts: [],
    })
    return outcome === 'committed' ? undefined : lost
  })
}

/** What the product brings already may have been deleted since: it stays. */
const unlessCarried = (
  entitlementIds: readonly string[],
  carried: ReadonlySet<string>,
): readonly string[] =>
  new Set(entitlementIds).size < entitlementIds.length
    ? entitlementIds
    : entitlementIds.filter((id) => !carried.has(id))

/** The brand that the product moves to; null: it stays where it is. */
async function brandAhead(
  needs: UpdateProduct,
  scope: Scope,
  { was, change }: { readonly was: Product; readonly change: ProductChange },
): Promise<Brand | null> {
  const { brandId = was.brandId } = change
  return brandId === was.brandId ? null : brandOrNotFound(needs, scope, brandId)
}

async function judge(
  needs: UpdateProduct,
  scope: Scope,
  { was, row, change }: { was: Product; row: Product; change: ProductChange },
): Promise<void> {
  if (isStructural(change)) {
    const parts = await productParts(needs, scope, [row])
    const { price, creditEntitlements: mappings, addonIds } = row
    refuse(productRejection({ price, mappings, addonIds, ...parts, carried: carriedBy(was) }))
    refuse(kindRejection(was, change))
    const active = await needs.localizedPrices.active(scope, row.productId)
    refuse(baseRejection(row, keptUnder(row.pricingMode, active).kept))
  }
  refuse(brandRejection(was, change))
  refuse(metadataRejection(change.metadata ?? {}))
}

async function endingPrices(
  { localizedPrices }: UpdateProduct,
  scope: Scope,
  { productId, pricingMode, updatedAt }: Product,
): Promise<readonly RowChange[]> {
  const { ending } = keptUnder(pricingMode, await localizedPrices.active(scope, productId))
  return ending.map((each) => ({
    noun: 'localized_price',
    expected: each.updatedAt,
    row: archivedPrice(each, updatedAt),
  }))
}
