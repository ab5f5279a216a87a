import type { TraceLink, TraceLinks } from '../../trace-links.ts'
import type { Db } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'

export function traceLinks(db: Db): TraceLinks {
  return { put, find, drop }

  async function put(links: readonly TraceLink[]): Promise<void> {
    if (links.length === 0) return
    // One row a subject, in order, so that two who write the same ones do not wait for each other.
    const latest = new Map(links.map(({ subject, traceparent }) => [subject, traceparent]))
    const rows = [...latest].sort(([a], [b]) => (a < b ? -1 : 1))
    await db.query(sql`
      insert into trace_links (subject, traceparent)
      select subject, traceparent
      from unnest(${rows.map(([subject]) => subject)}::text[],
        ${rows.map(([, traceparent]) => traceparent)}::text[]) as given (subject, traceparent)
      on conflict (subject) do update set traceparent = excluded.traceparent, at = now()`)
    await db.query(sql`delete from trace_links where at < now() - interval '1 hour'`)
  }

  async function find(subjects: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await db.query<TraceLink>(sql`
      select subject, traceparent from trace_links
      where subject = any(${subjects}::text[]) and at > now() - interval '1 hour'`)
    return new Map(rows.map(({ subject, traceparent }) => [subject, traceparent]))
  }

  async function drop(subjects: readonly string[]): Promise<void> {
    await db.query(sql`delete from trace_links where subject = any(${subjects}::text[])`)
  }
}
