import { Fault } from '../../faults.ts'
import { limits } from '../../limits.ts'
import type { Files, KeptFile } from '../../parts/files/port.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { StoredFile } from '../../rules/commerce/catalog/stored-file.ts'
import type { ProductEntitlement } from '../../rules/commerce/entitlements/product-entitlement.ts'
import { changedEntitlement } from '../../rules/commerce/entitlements/product-entitlement.ts'
import type { Instant } from '../../std/instant.ts'
import { lost, untilWritten } from '../accounts/until-written.ts'
import type { ChangeEntitlementNeeds } from '../entitlements/change-entitlement.ts'
import { findEntitlement } from '../entitlements/change-entitlement.ts'

export interface TakeFileNeeds extends ChangeEntitlementNeeds {
  readonly files: Pick<Files, 'keep'>
  readonly newUuid: () => string
}

/** A file on its way. */
export interface ArrivingFile {
  readonly fileName: string | null
  readonly mediaType: string
  readonly content: AsyncIterable<Uint8Array>
}

/** What keeps a file as it comes, and then attaches what was kept. */
export interface FileTaking {
  readonly keep: (file: ArrivingFile) => Promise<StoredFile>
  /** Everybody who was granted the entitlement gets the file, too. */
  readonly attach: (file: StoredFile) => Promise<StoredFile>
}

/**
 * Refuses before a byte of the file is read.
 *
 * @throws Fault 404; 422 for an entitlement to something else, or to as many files as it can hold
 * [entitlements#downloads]
 */
export async function takeFile(
  needs: TakeFileNeeds,
  scope: Scope,
  { entitlementId, at }: { readonly entitlementId: string; readonly at: Instant },
): Promise<FileTaking> {
  refuseFile(await findEntitlement(needs, scope, entitlementId))
  return { keep, attach }

  async function keep({ content, fileName, mediaType }: ArrivingFile): Promise<StoredFile> {
    const kept = await needs.files.keep(content)
    return storedFile(kept, {
      fileId: needs.newUuid(),
      ownerId: entitlementId,
      mediaType,
      fileName: fileName ?? 'file',
      at,
    })
  }

  function attach(file: StoredFile): Promise<StoredFile> {
    return untilWritten(needs, 'update_entitlement', async () => {
      const was = await findEntitlement(needs, scope, entitlementId)
      const config = refuseFile(was)
      const fileIds = [...config.fileIds, file.fileId]
      const row = changedEntitlement(was, { config: { ...config, fileIds } }, at)
      const outcome = await needs.changes.commit({
        scope,
        clockAhead: null,
        rows: [
          { noun: 'file', expected: null, row: file },
          { noun: 'product_entitlement', expected: was.updatedAt, row },
        ],
        accounts: [],
        facts: [],
      })
      return outcome === 'committed' ? file : lost
    })
  }
}

/** A file to be sold, as the store knows it. */
export const storedFile = (
  { digest, bytes }: KeptFile,
  of: Pick<StoredFile, 'fileId' | 'ownerId' | 'mediaType'> & {
    readonly fileName: string
    readonly at: Instant
  },
): StoredFile => ({
  fileId: of.fileId,
  kind: 'digital',
  ownerId: of.ownerId,
  digest,
  bytes,
  mediaType: of.mediaType.slice(0, limits.fileNameMax),
  fileName: of.fileName.slice(0, limits.fileNameMax),
  createdAt: of.at,
  deletedAt: null,
})

function refuseFile({ config }: ProductEntitlement) {
  if (config.type !== 'digital_files') {
    const problem = `An entitlement of the type ${config.type} holds no files.`
    throw new Fault('INVALID_REQUEST_BODY', problem)
  }
  if (config.fileIds.length < limits.filesPerEntitlementMax) return config
  const problem = `An entitlement holds at most ${limits.filesPerEntitlementMax} files.`
  throw new Fault('INVALID_REQUEST_BODY', problem)
}
