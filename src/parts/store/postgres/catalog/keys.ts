import type { Mode } from '../../../../rules/meter/meter.ts'
import type { Instant } from '../../../../std/instant.ts'
import type { Access, FoundKey, Key, Keys } from '../../keys.ts'
import type { Db } from '../connection/client.ts'
import { timestamptz } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'
import type { KeyRow } from './key-rows.ts'
import { apiKeyOf } from './key-rows.ts'

export function keys(db: Db): Keys {
  return { get, list, find, used }

  async function get(keyId: string): Promise<Key | null> {
    const [row] = await db.query<KeyRow>(sql`
      select key_id, business_id, mode, access, name, created_at, last_used_at,
        revoked_at
      from api_keys
      where key_id = ${keyId}`)
    return row === undefined ? null : apiKeyOf(row)
  }

  async function list(businessId: string): Promise<readonly Key[]> {
    const rows = await db.query<KeyRow>(sql`
      select key_id, business_id, mode, access, name, created_at, last_used_at,
        revoked_at
      from api_keys
      where business_id = ${businessId}
      order by created_at desc, key_id desc`)
    return rows.map(apiKeyOf)
  }

  async function find(hashes: readonly Uint8Array[]): Promise<readonly (FoundKey | null)[]> {
    const rows = await db.query<FoundRow>(sql`
      select hash, key_id, business_id, mode, access, rate_tier, clock_ahead_us, backfill_us,
        revoked_at is not null as revoked
      from api_keys
      join business_modes using (business_id, mode)
      join businesses using (business_id)
      where hash = any (${hashes.map((hash) => Buffer.from(hash))}::bytea[])`)
    const found = new Map(rows.map((row) => [row.hash.toString('hex'), foundOf(row)]))
    return hashes.map((hash) => found.get(Buffer.from(hash).toString('hex')) ?? null)
  }

  async function used(keyIds: readonly string[], at: Instant): Promise<void> {
    // In one order, as changes lock them.
    await db.query(sql`
      update api_keys set last_used_at = greatest(last_used_at, ${timestamptz(at)})
      where key_id in (
        select key_id from api_keys
        where key_id = any (${keyIds}::text[])
        order by key_id for no key update)`)
  }
}

const foundOf = (row: FoundRow): FoundKey => ({
  keyId: row.key_id,
  businessId: row.business_id,
  mode: row.mode,
  access: row.access,
  rateTier: row.rate_tier,
  clockAheadUs: row.clock_ahead_us,
  backfillUs: row.backfill_us,
  revoked: row.revoked,
})

interface FoundRow {
  readonly hash: Buffer
  readonly key_id: string
  readonly business_id: string
  readonly mode: Mode
  readonly access: Access
  readonly rate_tier: string
  readonly clock_ahead_us: number
  readonly backfill_us: number
  readonly revoked: boolean
}
