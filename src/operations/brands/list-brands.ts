import type { Brands } from '../../parts/store/brands.ts'
import type { Businesses } from '../../parts/store/businesses.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Brand } from '../../rules/commerce/catalog/brand.ts'
import { primaryBrand } from '../../rules/commerce/catalog/brand.ts'

export interface ListBrandsNeeds {
  readonly brands: Pick<Brands, 'list'>
  readonly businesses: Pick<Businesses, 'find'>
}

/** Newest first: the primary brand, which is as old as the business, is the last. */
export async function listBrands(
  { brands, businesses }: ListBrandsNeeds,
  scope: Scope,
  filter: { readonly archived: boolean },
): Promise<readonly Brand[]> {
  const [made, business] = await Promise.all([
    brands.list(scope, filter),
    businesses.find(scope.businessId),
  ])
  return business === null ? made : [...made, primaryBrand(business)]
}
