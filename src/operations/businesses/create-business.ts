import type { Businesses } from '../../parts/store/businesses.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { NewId } from '../../std/id.ts'

export interface CreateBusinessPorts {
  readonly businesses: Businesses
  readonly clock: Clock
  readonly newId: NewId
}

/** Makes a business with both modes, and answers its id. The caller has checked the tier. */
export async function createBusiness(
  ports: CreateBusinessPorts,
  { name, rateTier }: { readonly name: string; readonly rateTier: string },
): Promise<string> {
  const businessId = ports.newId('bus')
  await ports.businesses.create({ businessId, name, rateTier, createdAt: ports.clock.now() })
  return businessId
}
