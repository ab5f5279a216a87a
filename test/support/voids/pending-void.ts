import type { Db } from '../../../src/parts/store/postgres/connection/client.ts'
import { timestamptz } from '../../../src/parts/store/postgres/connection/client.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import type { CustomerKey } from '../../../src/parts/store/scope.ts'
import type { Instant } from '../../../src/std/instant.ts'

interface Pending {
  /** When it was voided. */
  readonly at: Instant
  /** How often the row was to be folded again. */
  readonly tries: number
}

/** A void of an event that a row of usage still holds; a customer has one, of its own name. */
export async function pendingVoid(
  db: Db,
  { businessId, customerId, mode }: CustomerKey,
  { at, tries }: Pending,
): Promise<void> {
  await db.query(sql`
    insert into voids (business_id, mode, event_id, event_at, customer_id, reason, received_at,
      undone, pending, voided_at)
    values (${businessId}, ${mode}, ${customerId}, ${timestamptz(at)}, ${customerId}, 'test',
      ${timestamptz(at)}, '[]', 1, ${timestamptz(at)})`)
  await db.query(sql`
    insert into void_folds (business_id, mode, customer_id, route_id, entitlement_id, meter_id,
      segment_at, log_hour, event_id, event_at, tries)
    values (${businessId}, ${mode}, ${customerId}, 'sub_1', '', 'mtr_1', ${timestamptz(at)}, 0,
      ${customerId}, ${timestamptz(at)}, ${tries})`)
}
