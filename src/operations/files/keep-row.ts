import { Fault } from '../../faults.ts'
import type { Changes } from '../../parts/store/changes.ts'
import { rowAlone } from '../../parts/store/changes.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { StoredFiles } from '../../parts/store/stored-files.ts'
import type { StoredFile } from '../../rules/commerce/catalog/stored-file.ts'

export interface KeepRowNeeds {
  readonly changes: Pick<Changes, 'commit'>
  readonly storedFiles: Pick<StoredFiles, 'get'>
}

/**
 * Writes down that a file was uploaded, whose bytes are kept. The same again changes nothing, and
 * answers what is there.
 *
 * @throws Fault 409 where another file was uploaded with this id; `what` names it there
 */
export async function keepRow(
  { changes, storedFiles }: KeepRowNeeds,
  scope: Scope,
  { file, what }: { readonly file: StoredFile; readonly what: 'file' | 'image' },
): Promise<StoredFile> {
  const made = { noun: 'file', expected: null, row: file } as const
  if ((await changes.commit(rowAlone(scope, made))) === 'committed') return file
  const before = await storedFiles.get(scope, file.fileId)
  if (before?.digest === file.digest) return before
  const problem = `Another ${what} was uploaded here before: ask for another address.`
  throw new Fault('CONFLICT', problem)
}
