import type { LicenseKeys } from '../../parts/store/license-keys.ts'
import type { ProductEntitlements } from '../../parts/store/product-entitlements.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { StoredFiles } from '../../parts/store/stored-files.ts'
import type { EntitlementGrant } from '../../rules/commerce/entitlements/entitlement-grant.ts'
import { filesHeldBy } from '../../rules/commerce/entitlements/product-entitlement.ts'
import type { GrantObjects } from '../../rules/facts/grant-facts.ts'

export interface GrantObjectNeeds {
  readonly licenseKeys: Pick<LicenseKeys, 'broughtBy'>
  readonly productEntitlements: Pick<ProductEntitlements, 'many'>
  readonly storedFiles: Pick<StoredFiles, 'many'>
}

/** What these grants give, and the entitlements that are going to be granted besides. */
export async function grantObjects(
  needs: GrantObjectNeeds,
  scope: Scope,
  { grants, entitlementIds = [] }: Wanted,
): Promise<GrantObjects> {
  const ids = [...grants.map((grant) => grant.entitlementId), ...entitlementIds]
  const licensed = grants.filter(({ integrationType }) => integrationType === 'license_key')
  const [entitlements, keys] = await Promise.all([
    needs.productEntitlements.many(scope, [...new Set(ids)]),
    licensed.length === 0
      ? []
      : needs.licenseKeys.broughtBy(scope, { grantIds: licensed.map(({ grantId }) => grantId) }),
  ])
  const fileIds = [...new Set([...entitlements.values()].flatMap(filesHeldBy))]
  const files = fileIds.length === 0 ? new Map() : await needs.storedFiles.many(scope, fileIds)
  return { entitlements, files, keys }
}

interface Wanted {
  readonly grants: readonly EntitlementGrant[]
  readonly entitlementIds?: readonly string[]
}
