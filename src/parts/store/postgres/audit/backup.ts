import { limits } from '../../../../limits.ts'
import type { Logger } from '../../../../runtime/logger.ts'
import { loop } from '../../../../runtime/loop.ts'
import type { LogHold, StoreBackup } from '../../backup.ts'
import type { Db } from '../connection/client.ts'
import { openDb } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'

// An advisory lock marks a backup under way. The database releases it when the connection ends, so
// that a backup that crashes does not stop trimming for good.
const [lockSpace, lockName] = [0x51_1c, 0xbac]

const beatMs = 5_000

/** Uses PostgreSQL's own way to be copied while it runs (in its manual: low-level API). */
export function openStoreBackup(url: string, logger: Logger): StoreBackup {
  // A backup belongs to the connection that began it, so there is one, which is never idle for
  // long.
  const deadlineMs = limits.commandStatementMs
  const db = openDb({ url, connectionsMax: 1, name: 'sluice backup', deadlineMs })
  const beat = loop({
    name: 'backup',
    idleMs: beatMs,
    restsFirst: true,
    logger,
    async work() {
      // A failure is ignored here: `end` finds a lost connection.
      await db.query(sql`select 1`).catch(() => undefined)
      return false
    },
  })
  beat.start()
  return { begin, end, close }

  async function begin(): Promise<void> {
    await holdLog(db)
    // The slot keeps the write-ahead log from here on, and goes when the connection ends.
    await db.query(sql`
      select pg_create_physical_replication_slot('sluice_backup_' || pg_backend_pid(), true, true)`)
    await db.query(sql`select pg_backup_start('sluice', true)`)
  }

  async function end() {
    const [row] = await db.query<{ label: string; last: string }>(sql`
      select labelfile as label, pg_walfile_name(lsn) as last
      from pg_backup_stop(wait_for_archive => false)`)
    const firstSegment = /\(file ([0-9A-F]{24})\)/.exec(row?.label ?? '')?.[1]
    if (row === undefined || firstSegment === undefined) {
      throw new Error('PostgreSQL ended the backup without saying where it began.')
    }
    const label = { name: 'backup_label', text: row.label } as const
    return { label, firstSegment, lastSegment: row.last }
  }

  async function close(): Promise<void> {
    void beat.stop()
    await db.close()
  }
}

/** From here on, until the connection ends, the event log is not trimmed. */
export async function holdLog(db: Db): Promise<void> {
  await db.query(sql`select pg_advisory_lock_shared(${lockSpace}::integer, ${lockName}::integer)`)
}

export function logHold(db: Db): LogHold {
  return { held }

  async function held(): Promise<boolean> {
    const [row] = await db.query<{ held: boolean }>(sql`
      select exists (
        select from pg_locks
        where locktype = 'advisory' and classid = ${lockSpace}::oid and objid = ${lockName}::oid
        and database = (select oid from pg_database where datname = current_database())) as held`)
    return row?.held === true
  }
}
