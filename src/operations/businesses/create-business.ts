import type { Changes } from '../../parts/store/changes.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { NewId } from '../../std/id.ts'
import { writeNewRow } from '../accounts/new-row.ts'

export interface CreateBusinessNeeds {
  readonly changes: Pick<Changes, 'commit'>
  readonly clock: Clock
  readonly newId: NewId
}

/** Makes a business with both modes, and answers its id. The caller has checked the tier. */
export async function createBusiness(
  { changes, clock, newId }: CreateBusinessNeeds,
  { name, rateTier }: { readonly name: string; readonly rateTier: string },
): Promise<string> {
  const businessId = newId('bus')
  const row = { businessId, name, rateTier, createdAt: clock.now() }
  const scope = { businessId, mode: 'test' as const }
  await writeNewRow(changes, scope, { noun: 'business', expected: null, row })
  return businessId
}
