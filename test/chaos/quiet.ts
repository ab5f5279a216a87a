import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../src/parts/store/postgres/connection/client.ts'
import { metric } from './audit-events.ts'

/** How much is still under way, by name; all 0 when the server has come to rest. */
export type UnderWay = Readonly<Record<string, number>>

export interface QuietOptions {
  /** Of every process. */
  readonly opsUrls: readonly string[]
  readonly db: Db
  readonly withinMs: number
}

/**
 * Waits until everything accepted is measured, settled, told and archived; answers what is left.
 */
export async function untilQuiet({ opsUrls, db, withinMs }: QuietOptions): Promise<UnderWay> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const left = await underWay().catch((error: unknown) => ({ [String(error)]: 1 }))
    if (Object.values(left).every((count) => count === 0)) return left
    if (performance.now() > deadline) return left
    await sleep(200)
  }

  async function underWay(): Promise<UnderWay> {
    const [row] = await db.query<Record<string, number>>({
      text: `select
        (select count(*) from unsettled) as unsettled,
        (select count(*) from outbox) as facts,
        (select count(*) from deliveries where next_at is not null) as deliveries,
        (select count(*) from checkpoints c left join archive_checkpoints a using (partition)
          where c.next_offset <> coalesce(a.next_offset, 0)) as unarchived`,
      values: [],
    })
    const statuses = opsUrls.map(async (url) => (await fetch(`${url}/readyz`)).status)
    const unready = (await Promise.all(statuses)).filter((status) => status !== 200)
    return {
      ...row,
      lag: (await metric(opsUrls, 'sluice_log_lag_events')) ?? 1,
      unready: unready.length,
    }
  }
}
