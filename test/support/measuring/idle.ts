import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import { measuring } from '../../../src/parts/store/postgres/usage/measuring.ts'
import { formatInstant } from '../../../src/std/instant.ts'
import type { Pipeline } from './pipeline.ts'

/**
 * Says that everything received so far is measured, as the server's loops do while nothing comes.
 */
export async function idleNow({ clock, db }: Pipeline): Promise<void> {
  const at = clock.now()
  await db.query(sql`
    insert into believed_time (at, told_at, monotonic_us) values (${formatInstant(at)}, now(), 0)
    on conflict (one) do update set at = excluded.at, told_at = now()`)
  const store = measuring(db)
  const rows = await store.checkpoints()
  await store.heartbeat(
    rows.map(({ partition, epoch, nextOffset }) => ({
      partition,
      epoch,
      next: nextOffset,
      at,
      ran: 0,
    })),
  )
}
