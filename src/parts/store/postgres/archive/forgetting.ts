import type { Positions } from '../../../../rules/meter/place.ts'
import type { Instant } from '../../../../std/instant.ts'
import type { Forgetting } from '../../forgetting.ts'
import type { Db } from '../connection/client.ts'
import { timestamptz } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'

export function forgetting(db: Db): Forgetting {
  return { keptFrom, routing, versions, quarantine }

  async function keptFrom(): Promise<Positions> {
    // What is not archived yet lies behind the archive's checkpoint, and so is kept.
    const rows = await db.query<{ partition: number; kept_from: number }>(sql`
      select measured.partition,
        least(coalesce(archived.next_offset, 0), min(block.start_offset)) as kept_from
      from checkpoints as measured
      left join archive_checkpoints as archived using (partition)
      left join archive_blocks as block using (partition)
      group by measured.partition, archived.next_offset`)
    return Object.fromEntries(rows.map((row) => [row.partition, row.kept_from]))
  }

  async function routing(of: Parameters<Forgetting['routing']>[0]) {
    const [row] = await db.query<{ last: number | null; rows: number }>(sql`
      with page as (
        select * from routing_history where id > ${of.behind} order by id limit ${of.rowsMax}
      ), kept as (
        select key, value::bigint as kept_from
        from jsonb_each_text(${JSON.stringify(of.keptFrom)}::jsonb)
      ), gone as (
        delete from routing_history as old using page
        where old.id = page.id and exists (
          select from routing_history as newer
          where (newer.business_id, newer.mode, newer.kind, newer.subject_id)
            = (page.business_id, page.mode, page.kind, page.subject_id)
          and newer.id > page.id
          and not exists (
            select from kept
            where coalesce((newer.measured ->> kept.key)::bigint, 0) > kept.kept_from))
        returning 1
      )
      select (select max(id) from page) as last, (select count(*) from gone) as rows`)
    return row ?? { last: null, rows: 0 }
  }

  async function versions(of: Parameters<Forgetting['versions']>[0]): Promise<number> {
    let gone = 0
    for (const table of versionTables) {
      await db.query(sql`
        update ${table} set measured = coalesce(
          (select jsonb_object_agg(partition, next_offset) from checkpoints), '{}')
        where measured is null and replaced_at < now() - interval '10 minutes'`)
      const rows = await db.query(sql`
        with kept as (
          select key, value::bigint as kept_from
          from jsonb_each_text(${JSON.stringify(of.keptFrom)}::jsonb)
        )
        delete from ${table} where ctid = any (array(
          select version.ctid from ${table} as version
          where replaced_at is not null and measured is not null and not exists (
            select from kept
            where coalesce((measured ->> kept.key)::bigint, 0) > kept.kept_from)
          limit ${of.rowsMax}))
        returning 1`)
      gone += rows.length
    }
    return gone
  }

  async function quarantine(before: Instant, rowsMax: number): Promise<number> {
    const rows = await db.query(sql`
      update quarantine set value = ''
      where ctid = any (array(
        select ctid from quarantine
        where recorded_at < ${timestamptz(before)} and value <> '' limit ${rowsMax}))
      returning 1`)
    return rows.length
  }
}

const versionTables = [sql`meter_versions`, sql`link_versions`, sql`route_versions`]
