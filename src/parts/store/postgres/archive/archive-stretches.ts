import type { Offset, Partition } from '../../../event-log/port.ts'
import type { ArchiveStretches, BlockKey, ReceivedFilter } from '../../archive.ts'
import type { UsageSource } from '../../voids.ts'
import type { Db } from '../connection/client.ts'
import { timestamptz } from '../connection/client.ts'
import type { Statement } from '../connection/sql.ts'
import { joined, sql } from '../connection/sql.ts'
import { measured } from '../usage/measured.ts'
import { archiveWriter } from './archive.ts'
import { summarized } from './archive-view.ts'

/** Needs no snapshot: merging moves events between blocks, but never changes their offsets. */
export function archiveStretches(db: Db): ArchiveStretches {
  return { ...measured(db), load: archiveWriter(db).load, received }

  function received(
    partition: Partition,
    offset: Offset,
    filter: ReceivedFilter,
  ): Promise<readonly (BlockKey & { readonly end: Offset })[]> {
    return db.query<BlockKey & { readonly end: Offset }>(sql`
      select block_id as "blockId", block.log_at as "logAt", end_offset as "end"
      from archive_blocks as block
      where partition = ${partition} and end_offset > ${offset}
      and block.log_at >= ${timestamptz(filter.from)} and log_from < ${timestamptz(filter.to)}
      and ${filter.source === null ? sql`true` : isListed(filter.source)}
      order by start_offset`)
  }
}

const isListed = (source: UsageSource): Statement => sql`
  exists (
    select from archive_index as listed
    where listed.block_id = block.block_id and listed.log_at = block.log_at
    and ${joined(summarized(source), ' and ')})`
