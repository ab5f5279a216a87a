import { notFound } from '../../faults.ts'
import type { EntitlementGrants } from '../../parts/store/entitlement-grants.ts'
import type { EntitlementGrantStatus } from '../../rules/commerce/entitlements/entitlement-grant.ts'
import type { GrantTold } from '../../rules/facts/grant-facts.ts'
import { grantTold } from '../../rules/facts/grant-facts.ts'
import type { GrantObjectNeeds } from '../entitlements/grant-objects.ts'
import { grantObjects } from '../entitlements/grant-objects.ts'
import type { PortalVisit } from './portal-link.ts'

export interface VisitorGrantNeeds extends GrantObjectNeeds {
  readonly entitlementGrants: Pick<EntitlementGrants, 'get' | 'list'>
}

/** Each is had, or waits for somebody to deliver it; what was taken back is not shown. */
const shownStatuses: readonly EntitlementGrantStatus[] = ['Delivered', 'Pending']

/** What the visitor was granted besides credits, the newest first. [payments#portal] */
export async function visitorGrants(
  needs: VisitorGrantNeeds,
  { scope, customer }: PortalVisit,
  most: number,
): Promise<readonly GrantTold[]> {
  const { customerId } = customer
  const page = { limit: most, offset: 0 }
  const found = await Promise.all(
    shownStatuses.map((status) =>
      needs.entitlementGrants.list(
        scope,
        { entitlementId: null, customerId, status, type: null },
        page,
      ),
    ),
  )
  const grants = found.flat()
  const parts = await grantObjects(needs, scope, { grants })
  return grants.flatMap((grant) => grantTold(grant, parts) ?? [])
}

/** Refuses (404) a file that the visitor was not granted, or is not granted any more. */
export async function visitorFile(
  needs: VisitorGrantNeeds,
  { scope, customer }: PortalVisit,
  { grantId, fileId }: { readonly grantId: string; readonly fileId: string },
): Promise<void> {
  const grant = await needs.entitlementGrants.get(scope, grantId)
  if (grant?.customerId !== customer.customerId || grant.status !== 'Delivered') {
    throw notFound('grant', grantId)
  }
  const told = grantTold(grant, await grantObjects(needs, scope, { grants: [grant] }))
  const file = told?.files.find((each) => each.fileId === fileId && each.deletedAt === null)
  if (file === undefined) throw notFound('file', fileId)
}
