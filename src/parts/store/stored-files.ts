import type { StoredFile } from '../../rules/commerce/catalog/stored-file.ts'
import type { Mode } from '../../rules/meter/meter.ts'
import type { Scope } from './scope.ts'

/** What is known of images and files, deleted ones included. */
export interface StoredFiles {
  get(scope: Scope, fileId: string): Promise<StoredFile | null>

  /** Those that exist among these ids, by id. */
  many(scope: Scope, fileIds: readonly string[]): Promise<ReadonlyMap<string, StoredFile>>

  /** Whosever it is: for addresses that name no business. */
  find(mode: Mode, fileId: string): Promise<StoredFile | null>
}
