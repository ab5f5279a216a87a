import { limits } from '../../../../limits.ts'
import { verdicts } from '../../../../rules/archive/line.ts'
import type { Partition } from '../../../event-log/port.ts'
import type { Statement } from '../connection/sql.ts'
import { sql } from '../connection/sql.ts'

const rowsMax = 1_000

/**
 * What does not add up in the archive of a partition, in sentences without a subject; one
 * statement, and so one moment. A hole is one where a batch says that there was something to
 * archive; near the oldest block, where days are dropped by a log time that may step back, holes
 * are normal. [guarantees#checkpoints, events#reading-events]
 */
export const archiveBent = (partition: Partition): Statement => sql`
  with blocks as (
    select block_id, log_at, start_offset, end_offset, events, length(verdicts) as verdicts,
      max(end_offset) over (order by start_offset, end_offset
        rows between unbounded preceding and 1 preceding) as before
    from archive_blocks where partition = ${partition}
  ), archived as (
    select a.next_offset, c.next_offset as measured,
      (select max(end_offset) from blocks) as last,
      (select min(log_at) from blocks)
        + ${limits.dropMargin}::bigint * interval '1 microsecond' as dropped
    from archive_checkpoints a join checkpoints c using (partition) where partition = ${partition}
  ), holes as (
    select before as from_offset, start_offset as to_offset from blocks where start_offset > before
    union all
    select last, next_offset from archived where next_offset > last
  ), listed as (
    select b.block_id, b.log_at, b.start_offset, b.events, coalesce((
      select sum(i.events) from archive_index i
      where (i.log_at, i.block_id) = (b.log_at, b.block_id)), 0) as listed
    from blocks b
  )
  select format('the blocks of its archive up to %s and from %s on overlap', before, start_offset)
    as what
  from blocks where start_offset < before
  union all
  select format('its archive has no block from %s to %s', h.from_offset, h.to_offset)
  from holes h, archived a where exists (
    select from batches t
    where t.partition = ${partition} and t.start_offset >= h.from_offset
      and t.end_offset <= h.to_offset and t.verdicts <> '' and t.log_at > a.dropped)
  union all
  select format('its archive is at %s, but its blocks end at %s', next_offset, last)
  from archived where last > next_offset
  union all
  select format('its archive is at %s, but its checkpoint is at %s', next_offset, measured)
  from archived where next_offset > measured
  union all
  select format('the block from %s on has %s events and %s verdicts', start_offset, events, verdicts)
  from blocks where events <> verdicts
  union all
  select format('of the block from %s on %s events are listed, and %s can be shown', l.start_offset,
    l.listed, s.shown)
  from listed l
  -- Most blocks hold no repeat, and then all of their events are listed.
  join archive_blocks b on (b.log_at, b.block_id) = (l.log_at, l.block_id) and (
    l.listed <> l.events or position(${Buffer.of(verdicts.duplicate)}::bytea in b.verdicts) > 0)
  cross join lateral (
    select count(*) as shown from generate_series(0, length(b.verdicts) - 1) g
    where get_byte(b.verdicts, g) <> ${verdicts.duplicate}) s
  where l.listed <> s.shown
  limit ${rowsMax}`
