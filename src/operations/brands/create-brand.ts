import { Fault } from '../../faults.ts'
import { limits } from '../../limits.ts'
import type { Brands } from '../../parts/store/brands.ts'
import type { Changes } from '../../parts/store/changes.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Brand, BrandTexts } from '../../rules/commerce/catalog/brand.ts'
import type { NewId } from '../../std/id.ts'
import type { Instant } from '../../std/instant.ts'
import { writeNewRow } from '../accounts/new-row.ts'

export interface CreateBrand {
  readonly changes: Pick<Changes, 'commit'>
  readonly brands: Pick<Brands, 'counted'>
  readonly newId: NewId
}

/**
 * @throws Fault 409 where there are as many as may be, archived ones included [resources#brands]
 */
export async function createBrand(
  { changes, brands, newId }: CreateBrand,
  scope: Scope,
  { wanted, at }: { readonly wanted: BrandTexts; readonly at: Instant },
): Promise<Brand> {
  // Of several processes at once a few more can get in: the bound is no promise.
  if ((await brands.counted(scope)) >= limits.brandsMax) {
    const problem = `A business has at most ${limits.brandsMax} brands, archived ones included.`
    throw new Fault('CONFLICT', problem)
  }
  const brand: Brand = {
    ...wanted,
    brandId: newId('brnd'),
    archived: null,
    createdAt: at,
    updatedAt: at,
  }
  await writeNewRow(changes, scope, { noun: 'brand', expected: null, row: brand })
  return brand
}
