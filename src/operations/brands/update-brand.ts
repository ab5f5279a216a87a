import { refuse } from '../../faults.ts'
import type { Changes } from '../../parts/store/changes.ts'
import { rowAlone } from '../../parts/store/changes.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Brand, BrandChange } from '../../rules/commerce/catalog/brand.ts'
import { changedBrand, fixedRejection } from '../../rules/commerce/catalog/brand.ts'
import type { Instant } from '../../std/instant.ts'
import type { Tries } from '../accounts/until-written.ts'
import { lost, untilWritten } from '../accounts/until-written.ts'
import type { KnownImageNeeds } from '../files/known-image.ts'
import { refuseUnknownImage } from '../files/known-image.ts'
import type { FindBrandNeeds } from './find-brand.ts'
import { brandOrNotFound } from './find-brand.ts'

export interface UpdateBrand extends Tries, FindBrandNeeds, KnownImageNeeds {
  readonly changes: Pick<Changes, 'commit'>
}

/**
 * The brand as it is afterwards.
 *
 * @throws Fault 404; 403 the primary brand; 409 an archived one; 422 an
 * unknown image. [resources#brands]
 */
export function updateBrand(
  needs: UpdateBrand,
  scope: Scope,
  input: { readonly brandId: string; readonly change: BrandChange; readonly at: Instant },
): Promise<Brand> {
  const { brandId, change, at } = input
  return untilWritten(needs, 'update_brand', async () => {
    const was = await brandOrNotFound(needs, scope, brandId)
    refuse(fixedRejection(was, scope.businessId))
    await refuseUnknownImage(needs, scope, change.imageId)
    const row = changedBrand(was, change, at)
    const changed = { noun: 'brand', expected: was.updatedAt, row } as const
    const outcome = await needs.changes.commit(rowAlone(scope, changed))
    return outcome === 'committed' ? row : lost
  })
}
