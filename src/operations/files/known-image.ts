import { Fault } from '../../faults.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { StoredFiles } from '../../parts/store/stored-files.ts'

export interface KnownImageNeeds {
  readonly storedFiles: Pick<StoredFiles, 'get'>
}

/** @throws Fault 422 where an id names no image of this business [resources#images] */
export async function refuseUnknownImage(
  { storedFiles }: KnownImageNeeds,
  scope: Scope,
  imageId: string | null | undefined,
): Promise<void> {
  if (imageId === null || imageId === undefined) return
  const found = await storedFiles.get(scope, imageId)
  if (found?.kind === 'image' && found.deletedAt === null) return
  throw new Fault('INVALID_REQUEST_BODY', 'image_id names no image that was uploaded.')
}
