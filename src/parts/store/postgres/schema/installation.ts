import { randomBytes } from 'node:crypto'
import type { LogOrigin } from '../../../event-log/port.ts'
import type { Installation } from '../../installation.ts'
import type { Db } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'
import { StoreError } from './migrate.ts'

/**
 * The version of the hash that places event ids. With another version no id would be found where it
 * was put.
 */
const hashVersion = 1

/**
 * Answers the installation's row, which the first call makes.
 *
 * @throws StoreError when it was made for another version of the hash.
 */
export async function ensureInstallation(db: Db): Promise<Installation> {
  const id = `ins_${randomBytes(16).toString('base64url')}`
  await db.query(sql`
    insert into installation (installation_id, fingerprint_key, hash_version)
    values (${id}, ${randomBytes(16)}, ${hashVersion})
    on conflict do nothing`)
  const [row] = await db.query<Row>(sql`
    select installation_id, fingerprint_key, hash_version, partitions, log_origin
    from installation`)
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
    logOrigin: row.log_origin,
  }
}

/**
 * Pins the number of partitions of the event log, or compares it: with another number, known ids
 * would be looked for in the wrong partition. [machines#the-log]
 *
 * @throws StoreError when another number was pinned.
 */
export async function pinPartitions(db: Db, partitions: number): Promise<void> {
  const [row] = await db.query<{ partitions: number }>(sql`
    update installation set partitions = coalesce(partitions, ${partitions}) returning partitions`)
  if (row?.partitions === partitions) return
  throw new StoreError(
    `The event log has ${partitions} partitions and the database was made for ${row?.partitions}: use the log that belongs to this database.`,
  )
}

/** The event log from which the books were measured. */
export interface PinnedLog {
  readonly kind: 'embedded' | 'kafka'
  readonly identity: string
}

/**
 * Pins the event log that the books belong to, or compares it: the offsets of another log mean
 * nothing here, and two embedded logs on one database would spoil it by turns. [machines#measuring]
 *
 * @throws StoreError when another log was pinned.
 */
export async function pinEventLog(db: Db, { kind, identity }: PinnedLog): Promise<void> {
  const ours = `${kind}:${identity}`
  const [row] = await db.query<{ event_log: string }>(sql`
    update installation set event_log = coalesce(event_log, ${ours}) returning event_log`)
  if (row?.event_log === ours) return
  throw new StoreError(
    `The books in the database were measured from the event log ${row?.event_log}, and this one is ${ours}: use the log that belongs to this database, and remember that an embedded log means one process.`,
  )
}

/** Like `pinEventLog`, for a process that opens no log and so only knows its kind. */
export async function assertEventLog(db: Db, kind: PinnedLog['kind']): Promise<void> {
  const [row] = await db.query<{ event_log: string | null }>(
    sql`select event_log from installation`,
  )
  const pinned = row?.event_log ?? null
  if (pinned === null || pinned.startsWith(`${kind}:`)) return
  const advice = kind === 'embedded' ? 'set KAFKA_BROKERS as they do' : 'unset KAFKA_BROKERS'
  throw new StoreError(
    `The other processes on this database use the event log ${pinned}: ${advice}.`,
  )
}

interface Row {
  readonly installation_id: string
  readonly fingerprint_key: Uint8Array
  readonly hash_version: number
  readonly partitions: number | null
  readonly log_origin: LogOrigin | null
}
