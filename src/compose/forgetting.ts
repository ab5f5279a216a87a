import { openForgetting } from '../engine/sweeps/forgetting.ts'
import { forgetting } from '../parts/store/postgres/archive/forgetting.ts'
import type { EngineParts, Ground } from './parts.ts'

/** What may be forgotten depends on what the archive still has. */
export function openForgettingOf(
  { data, clock, logger, metrics, life }: EngineParts,
  { db }: Ground,
): void {
  const sweep = openForgetting({
    store: forgetting(db),
    retention: data.config.eventRetention,
    clock,
    logger,
    forgot: (rows) => {
      logger.info({ ...rows }, 'what no kept event needs was forgotten')
      for (const [table, count] of Object.entries(rows)) metrics.droppedRows.add(count, { table })
    },
  })
  life.own('forgetting', () => sweep.stop())
  sweep.start()
}
