import type { Instant } from '../../../../std/instant.ts'
import type { Offset, Partition } from '../../../event-log/port.ts'
import type { Audit, AuditedCheckpoint } from '../../audit.ts'
import type { Db } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'
import { measuring } from '../usage/measuring.ts'
import { archiveBent } from './audit-archive.ts'

const batchesPerPage = 200

type Asked = 'checkpoints' | 'batches' | 'countings' | 'bentArchive'

/** What an audit reads of measuring and of the archive. */
export function auditPartitions(db: Db): Pick<Audit, Asked> {
  return { checkpoints, batches, countings, bentArchive }

  async function checkpoints(): Promise<readonly AuditedCheckpoint[]> {
    const known = await measuring(db).checkpoints()
    // Totals are read after the checkpoints and only up to them, so what came in between is left
    // out.
    const ends = JSON.stringify(
      known.map(({ partition, nextOffset }) => ({ partition, next_offset: nextOffset })),
    )
    const rows = await db.query<{ partition: Partition; events: number }>(sql`
      select q.partition, sum(q.events)::bigint as events
      from quarantine q
      join jsonb_to_recordset(${ends}::jsonb) k (partition integer, next_offset bigint)
        on k.partition = q.partition and q.record_offset < k.next_offset
      group by q.partition`)
    const events = new Map(rows.map((row) => [row.partition, row.events]))
    return known.map((checkpoint) => ({
      ...checkpoint,
      eventsInQuarantine: events.get(checkpoint.partition) ?? 0,
    }))
  }

  async function bentArchive(partition: Partition): Promise<readonly string[]> {
    const rows = await db.query<{ what: string }>(archiveBent(partition))
    return rows.map(({ what }) => what)
  }

  async function* countings(partition: Partition, to: Offset) {
    for await (const batch of measuring(db).batches(partition, 0, Number.MAX_SAFE_INTEGER)) {
      if (batch.end <= to) yield batch
    }
  }

  async function* batches(partition: Partition, to: Offset) {
    // Below every offset, since offsets begin at 0.
    let last = -1
    for (;;) {
      const rows = await db.query<BatchRow>(sql`
        select start_offset, end_offset, log_at, length(fingerprints) as fingerprint_bytes, verdicts
        from batches
        where partition = ${partition} and start_offset > ${last} and end_offset <= ${to}
        order by start_offset limit ${batchesPerPage}`)
      for (const row of rows) yield batchOf(row)
      const final = rows.at(-1)
      if (final === undefined) return
      last = final.start_offset
    }
  }
}

interface BatchRow {
  readonly start_offset: Offset
  readonly end_offset: Offset
  readonly log_at: Instant
  readonly fingerprint_bytes: number
  readonly verdicts: Uint8Array
}

const batchOf = (row: BatchRow) => ({
  start: row.start_offset,
  end: row.end_offset,
  logAt: row.log_at,
  fingerprintBytes: row.fingerprint_bytes,
  verdicts: row.verdicts,
})
