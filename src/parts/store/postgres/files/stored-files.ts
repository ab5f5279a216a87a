import type { StoredFile } from '../../../../rules/commerce/catalog/stored-file.ts'
import type { Mode } from '../../../../rules/meter/meter.ts'
import type { Scope } from '../../scope.ts'
import type { StoredFiles } from '../../stored-files.ts'
import type { Db } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'
import type { StoredFileRow } from './stored-file-rows.ts'
import { storedFileColumns, storedFileOf } from './stored-file-rows.ts'

export function storedFiles(db: Db): StoredFiles {
  return { get, many, find }

  async function get(scope: Scope, fileId: string): Promise<StoredFile | null> {
    return (await many(scope, [fileId])).get(fileId) ?? null
  }

  async function many(
    { businessId, mode }: Scope,
    fileIds: readonly string[],
  ): Promise<ReadonlyMap<string, StoredFile>> {
    if (fileIds.length === 0) return new Map()
    const rows = await db.query<StoredFileRow>(sql`
      select ${storedFileColumns} from files
      where business_id = ${businessId} and mode = ${mode}
      and file_id = any(${fileIds}::text[])`)
    return new Map(rows.map((row) => [row.file_id, storedFileOf(row)]))
  }

  async function find(mode: Mode, fileId: string): Promise<StoredFile | null> {
    const [row] = await db.query<StoredFileRow>(sql`
      select ${storedFileColumns} from files where file_id = ${fileId} and mode = ${mode}`)
    return row === undefined ? null : storedFileOf(row)
  }
}
