import type { StoredFile } from '../../../../rules/commerce/catalog/stored-file.ts'
import type { Instant } from '../../../../std/instant.ts'
import type { Scope } from '../../scope.ts'
import { timestamptz } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'

/** A file as the database has it. */
export interface StoredFileRow {
  readonly file_id: string
  readonly kind: StoredFile['kind']
  readonly owner_id: string
  readonly digest: string
  readonly bytes: number
  readonly media_type: string
  readonly file_name: string | null
  readonly created_at: Instant
  readonly deleted_at: Instant | null
}

export const storedFileColumns = sql`
  file_id, kind, owner_id, digest, bytes, media_type, file_name, created_at, deleted_at`

export const storedFileOf = (row: StoredFileRow): StoredFile => ({
  fileId: row.file_id,
  kind: row.kind,
  ownerId: row.owner_id,
  digest: row.digest,
  bytes: row.bytes,
  mediaType: row.media_type,
  fileName: row.file_name,
  createdAt: row.created_at,
  deletedAt: row.deleted_at,
})

/** As write_files() takes it. */
export const storedFileRow = (scope: Scope, file: StoredFile): object => ({
  business_id: scope.businessId,
  mode: scope.mode,
  file_id: file.fileId,
  kind: file.kind,
  owner_id: file.ownerId,
  digest: file.digest,
  bytes: file.bytes,
  media_type: file.mediaType,
  file_name: file.fileName,
  created_at: timestamptz(file.createdAt),
  deleted_at: timestamptz(file.deletedAt),
})
