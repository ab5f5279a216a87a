import type { ClosedTo } from '../../../../rules/commerce/subscriptions/folding.ts'
import type { Duration } from '../../../../std/instant.ts'
import type { Scope } from '../../scope.ts'
import type { Db } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'

/**
 * Up to when nothing can be measured any more: `openFor` before everything that has been measured.
 * Null while there are no partitions.
 */
export async function closedTo(
  db: Db,
  { businessId, mode }: Scope,
  openFor: Duration,
): Promise<ClosedTo | null> {
  const [row] = await db.query<ClosedTo>(sql`
    select log, log + clock_ahead(${businessId}, ${mode}) * interval '1 microsecond' as at
    from (
      select least(min(greatest(log_at, idle_at)), believed_now())
        - ${openFor}::bigint * interval '1 microsecond' as log
      from checkpoints having count(*) > 0) as measured`)
  return row ?? null
}
