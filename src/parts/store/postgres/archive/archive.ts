import type { Block, BlockBody, CatalogRun } from '../../../../rules/archive/block.ts'
import { formatInstant } from '../../../../std/instant.ts'
import type { Offset, Partition } from '../../../event-log/port.ts'
import type { ArchiveRun, ArchiveWriter, BlockKey, KeptBlock } from '../../archive.ts'
import type { Db } from '../connection/client.ts'
import { timestamptz } from '../connection/client.ts'
import { compressed, decompressed } from '../connection/compression.ts'
import type { Statement } from '../connection/sql.ts'
import { joined, sql } from '../connection/sql.ts'
import { marksOf, measured } from '../usage/measured.ts'
import { keyList } from './block-keys.ts'

/** Stores blocks in `archive_blocks`, and in `archive_index` what each holds of which business. */
export function archiveWriter(db: Db): ArchiveWriter {
  return { ...measured(db), begin, append, latest, load, replace }

  async function begin(partition: Partition, offset: Offset): Promise<void> {
    await db.query(sql`
      insert into archive_checkpoints (partition, next_offset)
      values (${partition}, ${offset})
      on conflict (partition) do nothing`)
  }

  async function append(run: ArchiveRun): Promise<boolean> {
    const logAt = run.blocks.reduce((latest, block) => Math.max(latest, block.logAt), 0)
    const moved = sql`
      update archive_checkpoints
      set next_offset = ${run.end},
        log_at = greatest(log_at, 'epoch'::timestamptz + ${logAt}::bigint * interval '1 microsecond')
      where partition = ${run.partition}
      and next_offset = ${run.start}
      returning partition`
    return (await db.query(await written(run.partition, run.blocks, moved))).length === 1
  }

  async function latest(partition: Partition, max: number): Promise<readonly KeptBlock[]> {
    const rows = await db.query<KeptBlock>(sql`
      select
        block_id as "blockId", log_at as "logAt",
        start_offset as start, end_offset as "end", events, length(body) as bytes
      from archive_blocks
      where partition = ${partition}
      order by log_at desc
      limit ${max}`)
    return rows.toSorted((a, b) => a.start - b.start)
  }

  async function load(keys: readonly BlockKey[]): Promise<readonly (BlockBody | null)[]> {
    const rows = await db.query<BodyRow>(sql`
      select block_id, verdicts, route_marks, places, catalogs, body
      from archive_blocks
      where (log_at, block_id) in (${keyList(keys)})`)
    const bodies = new Map<number, BlockBody>()
    for (const row of rows) bodies.set(row.block_id, await bodyOf(row))
    return keys.map((key) => bodies.get(key.blockId) ?? null)
  }

  async function replace(
    partition: Partition,
    keys: readonly BlockKey[],
    block: Block,
  ): Promise<boolean> {
    // A block that another process has just merged is gone once its lock is ours: then the count is
    // short.
    const moved = sql`
      delete from archive_blocks
      where (log_at, block_id) in (${keyList(keys)})
      and ${keys.length} = (
        select count(*)
        from (
          select from archive_blocks
          where (log_at, block_id) in (${keyList(keys)})
          for update
        ) as present)
      returning partition`
    const unlisted = sql`
      delete from archive_index
      where (log_at, block_id) in (${keyList(keys)})
      and exists (select from moved)`
    return (await db.query(await written(partition, [block], moved, unlisted))).length > 0
  }
}

/**
 * One statement: blocks are stored and listed only where `moved` answers a row. Answers the rows of
 * `moved`.
 */
async function written(
  partition: Partition,
  blocks: readonly Block[],
  moved: Statement,
  besides: Statement = sql`select 1`,
): Promise<Statement> {
  if (blocks.length === 0) return moved
  const rows = await Promise.all(blocks.map(blockRow))
  return sql`
    with moved as (${moved}),
    besides as (${besides}),
    kept as (
      insert into archive_blocks
        (partition, start_offset, end_offset, log_from, log_at, events,
         ids, verdicts, route_marks, places, catalogs, body, kept_at)
      select ${partition}::integer, block.start_offset, block.end_offset, block.log_from,
        block.log_at, block.events, block.ids, block.verdicts, block.route_marks, block.places,
        block.catalogs, block.body, believed_now()
      from (values ${joined(rows, ', ')}) as block
        (start_offset, end_offset, log_from, log_at, events,
         ids, verdicts, route_marks, places, catalogs, body)
      where exists (select from moved)
      returning block_id, start_offset, log_at
    ),
    listed as (
      insert into archive_index
        (business_id, mode, block_id, log_at, first_at, last_at, events, customers, names,
         kept_at)
      select
        business_id, mode, kept.block_id, kept.log_at, first_at, last_at, events,
        decode(customers, 'base64'),
        array(select jsonb_array_elements_text(names)), believed_now()
      from jsonb_to_recordset(${summariesJson(blocks)}::jsonb) as listing (
        start_offset bigint, business_id text, mode text, first_at timestamptz,
        last_at timestamptz, events integer, customers text, names jsonb)
      join kept using (start_offset)
    )
    select partition from moved`
}

async function blockRow(block: Block): Promise<Statement> {
  const body = Buffer.from(await compressed(block.ndjson))
  return sql`(
    ${block.start}::bigint, ${block.end}::bigint,
    ${timestamptz(block.logFrom)}::timestamptz, ${timestamptz(block.logAt)}::timestamptz,
    ${block.events}::integer,
    ${Buffer.from(block.ids)}::bytea, ${Buffer.from(block.verdicts)}::bytea,
    ${Buffer.from(block.routeMarks)}::bytea, ${Buffer.from(block.places)}::bytea,
    ${JSON.stringify(block.catalogs)}::jsonb, ${body}::bytea)`
}

function summariesJson(blocks: readonly Block[]): string {
  const listings = blocks.flatMap((block) =>
    block.summaries.map((summary) => ({
      start_offset: block.start,
      business_id: summary.businessId,
      mode: summary.mode,
      first_at: formatInstant(summary.firstAt),
      last_at: formatInstant(summary.lastAt),
      events: summary.events,
      customers: Buffer.from(summary.customers).toString('base64'),
      names: summary.names,
    })),
  )
  return JSON.stringify(listings)
}

interface BodyRow {
  readonly block_id: number
  readonly verdicts: Uint8Array
  readonly route_marks: Uint8Array
  readonly places: Uint8Array
  readonly catalogs: readonly CatalogRun[]
  readonly body: Uint8Array
}

const bodyOf = async (row: BodyRow): Promise<BlockBody> => ({
  ndjson: await decompressed(row.body),
  verdicts: row.verdicts,
  routeMarks: marksOf(row.route_marks, row.verdicts.length),
  places: row.places,
  catalogs: row.catalogs,
})
