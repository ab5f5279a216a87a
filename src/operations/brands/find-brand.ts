import { orNotFound } from '../../faults.ts'
import type { Brands } from '../../parts/store/brands.ts'
import type { Businesses } from '../../parts/store/businesses.ts'
import type { RowChange } from '../../parts/store/changes.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Brand } from '../../rules/commerce/catalog/brand.ts'
import { primaryBrand } from '../../rules/commerce/catalog/brand.ts'

export interface FindBrandNeeds {
  readonly brands: Pick<Brands, 'get'>
  readonly businesses: Pick<Businesses, 'find'>
}

/** A brand of the business: the primary one has the business's own id. Null: there is none. */
export async function findBrand(
  { brands, businesses }: FindBrandNeeds,
  scope: Scope,
  brandId: string,
): Promise<Brand | null> {
  if (brandId !== scope.businessId) return brands.get(scope, brandId)
  const business = await businesses.find(scope.businessId)
  return business === null ? null : primaryBrand(business)
}

/** The same; throws 404 where there is none. */
export const brandOrNotFound = async (
  needs: FindBrandNeeds,
  scope: Scope,
  brandId: string,
): Promise<Brand> => orNotFound(await findBrand(needs, scope, brandId), 'brand', brandId)

/**
 * What a change holds that relies on a brand: it is as it was loaded until the change is written.
 * The primary brand never changes.
 */
export const relyingOn = (brand: Brand, { businessId }: Scope): readonly RowChange[] =>
  brand.brandId === businessId ? [] : [{ noun: 'brand', expected: brand.updatedAt, row: brand }]
