import { Fault, notFound } from '../../faults.ts'
import type { Businesses } from '../../parts/store/businesses.ts'
import type { EntitlementGrants } from '../../parts/store/entitlement-grants.ts'
import type { ProductEntitlements } from '../../parts/store/product-entitlements.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { StoredFiles } from '../../parts/store/stored-files.ts'
import type { StoredFile } from '../../rules/commerce/catalog/stored-file.ts'
import { filesHeldBy } from '../../rules/commerce/entitlements/product-entitlement.ts'
import type { Mode } from '../../rules/meter/meter.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { SignedTokens } from '../../runtime/signed-token.ts'
import { after } from '../../std/instant.ts'

export interface OpenDownloadNeeds {
  readonly businesses: Pick<Businesses, 'clockAhead'>
  readonly clock: Clock
  readonly downloads: Pick<SignedTokens, 'open'>
  readonly entitlementGrants: Pick<EntitlementGrants, 'get'>
  readonly productEntitlements: Pick<ProductEntitlements, 'get'>
  readonly storedFiles: Pick<StoredFiles, 'get'>
}

/**
 * The file of a link. It is asked for anew each time: a link is dead as soon as the grant is taken
 * back, or the file is detached.
 *
 * @throws Fault 403 for a link that nobody gave out, or is too old, or whose grant ended; 404 for a
 * file that is detached [entitlements#downloads]
 */
export async function openDownload(
  needs: OpenDownloadNeeds,
  mode: Mode,
  token: string,
): Promise<StoredFile> {
  const [businessId, tokenMode, kind, holderId, fileId, until] = needs.downloads.open(token) ?? []
  if (businessId === undefined || holderId === undefined || fileId === undefined) throw forged()
  if (tokenMode !== mode) throw forged()
  const scope: Scope = { businessId, mode }
  const at = after(needs.clock.now(), await needs.businesses.clockAhead(scope))
  if (at >= Number(until)) throw new Fault('FORBIDDEN', 'This link is too old: ask for another.')
  const entitlementId = kind === 'grant' ? await grantedBy(scope, holderId) : holderId
  const entitlement = await needs.productEntitlements.get(scope, entitlementId)
  const isHeld = entitlement !== null && filesHeldBy(entitlement).includes(fileId)
  const file = isHeld ? await needs.storedFiles.get(scope, fileId) : null
  if (file === null || file.deletedAt !== null) throw notFound('file', fileId)
  return file

  async function grantedBy(of: Scope, grantId: string): Promise<string> {
    const grant = await needs.entitlementGrants.get(of, grantId)
    if (grant?.status === 'Delivered') return grant.entitlementId
    throw new Fault('FORBIDDEN', 'What this link was for has been taken back.')
  }
}

const forged = (): Fault => new Fault('FORBIDDEN', 'This is no address of a file.')
