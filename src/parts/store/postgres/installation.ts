import { randomBytes } from 'node:crypto'
import type { Installation } from '../installation.ts'
import type { Db } from './client.ts'
import { StoreError } from './migrate.ts'
import { sql } from './sql.ts'

/** The version of the hash that places event ids: another one would find no id where it was put. */
const hashVersion = 1

/**
 * The installation's row, which the first call makes.
 *
 * @throws StoreError when it was made for another hash than ours.
 */
export async function ensureInstallation(db: Db): Promise<Installation> {
  const id = `ins_${randomBytes(16).toString('base64url')}`
  await db.query(sql`
    insert into installation (installation_id, fingerprint_key, hash_version)
    values (${id}, ${randomBytes(16)}, ${hashVersion})
    on conflict do nothing`)
  const [row] = await db.query<Row>(sql`
    select installation_id, fingerprint_key, hash_version, partitions from installation`)
  if (row?.hash_version !== hashVersion) {
    throw new StoreError(
      `The database places event ids by hash ${row?.hash_version} and this version by ${hashVersion}: start the version that made it.`,
    )
  }
  return {
    installationId: row.installation_id,
    fingerprintKey: new Uint8Array(row.fingerprint_key),
    hashVersion: row.hash_version,
    partitions: row.partitions,
  }
}

/**
 * Pins how many partitions the event log has, or compares: with another count, known ids would be
 * looked for in the wrong partition. [design 6]
 *
 * @throws StoreError when another count was pinned.
 */
export async function pinPartitions(db: Db, partitions: number): Promise<void> {
  const [row] = await db.query<{ partitions: number }>(sql`
    update installation set partitions = coalesce(partitions, ${partitions}) returning partitions`)
  if (row?.partitions === partitions) return
  throw new StoreError(
    `The event log has ${partitions} partitions and the database was made for ${row?.partitions}: use the log that belongs to this database.`,
  )
}

interface Row {
  readonly installation_id: string
  readonly fingerprint_key: Uint8Array
  readonly hash_version: number
  readonly partitions: number | null
}
