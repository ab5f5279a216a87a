import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { attachPostgres } from '../../../src/parts/store/embedded/postgres.ts'
import { openDb } from '../../../src/parts/store/postgres/connection/client.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import { startLoad } from '../../harness/load.ts'
import type { Result } from '../../harness/result.ts'
import { figure, quantile } from '../../harness/result.ts'
import type { Site } from '../../harness/site.ts'
import type { Size } from '../../harness/sizes.ts'

/** How far the archive trails while events are accepted as fast as possible. */
export async function benchLag(site: Site, size: Size): Promise<Result> {
  const url = await attachPostgres(join(site.dataDir, 'postgres'))
  if (url === null) throw new Error('The embedded PostgreSQL of the bench cannot be reached.')
  const db = openDb({ url, connectionsMax: 1, name: 'sluice bench' })
  const load = await startLoad({
    workload: site.workload('lag', 100),
    url: site.url,
    apiKey: site.apiKey,
    connections: 16,
    eventsMax: size.endToEndEvents,
    rate: null,
    deadlineMs: 240_000,
  })
  let loading = true
  void load.done.then(() => {
    loading = false
  })
  const startedAt = performance.now()
  const behind: number[] = []
  while (loading) {
    behind.push(await secondsBehind())
    await sleep(100)
  }
  const { events } = await load.done
  const loadedMs = performance.now() - startedAt
  while ((await unarchived()) > 0) await sleep(20)
  const doneMs = performance.now() - startedAt
  await db.close()
  const line = {
    label: 'behind measuring, under load',
    figures: [
      figure('events', events, ''),
      figure('accepted/s', events / (loadedMs / 1_000), ''),
      figure('archived/s', events / (doneMs / 1_000), ''),
      figure('p50', quantile(behind, 0.5), 's'),
      figure('worst', quantile(behind, 1), 's'),
    ],
  }
  return { name: 'archive: lag', lines: [line], goals: [], checksum: '' }

  async function secondsBehind(): Promise<number> {
    const [row] = await db.query<{ behind: string | null }>(sql`
      select max(extract(epoch from c.log_at - a.log_at)) as behind
      from checkpoints c join archive_checkpoints a using (partition)
      where a.next_offset < c.next_offset and a.log_at > 'epoch'`)
    return Number(row?.behind ?? 0)
  }

  async function unarchived(): Promise<number> {
    const [row] = await db.query<{ records: number }>(sql`
      select coalesce(sum(c.next_offset - coalesce(a.next_offset, 0)), 0)::bigint as records
      from checkpoints c left join archive_checkpoints a using (partition)`)
    return row?.records ?? 0
  }
}
