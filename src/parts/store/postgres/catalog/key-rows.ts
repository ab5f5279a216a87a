import type { Mode } from '../../../../rules/meter/meter.ts'
import type { Instant } from '../../../../std/instant.ts'
import type { Access, Key, NewKey } from '../../keys.ts'
import { timestamptz } from '../connection/client.ts'
import { byteaText } from '../connection/values.ts'

/** A key as the database has it; its hash is looked for, and never read. */
export interface KeyRow {
  readonly key_id: string
  readonly business_id: string
  readonly mode: Mode
  readonly access: Access
  readonly name: string | null
  readonly created_at: Instant
  readonly last_used_at: Instant | null
  readonly revoked_at: Instant | null
}

export function apiKeyOf(row: KeyRow): Key {
  return {
    keyId: row.key_id,
    businessId: row.business_id,
    mode: row.mode,
    access: row.access,
    name: row.name,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
  }
}

/** As write_api_keys() takes it. */
export const keyRow = (key: Key | NewKey): object => ({
  key_id: key.keyId,
  business_id: key.businessId,
  mode: key.mode,
  access: key.access,
  name: key.name,
  created_at: timestamptz(key.createdAt),
  ...('hash' in key
    ? { hash: byteaText(key.hash), backfill_us: key.backfillUs }
    : { revoked_at: timestamptz(key.revokedAt) }),
})
