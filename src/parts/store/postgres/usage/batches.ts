import type { Duration } from '../../../../std/instant.ts'
import { minute } from '../../../../std/instant.ts'
import type { Partition } from '../../../event-log/port.ts'
import type { BatchMerging, BatchRun } from '../../batches.ts'
import type { Db } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'

// A megabyte of fingerprints. A minute with more events becomes several rows, so that healing from
// them needs no more memory than from young batches.
const eventsMax = 131_072

export function batchMerging(db: Db): BatchMerging {
  return { mergeable, merge }

  function mergeable(
    partition: Partition,
    age: Duration,
    max: number,
  ): Promise<readonly BatchRun[]> {
    return db.query<BatchRun>(sql`
      with old as (
        select start_offset, end_offset, ran / ${minute}::bigint as minute,
          length(verdicts) as events
        from batches
        where partition = ${partition}
        and ran < (select ran from checkpoints where partition = ${partition}) - ${age}::bigint
        and end_offset <= (
          select next_offset from archive_checkpoints where partition = ${partition})
      ),
      cut as (
        select *, case when start_offset = lag(end_offset) over following
          and minute = lag(minute) over following then 0 else 1 end as cuts
        from old window following as (order by start_offset)
      ),
      stretches as (select *, sum(cuts) over (order by start_offset) as stretch from cut),
      portions as (
        select *, (sum(events) over (partition by stretch order by start_offset) - events)
          / ${eventsMax}::integer as portion
        from stretches
      )
      select ${partition}::integer as partition, min(start_offset) as start,
        max(end_offset) as "end", count(*)::integer as batches
      from portions
      group by stretch, portion
      having count(*) > 1
      order by min(start_offset)
      limit ${max}`)
  }

  async function merge(run: BatchRun): Promise<boolean> {
    // A batch that another process has just merged is gone once its lock is ours: then the count is
    // short.
    const rows = await db.query(sql`
      with present as (
        select start_offset from batches
        where partition = ${run.partition}
        and start_offset >= ${run.start} and end_offset <= ${run.end}
        for update
      ),
      moved as (
        delete from batches
        where partition = ${run.partition}
        and start_offset >= ${run.start} and end_offset <= ${run.end}
        and ${run.batches} = (select count(*) from present)
        returning *
      )
      insert into batches
        (partition, start_offset, end_offset, log_at, ran, fingerprints, verdicts)
      select partition, min(start_offset), max(end_offset), max(log_at), max(ran),
        string_agg(fingerprints, '' order by start_offset),
        string_agg(verdicts, '' order by start_offset)
      from moved
      group by partition
      returning partition`)
    return rows.length === 1
  }
}
