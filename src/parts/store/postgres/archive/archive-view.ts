import type { CatalogRun } from '../../../../rules/archive/block.ts'
import { probesOf, wordsOf } from '../../../../rules/archive/bloom.ts'
import type { Owner } from '../../../../rules/archive/line.ts'
import type { Instant } from '../../../../std/instant.ts'
import { storable } from '../../../../std/text.ts'
import type { Partition } from '../../../event-log/port.ts'
import type {
  ArchiveReader,
  ArchiveView,
  BlockCursor,
  BlockFilter,
  BlockKey,
  FoundBlock,
  HeldBlock,
  NewBlock,
} from '../../archive.ts'
import type { Db } from '../connection/client.ts'
import { timestamptz } from '../connection/client.ts'
import { decompressed } from '../connection/compression.ts'
import type { Statement } from '../connection/sql.ts'
import { joined, sql } from '../connection/sql.ts'
import { measured } from '../usage/measured.ts'
import { keyList } from './block-keys.ts'

/** All queries of a read see one snapshot, since merging moves events between blocks meanwhile. */
export function archiveReader(db: Db): ArchiveReader {
  return { ...measured(db), view }

  function view<T>(look: (view: ArchiveView) => Promise<T>): Promise<T> {
    return db.transaction((tx) => look(viewOf(tx)), 'snapshot')
  }
}

function viewOf(tx: Db): ArchiveView {
  return { holding, page, countAtMost, newest, keyed }

  async function holding(
    partition: Partition,
    probes: readonly number[],
    behind: BlockCursor | null,
  ): Promise<readonly HeldBlock[]> {
    const conditions = [
      sql`partition = ${partition}`,
      ...probes.map((probe) => bitIsSet(sql`ids`, probe)),
    ]
    if (behind !== null) conditions.push(isBehind(sql`log_at`, behind))
    const rows = await tx.query<HeldRow>(sql`
      select
        block_id as "blockId", log_at as "logAt", log_at as "lastAt", partition, verdicts, places,
        body, route_marks, catalogs
      from archive_blocks
      where ${joined(conditions, ' and ')}
      order by log_at desc, block_id desc
      limit 4`)
    return rows.map(heldBlock)
  }

  async function page(
    filter: BlockFilter,
    behind: BlockCursor | null,
    max: number,
  ): Promise<readonly FoundBlock[]> {
    const conditions = conditionsOf(filter)
    if (behind !== null) conditions.push(isBehind(sql`last_at`, behind))
    const rows = await tx.query<FoundRow>(sql`
      with page as materialized (
        select block_id, log_at, last_at
        from archive_index
        where ${joined(conditions, ' and ')}
        order by last_at desc, block_id desc
        limit ${max}
      )
      select
        block_id as "blockId", log_at as "logAt", last_at as "lastAt", partition, verdicts, places,
        body
      from page
      left join archive_blocks as block using (log_at, block_id)
      order by last_at desc, block_id desc`)
    return rows.map(foundBlock)
  }

  async function countAtMost(filter: BlockFilter): Promise<number> {
    const [row] = await tx.query<{ events: number }>(sql`
      select coalesce(sum(events), 0)::bigint as events
      from archive_index
      where ${joined(conditionsOf(filter), ' and ')}`)
    return row?.events ?? 0
  }

  async function newest(
    filter: BlockFilter,
    most: number,
    doubtfulFrom: Instant | null,
  ): Promise<readonly NewBlock[]> {
    const isDoubtful =
      doubtfulFrom === null ? sql`false` : sql`log_at >= ${timestamptz(doubtfulFrom)}`
    return tx.query<NewBlock>(sql`
      select block_id as "blockId", log_at as "logAt", first_at as "firstAt", last_at as "lastAt",
        events, ${isDoubtful} as "isDoubtful"
      from (
        select block_id, log_at, first_at, last_at, events,
          sum(events) over (order by last_at desc, block_id desc) - events as newer
        from archive_index
        where ${joined(conditionsOf(filter), ' and ')}
      ) as listed
      where newer <= ${most}
      order by last_at desc, block_id desc`)
  }

  async function keyed(keys: readonly BlockKey[]): Promise<readonly FoundBlock[]> {
    if (keys.length === 0) return []
    const rows = await tx.query<FoundRow>(sql`
      select
        block_id as "blockId", log_at as "logAt", log_at as "lastAt", partition, verdicts, places,
        body
      from archive_blocks
      where (log_at, block_id) in (${keyList(keys)})`)
    return rows.map(foundBlock)
  }
}

function conditionsOf(filter: BlockFilter): Statement[] {
  const conditions = summarized(filter)
  if (filter.from !== null) conditions.push(sql`last_at >= ${timestamptz(filter.from)}`)
  if (filter.to !== null) conditions.push(sql`first_at <= ${timestamptz(filter.to)}`)
  return conditions
}

/** The condition that, by its summary, a block may hold events of these owners and kinds. */
export function summarized(
  filter: Owner & Pick<BlockFilter, 'customerId' | 'eventName'>,
): Statement[] {
  const conditions = ownedBy(filter)
  if (filter.eventName !== null) {
    conditions.push(sql`(names = '{}' or ${storable(filter.eventName)} = any (names))`)
  }
  if (filter.customerId !== null) {
    const probes = probesOf(...wordsOf(filter.customerId))
    conditions.push(...probes.map((probe) => bitIsSet(sql`customers`, probe)))
  }
  return conditions
}

const ownedBy = (owner: Owner): Statement[] => [
  sql`business_id = ${owner.businessId}`,
  sql`mode = ${owner.mode}`,
]

const isBehind = (column: Statement, { at, blockId }: BlockCursor): Statement =>
  sql`(${column}, block_id) < (${timestamptz(at)}::timestamptz, ${blockId}::bigint)`

/**
 * Whether a bit of a Bloom filter is set (rules/archive/bloom.ts). Reads only the byte in question:
 * a filter is stored out of line, in pieces of 2 kB, and get_bit of the whole would fetch every one
 * of them.
 */
function bitIsSet(filter: Statement, probe: number): Statement {
  return sql`get_bit(
    substring(${filter} from ((${probe}::bigint % (length(${filter}) * 8)) / 8 + 1)::integer for 1),
    (${probe}::bigint % (length(${filter}) * 8)) % 8) = 1`
}

interface FoundRow extends BlockKey {
  readonly lastAt: Instant
  readonly partition: Partition | null
  readonly verdicts: Uint8Array | null
  readonly places: Uint8Array | null
  readonly body: Uint8Array | null
}

/** Retention drops the index and the blocks one after the other, so a listed block may be gone. */
function foundBlock(row: FoundRow): FoundBlock {
  const { body } = row
  return {
    blockId: row.blockId,
    logAt: row.logAt,
    lastAt: row.lastAt,
    partition: row.partition ?? -1,
    verdicts: row.verdicts ?? empty,
    places: row.places ?? empty,
    ndjson: () => (body === null ? Promise.resolve(empty) : decompressed(body)),
  }
}

interface HeldRow extends FoundRow {
  readonly route_marks: Uint8Array
  readonly catalogs: readonly CatalogRun[]
}

const heldBlock = (row: HeldRow): HeldBlock => ({
  ...foundBlock(row),
  routeMarks: row.route_marks,
  catalogs: row.catalogs,
})

const empty = new Uint8Array()
