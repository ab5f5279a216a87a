import { orNotFound } from '../../faults.ts'
import type { Businesses } from '../../parts/store/businesses.ts'
import type { Changes } from '../../parts/store/changes.ts'
import { rowAlone } from '../../parts/store/changes.ts'
import { lost, untilWritten } from '../accounts/until-written.ts'

export interface LimitBusinessNeeds {
  readonly businesses: Pick<Businesses, 'find'>
  readonly changes: Pick<Changes, 'commit'>
}

/**
 * Sets how many requests a business may make: acts everywhere once cached keys have aged. The
 * caller has checked the tier. @throws Fault NOT_FOUND when there is no such business.
 */
export async function limitBusiness(
  { businesses, changes }: LimitBusinessNeeds,
  { businessId, rateTier }: { readonly businessId: string; readonly rateTier: string },
): Promise<void> {
  await untilWritten<undefined>({}, 'limit_business', async () => {
    const was = orNotFound(await businesses.find(businessId), 'business', businessId)
    const limited = { noun: 'business', expected: was, row: { ...was, rateTier } } as const
    const outcome = await changes.commit(rowAlone({ businessId, mode: 'test' }, limited))
    return outcome === 'committed' ? undefined : lost
  })
}
