import type { Mode } from '../../../../rules/meter/meter.ts'
import type { Instant } from '../../../../std/instant.ts'
import type { Access, FoundKey, Key, Keys, NewKey } from '../../keys.ts'
import type { Db } from '../connection/client.ts'
import { timestamptz } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'

export function keys(db: Db): Keys {
  return { create, list, revoke, find }

  async function create(key: NewKey): Promise<boolean> {
    const rows = await db.query(sql`
      insert into api_keys (key_id, business_id, mode, access, name, hash, backfill_us, created_at)
      select ${key.keyId}, business_id, mode, ${key.access}, ${key.name}, ${Buffer.from(key.hash)},
        ${key.backfillUs}::bigint, ${timestamptz(key.createdAt)}
      from business_modes
      where business_id = ${key.businessId} and mode = ${key.mode}
      returning key_id`)
    return rows.length === 1
  }

  async function list(businessId: string): Promise<readonly Key[]> {
    const rows = await db.query<Row>(sql`
      select key_id, business_id, mode, access, name, created_at, revoked_at
      from api_keys
      where business_id = ${businessId}
      order by created_at desc, key_id desc`)
    return rows.map(keyOf)
  }

  async function revoke(keyId: string, at: Instant): Promise<Key | null> {
    const [row] = await db.query<Row>(sql`
      update api_keys set revoked_at = coalesce(revoked_at, ${timestamptz(at)})
      where key_id = ${keyId}
      returning key_id, business_id, mode, access, name, created_at, revoked_at`)
    return row === undefined ? null : keyOf(row)
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

function keyOf(row: Row): Key {
  return {
    keyId: row.key_id,
    businessId: row.business_id,
    mode: row.mode,
    access: row.access,
    name: row.name,
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
  }
}

interface Row {
  readonly key_id: string
  readonly business_id: string
  readonly mode: Mode
  readonly access: Access
  readonly name: string | null
  readonly created_at: Instant
  readonly revoked_at: Instant | null
}

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
