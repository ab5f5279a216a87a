import { Fault, orNotFound, refuse } from '../../faults.ts'
import type { Changes } from '../../parts/store/changes.ts'
import { rowAlone } from '../../parts/store/changes.ts'
import type { ProductEntitlements } from '../../parts/store/product-entitlements.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { StoredFiles } from '../../parts/store/stored-files.ts'
import { metadataRejection } from '../../rules/commerce/catalog/metadata.ts'
import type {
  AskedEntitlement,
  ProductEntitlement,
  ProductEntitlementChange,
} from '../../rules/commerce/entitlements/product-entitlement.ts'
import {
  changedEntitlement,
  filesHeldBy,
} from '../../rules/commerce/entitlements/product-entitlement.ts'
import type { NewId } from '../../std/id.ts'
import type { Instant } from '../../std/instant.ts'
import type { Operation, Tries } from '../accounts/until-written.ts'
import { lost, untilWritten } from '../accounts/until-written.ts'

export interface ChangeEntitlementNeeds extends Tries {
  readonly changes: Pick<Changes, 'commit'>
  readonly productEntitlements: ProductEntitlements
  readonly storedFiles: Pick<StoredFiles, 'many'>
  readonly newId: NewId
}

/** @throws Fault 422 for files that nobody has uploaded, and for metadata [entitlements#kinds] */
export async function createEntitlement(
  needs: ChangeEntitlementNeeds,
  scope: Scope,
  { wanted, at }: { readonly wanted: AskedEntitlement; readonly at: Instant },
): Promise<ProductEntitlement> {
  refuse(metadataRejection(wanted.metadata))
  await refuseUnknownFiles(needs, scope, filesHeldBy(wanted))
  const row: ProductEntitlement = {
    ...wanted,
    entitlementId: needs.newId('ent'),
    deletedAt: null,
    createdAt: at,
    updatedAt: at,
  }
  const made = { noun: 'product_entitlement', expected: null, row } as const
  const outcome = await needs.changes.commit(rowAlone(scope, made))
  if (outcome === 'committed') return row
  throw new Error('A new entitlement was there already.')
}

export interface FindEntitlementNeeds {
  readonly productEntitlements: Pick<ProductEntitlements, 'get'>
}

/** One that nobody has deleted. @throws Fault 404 */
export async function findEntitlement(
  { productEntitlements }: FindEntitlementNeeds,
  scope: Scope,
  entitlementId: string,
): Promise<ProductEntitlement> {
  const found = await productEntitlements.get(scope, entitlementId)
  return orNotFound(found?.deletedAt === null ? found : null, 'entitlement', entitlementId)
}

interface EntitlementEdit {
  readonly entitlementId: string
  readonly at: Instant
  /** The change of the entitlement as it is. Throws a Fault to refuse. */
  readonly change: (was: ProductEntitlement) => ProductEntitlementChange
  readonly operation?: Operation
}

/**
 * The entitlement as it is afterwards. What was granted follows it: a download link leads to the
 * files that it has then.
 *
 * @throws Fault 404, 422 [entitlements#entitlements]
 */
export function changeEntitlement(
  needs: ChangeEntitlementNeeds,
  scope: Scope,
  { entitlementId, at, change, operation = 'update_entitlement' }: EntitlementEdit,
): Promise<ProductEntitlement> {
  return untilWritten(needs, operation, async () => {
    const was = await findEntitlement(needs, scope, entitlementId)
    const changes = change(was)
    refuse(metadataRejection(changes.metadata ?? {}))
    const row = changedEntitlement(was, changes, at)
    const had = new Set(filesHeldBy(was))
    await refuseUnknownFiles(
      needs,
      scope,
      filesHeldBy(row).filter((id) => !had.has(id)),
    )
    const changed = { noun: 'product_entitlement', expected: was.updatedAt, row } as const
    const outcome = await needs.changes.commit(rowAlone(scope, changed))
    return outcome === 'committed' ? row : lost
  })
}

/** Nothing brings it any more; what was granted goes on. @throws Fault 404 */
export const deleteEntitlement = (
  needs: ChangeEntitlementNeeds,
  scope: Scope,
  { entitlementId, at }: Pick<EntitlementEdit, 'entitlementId' | 'at'>,
): Promise<ProductEntitlement> =>
  changeEntitlement(needs, scope, {
    entitlementId,
    at,
    change: () => ({ deletedAt: at }),
    operation: 'delete_entitlement',
  })

/** @throws Fault 404 for the entitlement, and for a file that it does not hold */
export const detachFile = (
  needs: ChangeEntitlementNeeds,
  scope: Scope,
  { fileId, ...of }: Pick<EntitlementEdit, 'entitlementId' | 'at'> & { readonly fileId: string },
): Promise<ProductEntitlement> =>
  changeEntitlement(needs, scope, {
    ...of,
    change: ({ config }) => {
      if (config.type !== 'digital_files' || !config.fileIds.includes(fileId)) {
        throw new Fault('NOT_FOUND', `There is no file '${fileId}' of this entitlement.`)
      }
      return { config: { ...config, fileIds: config.fileIds.filter((id) => id !== fileId) } }
    },
  })

/** @throws Fault 422 */
export async function refuseUnknownFiles(
  { storedFiles }: Pick<ChangeEntitlementNeeds, 'storedFiles'>,
  scope: Scope,
  fileIds: readonly string[],
): Promise<void> {
  if (new Set(fileIds).size < fileIds.length) {
    throw new Fault('INVALID_REQUEST_BODY', 'A file must not be named twice.')
  }
  if (fileIds.length === 0) return
  const found = await storedFiles.many(scope, fileIds)
  const unknown = fileIds.find((id) => found.get(id)?.kind !== 'digital')
  if (unknown === undefined) return
  throw new Fault('INVALID_REQUEST_BODY', `No file '${unknown}' was uploaded.`)
}
