import { refuse } from '../../faults.ts'
import type { Brands } from '../../parts/store/brands.ts'
import type { Changes } from '../../parts/store/changes.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { BrandArchive, MovedCounts } from '../../rules/commerce/catalog/brand.ts'
import { archiveRejection } from '../../rules/commerce/catalog/brand.ts'
import { changeTime } from '../../rules/commerce/catalog/change-time.ts'
import type { Instant } from '../../std/instant.ts'
import type { Tries } from '../accounts/until-written.ts'
import { lost, untilWritten } from '../accounts/until-written.ts'
import type { FindBrandNeeds } from './find-brand.ts'
import { brandOrNotFound, findBrand, relyingOn } from './find-brand.ts'

export interface ArchiveBrand extends Tries, FindBrandNeeds {
  readonly changes: Pick<Changes, 'commit'>
  readonly brands: Pick<Brands, 'get' | 'holdings' | 'moved'>
}

export interface ArchivedBrand {
  readonly archive: BrandArchive
  readonly moved: MovedCounts
}

/**
 * Archives a brand for good, and moves its products, live subscriptions and collections to the
 * target in the same transaction. Of two archives that name each other's brand one is written; the
 * other one finds that its target, or its own brand, is archived.
 *
 * @throws Fault 404; 403 the primary brand; 409 an archived one; 422 a target that cannot take what
 * it holds, or none where one is needed. [resources#brands, requests#refusals]
 */
export async function archiveBrand(
  needs: ArchiveBrand,
  scope: Scope,
  input: { readonly brandId: string; readonly targetId: string | null; readonly at: Instant },
): Promise<ArchivedBrand> {
  const { brandId, targetId, at } = input
  const archive = await untilWritten(needs, 'archive_brand', async () => {
    const was = await brandOrNotFound(needs, scope, brandId)
    const target = targetId === null ? null : await findBrand(needs, scope, targetId)
    const holds = await needs.brands.holdings(scope, brandId)
    const { businessId } = scope
    refuse(archiveRejection({ businessId, brand: was, targetId, target, holds }))
    const archived = { at: changeTime(was, at), movedTo: targetId }
    const row = { ...was, archived, updatedAt: archived.at }
    const outcome = await needs.changes.commit({
      scope,
      clockAhead: null,
      rows: [
        { noun: 'brand', expected: was.updatedAt, row },
        ...(target === null ? [] : relyingOn(target, scope)),
      ],
      accounts: [],
      facts: [],
    })
    return outcome === 'committed' ? archived : lost
  })
  return { archive, moved: await needs.brands.moved(scope, brandId) }
}
